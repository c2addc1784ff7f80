// GPT-2: Radford et al. 2019, “Language Models are Unsupervised Multitask Learners”. A decoder alone,
// pre-norm, with learned positions; its output matrix is its embedding.
#pragma once

#include "engine/model/family.h"
#include "engine/ops/activations.h"

namespace headlight {

// Defaults are those of the smallest published model.
struct Gpt2Config {
    Index layers = 12, heads = 12, d_model = 768, d_ff = 0; // d_ff 0: 4 · d_model
    Index positions = 1024, vocabulary = 50257;
    Activate activation = gelu_tanh;
    double layer_norm_eps = 1e-5;
    bool scales_scores = true;        // by 1/√d_k
    bool scales_by_layer = false;     // and by 1/(layer + 1), layers counted from 0
    bool tied = true;                 // the output matrix is the embedding
    std::vector<TokenId> before = {}; // fed in front of a text
    Index words_said = 20;            // at most, unless more are asked for
    std::vector<TokenId> ends = {50256};

    Index width_of_feed_forward() const { return d_ff > 0 ? d_ff : 4 * d_model; }
};

// One stream, "decoder", which is written: "output.logits" [n × T × vocabulary] are of the next word.
std::shared_ptr<const Family> gpt2(const Gpt2Config& config);

} // namespace headlight
