// Models of recurrent networks: what there was before Transformers, for the race against them.
#pragma once

#include "engine/model/transformer.h"

namespace headlight {

// Architecture::rnn, lstm and gru: one stream, "rnn", fed `<s> tokens`; its next words are said from the last
// layer's h, "output.logits" [n × T × target vocabulary]. Weights: target_embedding.weight, those of a module
// `rnn` = torch.nn.RNN, LSTM or GRU, generator.
// rnn_fixed and rnn_attention: "encoder" reads `tokens </s>`, and the state that it ends with,
// "encoder.final" [n × 1 × d_model] (however much padding follows), is where "decoder" begins. With attention
// the decoder's steps read [word; context], the context by additive attention to all that was read,
// "decoder.0.additive_attn" (of one layer). Weights: source_embedding, target_embedding, `encoder` and
// `decoder` = torch.nn.GRU, `attention`, generator. H = d_model, the width of embeddings.
std::unique_ptr<Model> build_recurrent_model(const ModelConfig& config, Parameters& parameters,
                                             const TransformerOptions& options);

// Declared and not yet allocated.
Parameters list_recurrent_parameters(const ModelConfig& config);

} // namespace headlight
