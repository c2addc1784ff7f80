#include "engine/inspect/cost.h"
#include "engine/base/stopwatch.h"
#include "engine/model/layers.h"
#include "engine/ops/leaves.h"
#include "engine/ops/pointwise.h"
#include "engine/ops/products.h"
#include "engine/ops/softmax.h"
#include "engine/tensor/random.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace headlight {

namespace {

constexpr Index wider = 4; // d_ff / d_model, as in the paper

RecurrentKind kind_of_part(CostPart part) {
    return part == CostPart::rnn    ? RecurrentKind::rnn
           : part == CostPart::lstm ? RecurrentKind::lstm
                                    : RecurrentKind::gru;
}

void declare_weights(Parameters& p, CostPart part, Index d) {
    const auto linear = [&](const std::string& name, Index out, Index in) {
        p.declare_matrix(name + ".weight", out, in);
        p.declare_vector(name + ".bias", out);
    };
    switch (part) {
    case CostPart::attention:
        p.declare_matrix("attn.in_proj_weight", 3 * d, d);
        p.declare_vector("attn.in_proj_bias", 3 * d);
        return linear("attn.out_proj", d, d);
    case CostPart::feed_forward:
        linear("ffn.linear1", wider * d, d);
        return linear("ffn.linear2", d, wider * d);
    default:
        return declare_recurrent_layer(p, "rnn", 0, kind_of_part(part), d, d);
    }
}

Index heads_of(Index d_model) {
    Index heads = 8;
    while (d_model % heads != 0) heads /= 2;
    return heads;
}

Node* build_part(Node* x, Builder& build, CostPart part, Index d) {
    switch (part) {
    case CostPart::attention:
        return multi_head_attention(x, x, nullptr, build, {heads_of(d), heads_of(d), d / heads_of(d)},
                                    torch_attention_weights(build, "attn", d));
    case CostPart::feed_forward:
        return feed_forward(x, build, "ffn", Activation::relu);
    default:
        return recurrent_layer(x, build, {.kind = kind_of_part(part), .hidden = d});
    }
}

// Of a single run of a large one, whatever else the machine did would be all that is told.
constexpr int least_runs = 5;

// The least of what several runs take; of no use once `give_up` is raised.
template <class Run>
double least_seconds(double seconds, const std::atomic<bool>& give_up, Run run) {
    if (give_up) return 0;
    run(); // memory is allocated, caches are filled
    const Stopwatch all;
    double least = 0;
    for (int runs = 1; !give_up; ++runs) {
        const Stopwatch one;
        run();
        const double took = one.seconds();
        least = least == 0 ? took : std::min(least, took);
        if ((runs >= least_runs || seconds <= 0) && all.seconds() >= seconds) break;
    }
    return least;
}

} // namespace

CostPoint measure_cost(CostPart part, Index length, Index d_model, double seconds) {
    const std::atomic<bool> never = false;
    return *measure_cost(part, length, d_model, seconds, never);
}

std::optional<CostPoint> measure_cost(CostPart part, Index length, Index d_model, double seconds,
                                      const std::atomic<bool>& give_up) {
    Parameters parameters;
    parameters.declare_matrix("x", length, d_model);
    declare_weights(parameters, part, d_model);
    parameters.allocate();
    Random random(1);
    const double bound = 1 / std::sqrt(double(d_model));
    for (Index i = 0; i < parameters.count(); ++i) parameters.data()[i] = Real(random.uniform(-bound, bound));

    Model model;
    Builder build{model.graph, model.map, parameters};
    Node* x = build.weight("x", "x");
    Node* y = build_part(x, build, part, d_model);
    Node* goal = tokens(model.graph);
    Node* loss = cross_entropy(y, goal, -1, 0); // for there to be a gradient
    feed(goal, std::vector<std::int32_t>(std::size_t(length), 0), 1, length);

    CostPoint point{part, length, d_model};
    const Index end = y->index + 1;
    point.forward_seconds = least_seconds(seconds / 2, give_up, [&] { model.graph.forward(0, end); });
    point.multiplications = model.graph.multiplications(0, end);
    for (const Node& node : model.graph.nodes())
        if (node.index < end && !node.is_view())
            point.bytes += (node.value.size() + node.saved.size()) * Index(sizeof(Real));
    point.training_seconds = least_seconds(seconds / 2, give_up, [&] {
        const Stopwatch
            forward; // these are forward passes too: the least of all is never more than the whole
        model.graph.forward(0, end);
        point.forward_seconds = std::min(point.forward_seconds, forward.seconds());
        model.graph.forward(end);
        model.graph.backward(loss);
    });
    if (give_up) return {};
    return point;
}

std::unique_ptr<LayerCounts> build_layer_counts(const LayerSize& size) {
    auto counts = std::make_unique<LayerCounts>();
    counts->size = size;
    Graph& graph = counts->graph;
    Parameters& parameters = counts->parameters;
    parameters.declare_matrix("length", 1, 1);
    parameters.declare_matrix("width", 1, 1);
    parameters.allocate();
    parameters.tensor (*parameters.find("length"))(0, 0, 0) = Real(size.length);
    parameters.tensor (*parameters.find("width"))(0, 0, 0) = Real(size.d_model);

    const Scope scope(graph, "costs");
    const auto called = [](const char* path, const char* letter, Node* node) {
        name(path, node)->symbol = {letter};
        return node;
    };
    const auto times = [](Node* x, int factor) {
        const std::string number = std::to_string(factor);
        return multiply(x, {double(factor), number, number});
    };
    Node* n = called("length", "N", given(graph, parameters, "length"));
    Node* d = called("width", "d", given(graph, parameters, "width"));
    Node* square = called("square", "d^2", matmul(d, d));
    Node* projection = called("projection", "N d^2", matmul(n, square));
    Node* pairs = called("pairs", "N^2", matmul(n, n));
    Node* products = called("products", "N^2 d", matmul(pairs, d));
    Node* projections = called("projections", "P", times(projection, 4)); // Q, K, V and the output
    Node* mixing = called("mixing", "M", times(products, 2));             // scores, and blends of values
    called("attention", "A", add(projections, mixing));
    called("feed_forward", "F", times(projection, 8)); // d → 4d → d
    called("rnn", "R", times(projection, 2));          // of what comes and of what was
    called("lstm", "L", times(projection, 8));         // the same for four gates
    called("gru", "G", times(projection, 6));          // for three
    graph.forward();
    return counts;
}

namespace {

double bytes_of(const Tensor& tensor) { return double(tensor.size()) * double(sizeof(Real)); }

// Of a table only the rows that are asked for.
double bytes_read(const Node& node, std::size_t input) {
    const double all = bytes_of(node.input(input).value);
    return node.is(ValueKind::lookup) ? std::min(all, bytes_of(node.value)) : all;
}

// A product is computed again for each of its two factors that learns.
double products_backward(const Node& node) {
    double factors = 0;
    for (std::size_t i = 0; i < std::min<std::size_t>(2, node.inputs.size()); ++i)
        factors += node.input(i).needs_grad ? 1 : 0;
    return factors;
}

} // namespace

PassWork forward_work(const Node& node) {
    PassWork work;
    if (node.is_view()) return work;
    const double multiplications = double(node.op->multiplications(node));
    work.floating_point_operations = multiplications > 0 ? 2 * multiplications : double(node.value.size());
    work.bytes = bytes_of(node.value) + bytes_of(node.saved);
    for (std::size_t i = 0; i < node.inputs.size(); ++i) work.bytes += bytes_read(node, i);
    return work;
}

PassWork backward_work(const Node& node) {
    PassWork work;
    if (node.is_view() || !node.graph->has_gradient(node)) return work;
    work.bytes = bytes_of(node.grad) + bytes_of(node.saved);
    double cells = 0;
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
        if (!node.input(i).needs_grad) continue;
        const double numbers = bytes_read(node, i);
        work.bytes += 2 * numbers; // the value, and its gradient
        cells += numbers / double(sizeof(Real));
    }
    const double multiplications = double(node.op->multiplications(node));
    work.floating_point_operations =
        multiplications > 0 ? 2 * multiplications * products_backward(node) : cells;
    return work;
}

void OperationCosts::add(const Graph& graph, const NodeTimes& times) {
    const auto add_to = [](PassWork& sum, const PassWork& part, double seconds) {
        sum.seconds += seconds;
        sum.floating_point_operations += part.floating_point_operations;
        sum.bytes += part.bytes;
    };
    for (const Node& node : graph.nodes()) {
        if (node.is_view() || node.value.empty()) continue;
        auto found = std::find_if(costs_.begin(), costs_.end(), [&](const OperationCost& cost) {
            return cost.operation == node.op->name();
        });
        if (found == costs_.end()) {
            OperationCost cost;
            cost.operation = node.op->name();
            found = costs_.insert(costs_.end(), cost);
        }
        ++found->nodes;
        add_to(found->forward, forward_work(node), times.forward[std::size_t(node.index)]);
        add_to(found->backward, backward_work(node), times.backward[std::size_t(node.index)]);
    }
}

std::vector<OperationCost> OperationCosts::dearest_first() const {
    std::vector<OperationCost> sorted = costs_;
    std::stable_sort(sorted.begin(), sorted.end(), [](const OperationCost& a, const OperationCost& b) {
        return a.seconds() > b.seconds();
    });
    return sorted;
}

} // namespace headlight
