// The whole model of Figure 1 a second time, as plain loops in double, for one sentence: what the values of
// the engine's graph must be, by their names in a trace.
#pragma once

#include "engine/model/config.h"
#include "engine/model/parameters.h"
#include "tests/support/naive.h"

#include <functional>
#include <map>
#include <string>

namespace headlight::test::naive {

using Values = std::map<std::string, Numbers>; // by path, weights too ("encoder.0.self_attn.w_q")

// What is made of a value just computed, by whoever wants the model otherwise; `so_far` are the values
// before.
using Hand = std::function<Numbers(const std::string& path, Numbers computed, const Values& so_far)>;

// `source` as fed (`tokens </s>`), `target` as fed (`<s> tokens`).
Values transformer(const ModelConfig& config, const Parameters& parameters, const Ids& source,
                   const Ids& target, const Hand& hand = {});

} // namespace headlight::test::naive
