#include "engine/model/families/parts.h"

#include "engine/ops/argmax.h"
#include "engine/ops/cross_entropy.h"
#include "engine/ops/leaves.h"
#include "engine/ops/products.h"
#include "engine/ops/softmax.h"

namespace headlight {

void declare_linear_layer(Parameters& parameters, const std::string& name, Index out, Index in,
                          bool has_bias) {
    parameters.declare_matrix(name + ".weight", out, in);
    if (has_bias) parameters.declare_vector(name + ".bias", out);
}

void declare_layer_norm(Parameters& parameters, const std::string& name, Index d_model) {
    parameters.declare_vector(name + ".weight", d_model); // γ
    parameters.declare_vector(name + ".bias", d_model);   // β
}

Stream& Construction::begin(const std::string& stack, Stream stream) {
    Scope scope(build.graph, stack, stack_box());
    return begin_stream(build, std::move(stream));
}

Node* Construction::goal(const std::string& stack, const TransformerOptions& options) {
    if (!options.loss) return nullptr;
    Scope scope(build.graph, stack, stack_box());
    return build.value("goal", tokens(build.graph), {.symbol = {"y"}});
}

Node* Construction::add_layer(Node* x, Index number, const Stream& stream,
                              const std::function<Node*(Node*)>& make) {
    return layer(x, number, stream, build, [&](Node* in) {
        Node* y = make(in);
        build.graph.alias("output", y);
        return y;
    });
}

Node* Construction::attend(Node* x, Node* keys_from, Node* mask, const std::string& name,
                           const AttentionShape& shape, const std::function<AttentionWeights()>& weights) {
    Scope scope(build.graph, name, {.family = "attn"});
    return multi_head_attention(x, keys_from, mask, build, shape, weights());
}

void say_class_of(Node* x, Builder& build, const std::string& name, std::vector<std::string> labels,
                  Node* goal, const TransformerOptions& options) {
    Node* w = build.weight("w", name + ".weight", {.symbol = {"W"}}, {axis::classes, axis::features});
    Node* b = build.weight("b", name + ".bias", {.symbol = {"b"}}, {axis::single, axis::classes});
    Output& output = build.map.output;
    output.meaning = Output::Meaning::classes;
    output.labels = std::move(labels);
    output.goal = goal;
    output.values = build.value("logits", linear(x, w, b), {.symbol = {"Z"}, .inputs = {"x"}});
    if (options.probabilities) {
        output.probabilities =
            build.value("probabilities", softmax(output.values), {.symbol = {"p"}, .by_cells = true});
        output.chosen = build.value("chosen", argmax(output.probabilities), {.symbol = {"\\hat{y}"}});
    }
    if (goal)
        output.loss =
            build.value("loss", cross_entropy(output.values, goal, no_padding, options.label_smoothing),
                        {.symbol = {"L"}});
}

} // namespace headlight
