#include "engine/ops/pooling.h"

#include "engine/base/check.h"
#include "engine/graph/regions.h"
#include "engine/ops/eigen_view.h"

#include <algorithm>

namespace headlight {

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
