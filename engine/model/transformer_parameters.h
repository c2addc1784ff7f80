// Which weights an encoder-decoder Transformer has: names, shapes and order of a PyTorch module with
// `source_embedding`, `target_embedding`, `transformer = torch.nn.Transformer(…)` and `generator`.
#pragma once

#include "engine/model/config.h"
#include "engine/model/parameters.h"

namespace headlight {

// Every parameter of the model, allocated, all zeros. The sizes of the config must be positive, the layers
// not negative, and d_model a multiple of num_heads; check_config (engine/io/model_folder.h) says so of a
// config that comes from outside.
Parameters declare_parameters(const ModelConfig& config);

} // namespace headlight
