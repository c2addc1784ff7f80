#include "engine/model/families/families.h"

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

std::unique_ptr<Model> decoder_alone(Construction& made, const DecoderAlone& parts,
                                     const TransformerOptions& options, const MakeLayer& make) {
    Stream& stream = begin_stream(made.build, "decoder", parts.stream);
    Node* goal = options.loss ? goal_tokens(made.build, "decoder") : nullptr;
    const auto decoder = [&] {
        Scope scope(made.build.graph, "decoder", stack_box());
        Node* x = embed(stream, made.context, parts.table, parts.positions);
        Node* ahead = mask("self_mask", stream, stream, true, no_padding, made.build);
        for (Index i = 0; i < made.config.decoder_layers; ++i)
            x = made.add_layer(x, i, stream, [&](Node* in) { return make(in, i, ahead); });
        return end_stream(x, stream, made.context, parts.norm);
    };
    say_words(decoder(), stream, made.build, parts.output, "",
              {options.probabilities, goal, no_padding, options.label_smoothing});
    return std::move(made.model);
}

} // namespace headlight
