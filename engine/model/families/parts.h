// What the families have in common beside the modules of our own models.
#pragma once

#include "engine/model/attention.h"
#include "engine/model/family.h"
#include "engine/model/stack.h"

namespace headlight {

constexpr TokenId no_padding = -1; // no token has this id: nothing is hidden

// --- weights -----------------------------------------------------------------------------------------------
void declare_linear_layer(Parameters& parameters, const std::string& name, Index out, Index in,
                          bool has_bias = true);
void declare_layer_norm(Parameters& parameters, const std::string& name, Index d_model);

// --- building ----------------------------------------------------------------------------------------------
struct Construction {
    std::unique_ptr<Model> model = std::make_unique<Model>();
    ModelConfig config;
    Builder build;
    LayerContext context{build, config, 0};

    Construction(const Family& family, Parameters& parameters, const TransformerOptions& options)
        : config(family.shared_config()), build{model->graph, model->map, parameters, options.gradients} {}
    Construction(const Construction&) = delete; // the context refers to its neighbours
    Construction& operator=(const Construction&) = delete;

    // A layer of a stack whose output is known as "decoder.0.output" too.
    Node* add_layer(Node* x, Index number, const Stream& stream, const std::function<Node*(Node*)>& make);
    Node* attend(Node* x, Node* keys_from, Node* mask, const std::string& scope, const AttentionShape& shape,
                 const std::function<AttentionWeights()>& weights);
};

// A decoder that reads nothing but its own words: GPT-2, Llama. Weights by name.
struct DecoderAlone {
    Stream stream;
    std::string table, positions, norm, output; // no positions: ""
};
// x, its number in the stack, and the mask of what lies ahead → what it makes of x.
using MakeLayer = std::function<Node*(Node*, Index, Node*)>;
std::unique_ptr<Model> decoder_alone(Construction& made, const DecoderAlone& parts,
                                     const TransformerOptions& options, const MakeLayer& make);

} // namespace headlight
