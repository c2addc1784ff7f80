// Which weights a Transformer has: names, shapes and order of a PyTorch module with `source_embedding`,
// `target_embedding`, `transformer = torch.nn.Transformer(…)` and `generator`. Of one stack alone: with
// `encoder` or `decoder = torch.nn.TransformerEncoder(…)` instead, one embedding, and `classifier` for
// classes. With batch norm `norm1` and the others are torch.nn.BatchNorm1d(d_model) instead of LayerNorm:
// they have running_mean and running_var too. Tied embeddings are there once, under the name that comes
// first: neither generator.weight nor, beside source_embedding.weight, target_embedding.weight.
#pragma once

#include "engine/model/config.h"
#include "engine/model/parameters.h"

namespace headlight {

// Every parameter of the model, declared and not yet allocated: names and shapes cost nothing. The sizes of
// the config must be positive and d_model a multiple of num_heads; check_config (engine/io/config_json.h)
// says so of a config that comes from outside.
Parameters list_parameters(const ModelConfig& config);
// The same, allocated: all zeros.
Parameters declare_parameters(const ModelConfig& config);

} // namespace headlight
