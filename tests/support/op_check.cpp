#include "tests/support/op_check.h"

#include "engine/ops/pointwise.h"
#include "tests/support/explanation_check.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <type_traits>

namespace headlight::test {

const double gradient_tolerance = std::is_same_v<Real, double> ? 1e-6 : 1e-4;
const double value_tolerance = 64 * double(std::numeric_limits<Real>::epsilon());

namespace {

struct Input final : Op {
    explicit Input(const Numbers& from) : shape_(from.shape), numbers(from.data.begin(), from.data.end()) {}

    std::string_view name() const override { return "input"; }
    Shape shape(const Node&) const override { return shape_; }
    void forward(Node& node) const override { std::copy(numbers.begin(), numbers.end(), node.value.data()); }
    void backward(Node&) const override {}
    Explanation explain(const Node&, Cell cell) const override {
        const Index row = cell.batch * shape_.rows + cell.row;
        return {"x", {{"x", Expr::constant(numbers[std::size_t(row * shape_.columns + cell.column)])}}};
    }

    Shape shape_;
    std::vector<Real> numbers;
};

struct WeightedSum final : Op {
    explicit WeightedSum(std::uint64_t weight_seed) : seed(weight_seed) {}
    std::uint64_t seed;

    std::string_view name() const override { return "weighted_sum"; }
    Shape shape(const Node&) const override { return {1, 1, 1}; }
    void forward(Node& node) const override {
        node.value(0, 0, 0) = Real(weighted_sum(numbers_of(node.input(0).value), seed));
    }
    void backward(Node& node) const override {
        Node& x = node.input(0);
        const Numbers weights = random_numbers(x.shape(), seed);
        for (Index i = 0; i < x.grad.size(); ++i) {
            const Real part = node.grad(0, 0, 0) * Real(weights.data[std::size_t(i)]);
            x.grad.data()[i] = x.grad_started ? x.grad.data()[i] + part : part;
        }
        x.grad_started = true;
    }
    Explanation explain(const Node& node, Cell) const override {
        const Numbers weights = random_numbers(node.input(0).shape(), seed);
        std::vector<Expr> terms;
        for_each_cell(weights.shape, [&](Index b, Index r, Index c) {
            terms.push_back(Expr::constant(weights(b, r, c)) * Expr::of(node.input(0), {b, r, c}));
        });
        return {"\\sum w x", {{"sum", Expr::sum(std::move(terms))}}};
    }
    Explanation explain_backward(const Node& node, std::size_t, Cell cell) const override {
        const Numbers weights = random_numbers(node.input(0).shape(), seed);
        const Expr weight = Expr::constant(weights(cell.batch, cell.row, cell.column));
        return {"w", {{"g", Expr::gradient_of(node, {0, 0, 0}) * weight}}};
    }
};

constexpr std::uint64_t loss_seed = 77;

// Richardson's extrapolation of two central differences: exact up to the fifth derivative.
double derivative(const std::function<double(double)>& f, double at) {
    const double h = 1e-3;
    const double near = f(at + h) - f(at - h), far = f(at + 2 * h) - f(at - 2 * h);
    return (8 * near - far) / (12 * h);
}

double weighted(const Numbers& x, const Numbers& weights) {
    double total = 0;
    for (std::size_t i = 0; i < x.data.size(); ++i) total += weights.data[i] * x.data[i];
    return total;
}

std::string fault_of_pass(const std::vector<Numbers>& numbers, const Build& build, const Twin& twin,
                          const std::vector<Edit>& edits) {
    Graph graph;
    Inputs inputs;
    for (const Numbers& n : numbers) inputs.push_back(input(graph, n));
    Node* y = build(graph, inputs);
    Node* loss = weighted_sum(y, loss_seed);
    graph.set_edits(edits);
    graph.forward();
    if (std::string wrong = difference(y->value, twin(numbers), value_tolerance); !wrong.empty())
        return "value " + wrong;

    graph.backward(loss);
    const Numbers weights = random_numbers(y->shape(), loss_seed);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        Numbers expected(numbers[i].shape);
        std::vector<Numbers> moved = numbers;
        for (std::size_t k = 0; k < expected.data.size(); ++k) {
            const auto loss_at = [&](double x) {
                moved[i].data[k] = x;
                return weighted(twin(moved), weights);
            };
            expected.data[k] = derivative(loss_at, numbers[i].data[k]);
            moved[i].data[k] = numbers[i].data[k];
        }
        if (std::string wrong = difference(inputs[i]->grad, expected, gradient_tolerance); !wrong.empty())
            return "gradient of input " + std::to_string(i) + " " + wrong;
    }
    const std::string wrong = unexplained_cell(graph);
    return wrong.empty() ? unexplained_gradient(graph) : wrong;
}

} // namespace

Node* input(Graph& graph, const Numbers& numbers) {
    return graph.add(std::make_unique<Input>(numbers), {}, true);
}

Node* weighted_sum(Node* x, std::uint64_t seed) {
    return x->graph->add(std::make_unique<WeightedSum>(seed), {x});
}

double weighted_sum(const Numbers& x, std::uint64_t seed) {
    return weighted(x, random_numbers(x.shape, seed));
}

std::string fault(const std::vector<Numbers>& inputs, const Build& build, const Twin& twin,
                  const std::vector<Edit>& edits) {
    const Build once = [&](Graph& graph, const Inputs& in) {
        Scope scope(graph, "once");
        return build(graph, in);
    };
    if (std::string wrong = fault_of_pass(inputs, once, twin, edits); !wrong.empty()) return wrong;
    if (!edits.empty()) return {};

    const Build twice = [&](Graph& graph, const Inputs& in) {
        Node* first = once(graph, in);
        Scope scope(graph, "again");
        return add(first, build(graph, in));
    };
    const Twin doubled = [&](const std::vector<Numbers>& in) {
        Numbers y = twin(in);
        for (double& number : y.data) number *= 2;
        return y;
    };
    const std::string wrong = fault_of_pass(inputs, twice, doubled, {});
    return wrong.empty() ? wrong : "built twice: " + wrong;
}

} // namespace headlight::test
