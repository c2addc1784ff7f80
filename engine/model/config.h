// Sizes and choices of an encoder-decoder Transformer; defaults are those of Vaswani et al. 2017, §3.
#pragma once

#include "engine/tensor/real.h"

#include <cstdint>

namespace headlight {

using TokenId = std::int32_t;

enum class Activation { relu, gelu };
enum class NormPosition { post, pre }; // LayerNorm(x + f(x)), or x + f(LayerNorm(x))
enum class PositionalEncoding { sinusoidal, learned, none };

struct ModelConfig {
    Index d_model = 64;
    Index num_heads = 4;
    Index encoder_layers = 2;
    Index decoder_layers = 2;
    Index d_ff = 256;
    Activation activation = Activation::relu;
    NormPosition norm_position = NormPosition::post;
    bool final_norm = false; // a layer norm after the last layer of each stack
    double layer_norm_eps = 1e-5;
    PositionalEncoding positional_encoding = PositionalEncoding::sinusoidal;
    bool scale_embeddings = true; // × √d_model, §3.4
    double dropout = 0.1;
    Index max_length = 64; // positions of a sequence, </s> included
    Index source_vocab_size = 0;
    Index target_vocab_size = 0;
    TokenId pad_id = 0, bos_id = 1, eos_id = 2, unk_id = 3;

    Index d_k() const { return d_model / num_heads; } // width of a head, §3.2.2
    bool operator==(const ModelConfig&) const = default;
};

} // namespace headlight
