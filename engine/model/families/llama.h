// Llama: Touvron et al. 2023, and what is built like it (Qwen2, SmolLM2, TinyLlama). A decoder alone,
// pre-norm with RMS norms, rotary positions, grouped keys and values, and a gated feed-forward network.
#pragma once

#include "engine/model/family.h"
#include "engine/ops/activations.h"
#include "engine/ops/rotary.h"

namespace headlight {

struct LlamaConfig {
    Index layers = 32, heads = 32, key_heads = 32, d_model = 4096, d_ff = 11008;
    Index d_k = 128; // need not be d_model / heads
    Index positions = 2048, vocabulary = 32000;
    Activate activation = silu;
    double rms_norm_eps = 1e-6;
    Rotation rotation = {};
    bool biased_qkv = false, biased_o = false, biased_mlp = false;
    bool tied = false;
    std::vector<TokenId> before = {}; // fed in front of a text: {<s>} where the tokenizer says so
    Index words_said = 20;            // at most, unless more are asked for
    std::vector<TokenId> ends = {2};
};

// One stream, "decoder", which is written: "output.logits" [n × T × vocabulary] are of the next word.
std::shared_ptr<const Family> llama(const LlamaConfig& config);

} // namespace headlight
