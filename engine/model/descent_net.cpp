#include "engine/model/descent_net.h"
#include "engine/base/check.h"
#include "engine/ops/leaves.h"
#include "engine/ops/pointwise.h"
#include "engine/ops/products.h"
#include "engine/ops/softmax.h"
#include "engine/tensor/random.h"

#include <algorithm>
#include <cmath>

namespace headlight {

namespace {

constexpr double beyond_use = 1e6; // of a weight, or C: the way has left the bowl

Node* squashed(Node* x, Squashing squashing) {
    switch (squashing) {
    case Squashing::relu:
        return relu(x);
    case Squashing::sigmoid:
        return sigmoid(x);
    case Squashing::tanh:
        break;
    }
    return headlight::tanh(x);
}

// Points at the corners of a square, the kinds across from one another (Minsky & Papert 1969), where one
// layer fails; or on two sides, where it does not.
std::vector<DescentPoint> fresh_points(DescentKind kind) {
    switch (kind) {
    case DescentKind::weight:
        return {{-1, -2.4}, {0.5, 1.3}, {1, 1.6}, {2, 4.3}, {3, 5.8}};
    case DescentKind::line:
        return {{-2, -0.4}, {-1, 0.3}, {0, 0.9}, {1, 2.1}, {2, 2.4}, {3, 3.6}};
    case DescentKind::layer:
        return {{-1.5, 0.4, false},  {-0.9, -0.6, false}, {-0.4, 0.9, false}, {-1.1, 1.5, false},
                {-0.1, -0.2, false}, {0.6, 0.3, true},    {1.4, -0.3, true},  {0.9, -1.2, true},
                {1.7, 0.8, true},    {0.3, -1.6, true}};
    case DescentKind::layers:
        break;
    }
    return {{-1.2, -1.0, false}, {-0.8, -1.4, false}, {-1.5, -0.6, false}, {1.1, 1.2, false},
            {0.7, 0.8, false},   {1.5, 0.9, false},   {-1.1, 1.2, true},   {-0.7, 0.8, true},
            {-1.5, 1.0, true},   {1.2, -1.1, true},   {0.8, -0.7, true},   {0.9, -1.5, true}};
}

} // namespace

Index DescentTask::inputs() const { return is_of_plane(kind) ? 2 : 1; }

Index DescentTask::weights() const {
    switch (kind) {
    case DescentKind::weight:
        return 1;
    case DescentKind::line:
        return 2;
    case DescentKind::layer:
        return 3;
    case DescentKind::layers:
        break;
    }
    return 4 * hidden + 1;
}

std::array<double, 2> DescentTask::goals() const {
    return {kind == DescentKind::layer && squashing == Squashing::tanh ? -1.0 : 0.0, 1.0};
}

double DescentTask::boundary() const { return (goals()[0] + goals()[1]) / 2; }

DescentTask fresh_task(DescentKind kind) {
    DescentTask task;
    task.kind = kind;
    task.squashing = kind == DescentKind::layers ? Squashing::tanh : Squashing::sigmoid;
    task.points = fresh_points(kind);
    return task;
}

std::vector<double> fresh_weights(const DescentTask& task, std::uint64_t seed) {
    if (task.kind == DescentKind::weight) return {-1};
    if (task.kind == DescentKind::line) return {-0.5, -1};
    Random random({seed, std::uint64_t(task.kind)});
    std::vector<double> weights(std::size_t(task.weights()));
    for (double& w : weights) w = double(Real(random.uniform(-1, 1)));
    return weights;
}

double steepest_curvature(const DescentTask& task) {
    HEADLIGHT_CHECK(!is_of_plane(task.kind), "the cost of layers has no one curvature");
    double xx = 0, x = 0;
    for (const DescentPoint& point : task.points) xx += point.x * point.x, x += point.x;
    const double n = double(task.points.size()), a = 2 * xx / n;
    if (task.kind == DescentKind::weight) return a;
    const double b = 2 * x / n, c = 2; // [a b; b c]
    return (a + c) / 2 + std::hypot((a - c) / 2, b);
}

// --- the net --------------------------------------------------------------------------------------------

namespace {

struct DescentNodes {
    std::vector<Node*> weights;
    Node *said = nullptr, *loss = nullptr;
};

// The names of weights, in order, and their letters.
std::vector<std::pair<std::string, std::string>> names_of_weights(DescentKind kind) {
    if (kind == DescentKind::layers) return {{"w_1", "W_1"}, {"b_1", "b_1"}, {"w_2", "W_2"}, {"b_2", "b_2"}};
    if (kind == DescentKind::weight) return {{"w", "w"}};
    return {{"w", "w"}, {"b", "b"}};
}

DescentNodes add_descent(Graph& graph, Parameters& parameters, const DescentTask& task) {
    const Scope scope(graph, "descent");
    DescentNodes nodes;
    const auto weight = [&](const char* called) {
        for (const auto& [known, letter] : names_of_weights(task.kind))
            if (known == called) {
                nodes.weights.push_back(name(called, parameter(graph, parameters, called)));
                nodes.weights.back()->symbol = {letter};
                return nodes.weights.back();
            }
        return static_cast<Node*>(nullptr); // one weight has no bias
    };
    Node* x = name("x", given(graph, parameters, "x"));
    x->axes.rows = axis::positions(*x); // its rows are the points
    x->symbol = {is_of_plane(task.kind) ? "X" : "x"};
    if (task.kind == DescentKind::layers) {
        Node *w_1 = weight("w_1"), *b_1 = weight("b_1");
        Node* z_1 = name("z_1", linear(x, w_1, b_1));
        Node* h = name("hidden", squashed(z_1, task.squashing));
        Node *w_2 = weight("w_2"), *b_2 = weight("b_2");
        Node* z_2 = name("z_2", linear(h, w_2, b_2));
        nodes.said = name("prediction", sigmoid(z_2));
        z_1->symbol = {"Z_1"}, h->symbol = {"H"}, z_2->symbol = {"z_2"};
    } else {
        Node *w = weight("w"), *b = weight("b");
        nodes.said = linear(x, w, b);
        if (task.kind == DescentKind::layer) {
            name("z", nodes.said)->symbol = {"z"};
            nodes.said = squashed(nodes.said, task.squashing);
        }
        name("prediction", nodes.said);
    }
    nodes.said->symbol = {"f"};
    Node* goal = name("goal", given(graph, parameters, "goal"));
    goal->axes.rows = x->axes.rows;
    goal->symbol = {"y"};
    nodes.loss = name("loss", mean_squared_error(nodes.said, goal));
    nodes.loss->symbol = {"C"};
    return nodes;
}

} // namespace

Parameters descent_parameters(const DescentTask& task, std::span<const double> weights) {
    HEADLIGHT_CHECK(!task.points.empty(), "of no points there is no cost");
    HEADLIGHT_CHECK(Index(weights.size()) == task.weights(), "weights are missing");
    const Index n = Index(task.points.size()), inputs = task.inputs(), hidden = task.hidden;
    Parameters parameters;
    parameters.declare_matrix("x", n, inputs);
    parameters.declare_matrix("goal", n, 1);
    if (task.kind == DescentKind::layers) {
        parameters.declare_matrix("w_1", hidden, inputs);
        parameters.declare_vector("b_1", hidden);
        parameters.declare_matrix("w_2", 1, hidden);
        parameters.declare_vector("b_2", 1);
    } else {
        parameters.declare_matrix("w", 1, inputs);
        if (task.kind != DescentKind::weight) parameters.declare_vector("b", 1);
    }
    parameters.allocate();
    Tensor x = parameters.tensor(*parameters.find("x")), goals = parameters.tensor(*parameters.find("goal"));
    for (Index i = 0; i < n; ++i) {
        const DescentPoint& point = task.points[std::size_t(i)];
        x(0, i, 0) = Real(point.x);
        if (inputs == 2) x(0, i, 1) = Real(point.y);
        goals(0, i, 0) = Real(inputs == 2 ? task.goals()[point.is_of_second] : point.y);
    }
    std::size_t next = 0;
    for (const auto& [called, letter] : names_of_weights(task.kind)) {
        Tensor numbers = parameters.tensor(*parameters.find(called));
        for (Index i = 0; i < numbers.size(); ++i) numbers.data()[i] = Real(weights[next++]);
    }
    return parameters;
}

std::unique_ptr<Model> build_descent_model(Parameters& parameters, const DescentTask& task) {
    auto model = std::make_unique<Model>();
    const Scope scope(model->graph, "net", stack_box());
    const DescentNodes nodes = add_descent(model->graph, parameters, task);
    Output& output = model->map.output;
    output.meaning = Output::Meaning::number;
    output.values = nodes.said, output.loss = nodes.loss; // what is wanted is no token
    return model;
}

DescentNet::DescentNet(const DescentTask& task)
    : parameters_(descent_parameters(task, std::vector<double>(std::size_t(task.weights()), 0))) {
    DescentNodes nodes = add_descent(graph_, parameters_, task);
    weights_ = std::move(nodes.weights);
    loss_ = nodes.loss;
}

std::vector<CellRef> DescentNet::places_of_weights() const {
    std::vector<CellRef> places;
    for (const Node* weight : weights_)
        for (Index r = 0; r < weight->value.rows(); ++r)
            for (Index c = 0; c < weight->value.columns(); ++c) places.push_back({weight, {0, r, c}, false});
    return places;
}

std::vector<double> DescentNet::weights() const {
    std::vector<double> numbers;
    for (const CellRef& place : places_of_weights()) numbers.push_back(place.value());
    return numbers;
}

void DescentNet::compute(std::span<const double> weights) {
    std::size_t next = 0;
    for (const Node* weight : weights_) {
        Tensor numbers = parameters_.tensor(*parameters_.find(weight->name));
        HEADLIGHT_CHECK(next + std::size_t(numbers.size()) <= weights.size(), "weights are missing");
        for (Index i = 0; i < numbers.size(); ++i) numbers.data()[i] = Real(weights[next++]);
    }
    graph_.forward();
}

void DescentNet::differentiate() { graph_.backward(loss_); }

bool DescentNet::step(double rate) {
    if (!graph_.differentiated()) differentiate();
    const std::vector<double> before = weights();
    std::vector<double> next;
    for (const CellRef& place : places_of_weights()) {
        const CellRef slope{place.node, place.cell, true};
        next.push_back(double(Real(place.value() - rate * slope.value())));
    }
    compute(next);
    const auto is_of_use = [](double number) { return std::abs(number) < beyond_use; }; // NaN is not
    if (is_of_use(cost()) && std::ranges::all_of(next, is_of_use)) {
        differentiate();
        return true;
    }
    compute(before);
    differentiate();
    return false;
}

namespace {

// σ′ at a number that σ has made of another.
double slope_of(Squashing squashing, double before, double after) {
    switch (squashing) {
    case Squashing::relu:
        return before > 0 ? 1 : 0;
    case Squashing::sigmoid:
        return after * (1 - after);
    case Squashing::tanh:
        break;
    }
    return 1 - after * after;
}

std::string derivative(const std::string& of, const std::string& by) {
    return "\\frac{\\partial " + of + "}{\\partial " + by + "}";
}

} // namespace

std::vector<DescentLink> links_to(std::size_t weight, Index point, const DescentNet& net,
                                  const DescentTask& task) {
    const Graph& graph = net.graph();
    const auto number = [&](const char* value, Index column = 0) {
        return double(graph.find(std::string("descent.") + value)->value(0, point, column));
    };
    const CellRef said{graph.find("descent.prediction"), {0, point, 0}, true};
    std::vector<DescentLink> links = {{derivative("C", "f"), said.value()}};
    const auto add = [&](const std::string& of, const std::string& by, double what) {
        links.push_back({derivative(of, by), what});
    };
    if (task.kind != DescentKind::layers) {
        std::string before = "f";
        if (task.kind == DescentKind::layer) {
            add("f", "z", slope_of(task.squashing, number("z"), number("prediction")));
            before = "z";
        }
        const Index inputs = task.inputs();
        const bool is_bias = Index(weight) == inputs;
        const std::string letter = is_bias ? "b" : inputs == 1 ? "w" : "w_" + std::to_string(weight + 1);
        add(before, letter, is_bias ? 1 : number("x", Index(weight)));
        return links;
    }
    const Index hidden = task.hidden, which = Index(weight);
    const auto of_unit = [](const char* letter, Index unit, const std::string& above = {}) {
        return std::string(letter) + above + "_{" + std::to_string(unit + 1) + "}";
    };
    add("f", "z^{(2)}", slope_of(Squashing::sigmoid, number("z_2"), number("prediction")));
    if (which >= 3 * hidden) {
        const Index unit = which - 3 * hidden;
        if (unit == hidden)
            add("z^{(2)}", "b^{(2)}", 1);
        else
            add("z^{(2)}", of_unit("w", unit, "^{(2)}"), number("hidden", unit));
        return links;
    }
    const Index unit = which < 2 * hidden ? which / 2 : which - 2 * hidden;
    const std::string h = of_unit("h", unit), z = of_unit("z", unit, "^{(1)}");
    add("z^{(2)}", h, double(graph.find("descent.w_2")->value(0, 0, unit)));
    add(h, z, slope_of(task.squashing, number("z_1", unit), number("hidden", unit)));
    if (which < 2 * hidden)
        add(z, "w^{(1)}_{" + std::to_string(unit + 1) + std::to_string(which % 2 + 1) + "}",
            number("x", which % 2));
    else
        add(z, of_unit("b", unit, "^{(1)}"), 1);
    return links;
}

} // namespace headlight
