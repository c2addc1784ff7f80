// Places of a model that people speak of, by their paths.
#pragma once

#include "engine/model/model_map.h"

#include <string>
#include <vector>

namespace headlight {

// "encoder.0.self_attn", "decoder.0.cross_attn", … in order of computation.
std::vector<std::string> attentions_of(const ModelMap& map);
// "encoder.0", "encoder.1", "decoder.0", … in order of computation.
std::vector<std::string> layers_of(const ModelMap& map);

} // namespace headlight
