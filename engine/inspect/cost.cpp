#include "engine/inspect/cost.h"

#include "engine/base/stopwatch.h"
#include "engine/model/attention.h"
#include "engine/model/feed_forward.h"
#include "engine/ops/cross_entropy.h"
#include "engine/ops/leaves.h"
#include "engine/tensor/random.h"

#include <algorithm>
#include <cmath>

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

} // namespace headlight
