// How far the answer on the screen can be trusted, by what the model's folder knows of answers like it: confidence.json,
//
//   {"right": "chrF >= 0.75", "bias": …, "of_mean": …, "of_least": …,
//    "reliability": [{"predicted": 0.94, "right": 61, "answers": 64}, …]}
//
// as `headlight evaluate --confidence` has written it. `reliability` is of other held-out sentences than those that it
// was learnt from.
#pragma once

#include "engine/base/result.h"
#include "engine/decode/confidence.h"

#include <filesystem>
#include <optional>
#include <span>

namespace headlight {

class Experiment;

constexpr const char* confidence_name = "confidence.json";
constexpr double right_from = 0.75; // chrF (of words) from which an answer counts as right

// None: there is no such file, or it is none.
std::optional<Confidence> read_confidence(const std::filesystem::path& model);
Result<Done> write_confidence(const std::filesystem::path& model, const Confidence& confidence,
                              std::span<const ReliabilityBin> reliability);

// How probably the answer is right. None: nothing is known of this model's answers, or what is fed is not its own answer.
std::optional<double> answer_trust(const Experiment& experiment);
constexpr double guess_below = 0.5; // more of such answers are wrong than right

} // namespace headlight
