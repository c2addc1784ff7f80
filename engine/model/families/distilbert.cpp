#include "engine/model/families/distilbert.h"

#include "engine/ops/elementwise.h"

namespace headlight {

BertConfig distilbert_config() {
    BertConfig config;
    config.names = {.prefix = "distilbert.",
                    .layers = "transformer.layer",
                    .q = "attention.q_lin",
                    .k = "attention.k_lin",
                    .v = "attention.v_lin",
                    .o = "attention.out_lin",
                    .attention_norm = "sa_layer_norm",
                    .first = "ffn.lin1",
                    .second = "ffn.lin2",
                    .output_norm = "output_layer_norm",
                    .pooler = "pre_classifier",
                    .classifier = "classifier",
                    .transform = "vocab_transform",
                    .transform_norm = "vocab_layer_norm",
                    .bias = "vocab_projector.bias",
                    .decoder = "vocab_projector"};
    config.layers = 6;
    config.types = 0;
    config.pooler_activation = relu; // of the layer before the classifier
    return config;
}

} // namespace headlight
