#include "engine/ops/leaves.h"

#include "engine/base/check.h"
#include "engine/graph/axes.h"

#include <algorithm>
#include <cmath>

namespace headlight {

namespace {

struct Tokens final : Op {
    std::vector<std::int32_t> ids;
    Index sequences = 1, length = 0;

    std::string_view name() const override { return "tokens"; }
    ValueKind kind() const override { return ValueKind::tokens; }
    Axes axes(const Node& node) const override { return {axis::positions(node), axis::single}; }
    // Of a sequence that grows, the tokens that are new.
    Shape shape(const Node& node) const override {
        return {sequences, length - node.graph->rows_before(), 1};
    }
    void forward(Node& node) const override {
        const Index fresh = node.value.rows();
        for (Index s = 0; s < sequences; ++s)
            std::copy_n(ids.end() - (sequences - 1 - s) * length - fresh, fresh, node.value.matrix(s));
    }
    void backward(Node&) const override {}
    Explanation explain(const Node&, Cell cell) const override {
        const std::int32_t id = ids[std::size_t(cell.batch * length + cell.row)];
        return {"t_i", {{"t", Expr::constant(id)}}, "note.token_id"};
    }
    Formula formula(const Node&, const Letters& letters) const override {
        return {"(" + letters.result.at("1") + ", \\ldots, " + letters.result.at("n") + ")"};
    }
};

struct ParameterSlice : Op {
    ParameterSlice(const Tensor& values, Real* gradients, Axes axes)
        : values_(values), gradients_(gradients), axes_(axes) {}

    std::string_view name() const override { return "parameter"; }
    ValueKind kind() const override { return ValueKind::parameter; }
    Axes axes(const Node&) const override { return axes_; }
    Formula formula(const Node&, const Letters& letters) const override { return {letters.result.text()}; }
    Shape shape(const Node&) const override { return values_.shape(); }
    bool is_view() const override { return true; }
    Tensor view(const Node&) const override { return values_; }
    Tensor gradient_view(const Node&) const override {
        return gradients_ ? Tensor{values_.shape(), gradients_} : Tensor{};
    }
    void forward(Node&) const override {}
    void backward(Node&) const override {}
    Explanation explain(const Node& node, Cell cell) const override {
        const Real w = node.as_computed()(cell.batch, cell.row, cell.column);
        return {"w_{ij}", {{"w", Expr::constant(w)}}, "note.learned"};
    }

private:
    Tensor values_;
    Real* gradients_;
    Axes axes_;
};

// Nothing learns it; the note says who made it.
struct Given final : ParameterSlice {
    Given(Tensor values, Axes axes, const char* note) : ParameterSlice(values, nullptr, axes), note_(note) {}
    Explanation explain(const Node& node, Cell cell) const override {
        const Real x = node.as_computed()(cell.batch, cell.row, cell.column);
        return {"x_{ij}", {{"x", Expr::constant(x)}}, note_};
    }

private:
    const char* note_;
};

struct SinusoidalPositions final : Op {
    SinusoidalPositions(Index columns, Sinusoids where)
        : d_model(columns), in_halves(where == Sinusoids::in_halves) {}
    Index d_model;
    bool in_halves;
    mutable std::vector<Real> table; // grows to the longest sequence seen; the same numbers every time

    Index sines() const { return (d_model + 1) / 2; } // as many as there are sines
    bool is_sine(Index column) const { return in_halves ? column < sines() : column % 2 == 0; }
    Index pair(Index column) const { return in_halves ? column % sines() : column / 2; }
    double divisor(Index column) const {
        return std::pow(10000.0, double(2 * pair(column)) / double(d_model));
    }

    std::string_view name() const override { return "sinusoidal_positions"; }
    ValueKind kind() const override { return ValueKind::positions; }
    Axes axes(const Node& node) const override { return {axis::positions(node.input(0)), axis::features}; }
    std::vector<Real> position_codes(const Node&, Index count) const override {
        extend_table(count);
        return {table.begin(), table.begin() + count * d_model};
    }
    // The codes are the same for every sentence.
    std::optional<Regions> readers(const Node&, std::size_t, Cell) const override { return Regions{}; }
    Shape shape(const Node& node) const override { return {1, node.input(0).value.rows(), d_model}; }
    void extend_table(Index positions) const {
        for (Index position = Index(table.size()) / d_model; position < positions; ++position)
            for (Index c = 0; c < d_model; ++c) {
                const double angle = double(position) / divisor(c);
                table.push_back(Real(is_sine(c) ? std::sin(angle) : std::cos(angle)));
            }
    }
    void forward(Node& node) const override {
        const Index before = node.graph->rows_before();
        extend_table(before + node.value.rows());
        std::copy_n(table.begin() + before * d_model, node.value.size(), node.value.data());
    }
    void backward(Node&) const override {}
    Explanation explain(const Node&, Cell cell) const override {
        const bool sine = is_sine(cell.column);
        const Expr exponent =
            Expr::constant(double(2 * pair(cell.column)), "2i") / Expr::constant(double(d_model), "d_model");
        const Expr wavelength = Expr::make(Expr::Kind::power, {Expr::constant(10000), exponent});
        const Expr angle = Expr::constant(double(cell.row), "pos") / wavelength;
        return {"PE_{" + place(sine, "d_{model}") + "} = " + (sine ? "\\sin" : "\\cos")
                    + "\\left(\\frac{pos}{10000^{2i/d_{model}}}\\right)",
                {{"angle", angle},
                 {"PE", Expr::function(sine ? Expr::Kind::sin : Expr::Kind::cos, Expr::result(0))}},
                "note.not_trained"};
    }
    std::string equation(const Node&, const Letters& letters) const override {
        return written(letters, "d_{model}");
    }
    std::string sized_equation(const Node&, const Letters& letters) const override {
        return written(letters, std::to_string(d_model));
    }
    // The index of a sine or of its cosine.
    std::string place(bool sine, const std::string& width) const {
        if (!in_halves) return sine ? "(pos,\\,2i)" : "(pos,\\,2i+1)";
        return sine ? "(pos,\\,i)" : "(pos,\\,i+" + width + "/2)";
    }
    std::string written(const Letters& letters, const std::string& width) const {
        const std::string angle = "\\left(\\frac{pos}{10000^{2i/" + width + "}}\\right)";
        return letters.result.at(place(true, width)) + " = \\sin" + angle + ",\\quad "
               + letters.result.at(place(false, width)) + " = \\cos" + angle;
    }
};

} // namespace

Node* tokens(Graph& graph) { return graph.add(std::make_unique<Tokens>(), {}); }

void feed(Node* node, std::span<const std::int32_t> ids, Index sequences, Index length) {
    auto* op = dynamic_cast<Tokens*>(node->op.get());
    HEADLIGHT_CHECK(op, node->path + " is not a node of tokens");
    HEADLIGHT_CHECK(Index(ids.size()) == sequences * length, "ids do not fill sequences × length");
    if (op->sequences == sequences && op->length == length && std::ranges::equal(op->ids, ids)) return;
    node->graph->changed_from(node->index);
    op->ids.assign(ids.begin(), ids.end());
    op->sequences = sequences;
    op->length = length;
}

std::int32_t fed_token(const Node& node, Index sequence, Index position) {
    const auto& op = static_cast<const Tokens&>(*node.op);
    return op.ids[std::size_t(sequence * op.length + position)];
}

Node* parameter(Graph& graph, Parameters& parameters, std::string_view parameter_name, Real* gradients,
                Index first, Index count, Axes axes) {
    const Parameter* p = parameters.find(parameter_name);
    HEADLIGHT_CHECK(p, "no parameter is called " + std::string(parameter_name));
    const Index whole = p->is_vector ? p->columns : p->rows;
    if (count < 0) count = whole;
    HEADLIGHT_CHECK(first + count <= whole, p->name + " has no such rows");
    if (p->is_vector && axes == Axes{}) axes.rows = axis::single;
    const Shape shape = p->is_vector ? Shape{1, 1, count} : Shape{1, count, p->columns};
    const Index begin = p->is_vector ? first : first * p->columns;
    const PackedReals* packed = parameters.packed(*p);
    HEADLIGHT_CHECK(!packed || !gradients, p->name + " is packed: it is not trained");
    const Tensor values =
        packed ? Tensor(shape, *packed, begin) : Tensor(shape, parameters.data() + p->offset + begin);
    return graph.add(
        std::make_unique<ParameterSlice>(values, gradients ? gradients + p->offset + begin : nullptr, axes),
        {}, true);
}

namespace {

Node* unlearned(Graph& graph, Parameters& parameters, std::string_view parameter_name, Axes axes,
                const char* note) {
    const Parameter* p = parameters.find(parameter_name);
    HEADLIGHT_CHECK(p, "no parameter is called " + std::string(parameter_name));
    return graph.add(std::make_unique<Given>(parameters.tensor(*p), axes, note), {});
}

} // namespace

Node* given(Graph& graph, Parameters& parameters, std::string_view parameter_name) {
    return unlearned(graph, parameters, parameter_name, {}, "note.given");
}

Node* kept(Graph& graph, Parameters& parameters, std::string_view parameter_name) {
    return unlearned(graph, parameters, parameter_name, {axis::single, axis::features}, "note.kept");
}

Node* sinusoidal_positions(Node* sequence, Index d_model, Sinusoids sinusoids) {
    return sequence->graph->add(std::make_unique<SinusoidalPositions>(d_model, sinusoids), {sequence});
}

} // namespace headlight
