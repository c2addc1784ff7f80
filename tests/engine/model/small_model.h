// A Transformer small enough to check every number of it.
#pragma once

#include "engine/model/transformer.h"
#include "engine/train/trainer.h"

#include <string>
#include <vector>

namespace headlight::test {

ModelConfig small_config();

// Every combination of the choices that a config offers: 48 of them; and two with batch norm.
std::vector<ModelConfig> all_configs();
// Of one stack alone: a word for each word, a class, the next word; some choices of each.
std::vector<ModelConfig> one_stack_configs();
// RNN, LSTM and GRU of two layers, two GRUs with a vector between them, and with attention.
std::vector<ModelConfig> recurrent_configs();
std::string description(const ModelConfig& config); // "pre, final_norm, gelu, learned, scaled"

// Weights from a seed; biases, γ and β drawn too, so that none of them is idle.
Parameters random_parameters(const ModelConfig& config, std::uint64_t seed);

// Two pairs of different lengths, so that there is padding on both sides; of words for words, as many on
// both.
Batch padded_batch(const ModelConfig& config);
// One pair, its tokens drawn from a seed; no padding.
Batch one_pair(const ModelConfig& config, Index source_length, Index target_length, std::uint64_t seed);

} // namespace headlight::test
