#include "engine/ops/gather.h"
#include "engine/base/check.h"
#include "engine/graph/axes.h"
#include "engine/ops/eigen_view.h"

#include <algorithm>
#include <vector>

namespace headlight {

namespace {

struct Gather final : Op {
    std::string_view name() const override { return "gather"; }
    ValueKind kind() const override { return ValueKind::lookup; }
    // Rows stand for what the ids stand for: token types are of the tokens' positions.
    Axes axes(const Node& node) const override { return {node.input(1).axes.rows, axis::features}; }
    Shape shape(const Node& node) const override {
        const Shape& sequence = node.input(1).shape();
        return {sequence.batch, sequence.rows, node.input(0).value.columns()};
    }
    static Index id(const Node& node, Index position) { return Index(node.input(1).value.data()[position]); }
    void forward(Node& node) const override {
        const Tensor& table = node.input(0).value;
        for (Index t = 0; t < node.shape().all_rows(); ++t) {
            HEADLIGHT_CHECK(id(node, t) >= 0 && id(node, t) < table.rows(),
                            node.path + ": no token " + std::to_string(id(node, t)));
            if (table.is_packed())
                table.unpack(id(node, t) * table.columns(), table.columns(), row(node.value, t).data());
            else
                row(node.value, t) = row(table, id(node, t));
        }
    }
    void backward(Node& node) const override {
        GradientOf table(node.input(0));
        if (!table.needed()) return;
        table.start_from_zero();
        for (Index t = 0; t < node.shape().all_rows(); ++t)
            row(table.tensor(), id(node, t)) += row(node.grad, t);
    }
    Explanation explain(const Node& node, Cell cell) const override {
        const Index token = id(node, cell.batch * node.value.rows() + cell.row);
        return {"x_{ij} = E_{t_i,\\,j}",
                {{"x", Expr::of(node.input(0), {0, token, cell.column})}},
                "note.gathered"};
    }
    // A row of the table learns at every position that has its token; the rows of other words not at all.
    Explanation explain_backward(const Node& node, std::size_t, Cell cell) const override {
        std::vector<Expr> readers;
        for (Index t = 0; t < node.shape().all_rows(); ++t)
            if (id(node, t) == cell.row)
                readers.push_back(
                    Expr::gradient_of(node, {t / node.value.rows(), t % node.value.rows(), cell.column}));
        if (readers.empty()) return {};
        Expr sum = readers.size() == 1 ? readers.front() : Expr::sum(std::move(readers));
        return {"\\frac{\\partial L}{\\partial E_{v,\\,j}} = \\sum_{i:\\, t_i = v} "
                "\\frac{\\partial L}{\\partial x_{ij}}",
                {{"g", std::move(sum)}}};
    }
    std::optional<Regions> readers(const Node& node, std::size_t input, Cell cell) const override {
        if (input == 1) return Regions{row_of(cell)};
        Regions regions;
        for (Index t = 0; t < node.shape().all_rows(); ++t)
            if (id(node, t) == cell.row)
                regions.push_back({t / node.value.rows(), t % node.value.rows(), cell.column});
        return regions;
    }
    Formula formula(const Node&, const Letters& letters) const override {
        return {letters.inputs[0].symbol.at(letters.inputs[1].symbol.at("i"))};
    }
    std::string equation(const Node& node, const Letters& letters) const override {
        return letters.result.at("i") + " = " + formula(node, letters).text;
    }
    GradientTerm gradient_term(const Node& node, std::size_t, const GradientLetters& letters) const override {
        return {"\\sum_{i:\\,t_i = v} " + GradientLetters::slope_of("{" + letters.result + "}_{i}"),
                "",
                {&node.input(1)}};
    }
};

struct FirstRows final : Op {
    std::string_view name() const override { return "first_rows"; }
    ValueKind kind() const override { return ValueKind::positions; }
    Axes axes(const Node& node) const override { return {axis::positions(node.input(1)), axis::features}; }
    std::vector<Real> position_codes(const Node& node, Index count) const override {
        const Tensor& table = node.input(0).value;
        return {table.data(), table.row(0, 0) + std::min(count, table.rows()) * table.columns()};
    }
    Shape shape(const Node& node) const override {
        HEADLIGHT_CHECK(node.graph->rows_before() + node.input(1).value.rows() <= node.input(0).value.rows(),
                        node.path + ": a sequence longer than the table of positions");
        return {1, node.input(1).value.rows(), node.input(0).value.columns()};
    }
    void forward(Node& node) const override {
        stacked(node.value) =
            stacked(node.input(0).value).middleRows(node.graph->rows_before(), node.value.rows());
    }
    void backward(Node& node) const override {
        GradientOf table(node.input(0));
        if (!table.needed()) return;
        table.start_from_zero();
        stacked(table.tensor()).topRows(node.value.rows()) += stacked(node.grad);
    }
    Explanation explain(const Node& node, Cell cell) const override {
        return {
            "p_{ij} = P_{ij}", {{"p", Expr::of(node.input(0), {0, cell.row, cell.column})}}, "note.gathered"};
    }
    Explanation explain_backward(const Node& node, std::size_t, Cell cell) const override {
        if (cell.row >= node.value.rows()) return {};
        return {"\\frac{\\partial L}{\\partial P_{ij}} = \\frac{\\partial L}{\\partial p_{ij}}",
                {{"g", Expr::gradient_of(node, {0, cell.row, cell.column})}}};
    }
    std::optional<Regions> readers(const Node& node, std::size_t input, Cell cell) const override {
        return input == 0 && cell.row < node.value.rows() ? Regions{only(cell)} : Regions{};
    }
    Formula formula(const Node&, const Letters& letters) const override {
        return {letters.inputs[0].symbol.at("pos")};
    }
    std::string equation(const Node& node, const Letters& letters) const override {
        return letters.result.at("pos") + " = " + formula(node, letters).text;
    }
};

struct FirstRow final : Op {
    std::string_view name() const override { return "first_row"; }
    bool mixes_rows(std::size_t) const override { return true; }
    Axes axes(const Node&) const override { return {axis::single, axis::features}; }
    Shape shape(const Node& node) const override {
        const Shape& x = node.input(0).shape();
        HEADLIGHT_CHECK(x.rows > 0, node.path + ": the first row of " + to_string(x));
        return {x.batch, 1, x.columns};
    }
    void forward(Node& node) const override {
        const Tensor& x = node.input(0).value;
        for (Index b = 0; b < x.batch(); ++b) row(node.value, b) = row(x, b * x.rows());
    }
    void backward(Node& node) const override {
        GradientOf x(node.input(0));
        if (!x.needed()) return;
        x.start_from_zero();
        for (Index b = 0; b < node.grad.batch(); ++b)
            row(x.tensor(), b * x.tensor().rows()) += row(std::as_const(node.grad), b);
    }
    Explanation explain(const Node& node, Cell cell) const override {
        return {"y_{j} = x_{1j}", {{"y", Expr::of(node.input(0), cell)}}, "note.first_token"};
    }
    Explanation explain_backward(const Node& node, std::size_t, Cell cell) const override {
        if (cell.row > 0) return {};
        return {"\\frac{\\partial L}{\\partial x_{1j}} = \\frac{\\partial L}{\\partial y_{j}}",
                {{"g", Expr::gradient_of(node, cell)}}};
    }
    std::optional<Regions> readers(const Node&, std::size_t, Cell cell) const override {
        return cell.row > 0 ? Regions{} : Regions{only(cell)};
    }
    Formula formula(const Node&, const Letters& letters) const override {
        return {letters.inputs[0].symbol.at("1")};
    }
    std::string sign(const Node&, const Letters&) const override { return "i = 1"; }
};

} // namespace

Node* gather(Node* table, Node* tokens) {
    return table->graph->add(std::make_unique<Gather>(), {table, tokens});
}

Node* first_rows(Node* table, Node* tokens) {
    return table->graph->add(std::make_unique<FirstRows>(), {table, tokens});
}

Node* first_row(Node* x) { return x->graph->add(std::make_unique<FirstRow>(), {x}); }

namespace {

struct TokenTypes final : Op {
    std::vector<std::int32_t> types;

    std::string_view name() const override { return "token_types"; }
    Shape shape(const Node& node) const override { return node.input(0).shape(); }
    std::int32_t type_at(Index position) const {
        return position < Index(types.size()) ? types[std::size_t(position)] : 0;
    }
    void forward(Node& node) const override {
        for (Index b = 0; b < node.value.batch(); ++b)
            for (Index t = 0; t < node.value.rows(); ++t) node.value(b, t, 0) = Real(type_at(t));
    }
    void backward(Node&) const override {}
    Explanation explain(const Node&, Cell cell) const override {
        return {"s_i", {{"s", Expr::constant(type_at(cell.row))}}, "note.token_type"};
    }
    // The types are told, whatever the tokens are.
    std::optional<Regions> readers(const Node&, std::size_t, Cell) const override { return Regions{}; }
    Formula formula(const Node&, const Letters& letters) const override {
        return {"(" + letters.result.at("1") + ", \\ldots, " + letters.result.at("n") + ")"};
    }
};

} // namespace

Node* token_types(Node* tokens) { return tokens->graph->add(std::make_unique<TokenTypes>(), {tokens}); }

void feed_types(Node* node, std::span<const std::int32_t> types) {
    auto* op = dynamic_cast<TokenTypes*>(node->op.get());
    HEADLIGHT_CHECK(op, node->path + " is not a node of token types");
    if (!std::ranges::equal(op->types, types)) node->graph->changed_from(node->index);
    op->types.assign(types.begin(), types.end());
}

namespace {

struct MeanOfWords final : Op {
    explicit MeanOfWords(std::int32_t pad) : pad_id(pad) {}
    std::int32_t pad_id;

    bool counts(const Node& node, Index sequence, Index position) const {
        return node.input(1).value(sequence, position, 0) != Real(pad_id);
    }
    // Words of a sequence; 1 where there are none, so that their sum of 0 stays 0.
    Index count(const Node& node, Index sequence) const {
        Index words = 0;
        for (Index t = 0; t < node.input(1).value.rows(); ++t) words += counts(node, sequence, t);
        return std::max<Index>(words, 1);
    }

    std::string_view name() const override { return "mean_of_words"; }
    bool is_mean_of_rows() const override { return true; }
    bool mixes_rows(std::size_t) const override { return true; }
    Axes axes(const Node& node) const override { return {axis::single, node.input(0).axes.columns}; }
    Shape shape(const Node& node) const override {
        const Shape &x = node.input(0).shape(), &t = node.input(1).shape();
        HEADLIGHT_CHECK(x.batch == t.batch && x.rows == t.rows,
                        node.path + ": " + to_string(x) + " of tokens " + to_string(t));
        return {x.batch, 1, x.columns};
    }
    void forward(Node& node) const override {
        const Tensor& x = node.input(0).value;
        for (Index b = 0; b < x.batch(); ++b) {
            auto mean = row(node.value, b);
            mean.setZero();
            for (Index t = 0; t < x.rows(); ++t)
                if (counts(node, b, t)) mean += row(x, b * x.rows() + t);
            mean *= 1 / Real(count(node, b));
        }
    }
    void backward(Node& node) const override {
        GradientOf x(node.input(0));
        if (!x.needed()) return;
        x.start_from_zero(); // padding has no part in it
        const Index rows = x.tensor().rows();
        for (Index b = 0; b < x.tensor().batch(); ++b) {
            const Real share = 1 / Real(count(node, b));
            for (Index t = 0; t < rows; ++t)
                if (counts(node, b, t)) row(x.tensor(), b * rows + t) += share * row(node.grad, b);
        }
    }
    Explanation explain(const Node& node, Cell cell) const override {
        std::vector<Expr> cells;
        for (Index t = 0; t < node.input(0).value.rows(); ++t)
            if (counts(node, cell.batch, t))
                cells.push_back(Expr::of(node.input(0), {cell.batch, t, cell.column}));
        return {"\\bar{x}_j = \\frac{1}{n} \\sum_i x_{ij}",
                {{"y", Expr::sum(std::move(cells)) / Expr::constant(double(count(node, cell.batch)), "n")}}};
    }
    Explanation explain_backward(const Node& node, std::size_t input, Cell cell) const override {
        if (input == 1 || !counts(node, cell.batch, cell.row)) return {};
        return {
            "\\frac{\\partial L}{\\partial x_{ij}} = \\frac{1}{n} \\frac{\\partial L}{\\partial \\bar{x}_j}",
            {{"g", Expr::gradient_of(node, {cell.batch, 0, cell.column})
                       / Expr::constant(double(count(node, cell.batch)), "n")}}};
    }
    std::optional<Regions> readers(const Node& node, std::size_t input, Cell cell) const override {
        if (input == 1) return Regions{{cell.batch, 0, all_cells}}; // says what counts
        if (!counts(node, cell.batch, cell.row)) return Regions{};
        return Regions{{cell.batch, 0, cell.column}};
    }
    Formula formula(const Node&, const Letters& letters) const override {
        return {"\\frac{1}{n}\\sum_{i} " + letters.text(0) + "_{i}"};
    }
    std::string cell_letter(std::size_t input) const override { return input == 0 ? "x_{ij}" : ""; }
    std::string sign(const Node&, const Letters&) const override { return "\\mathrm{mean}"; }
    GradientTerm gradient_term(const Node&, std::size_t, const GradientLetters& letters) const override {
        return {"\\frac{1}{n}\\," + letters.slope()};
    }
};

} // namespace

Node* mean_of_words(Node* x, Node* tokens, std::int32_t pad_id) {
    return x->graph->add(std::make_unique<MeanOfWords>(pad_id), {x, tokens});
}

} // namespace headlight
