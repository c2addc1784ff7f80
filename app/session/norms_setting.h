// What a person sets of the page of norms.
#pragma once

#include "engine/tensor/real.h"

#include <string>
#include <string_view>

namespace headlight {

// The batch without the longer sentence, with it, and what that changed.
enum class NormsShown { without, with, change };
constexpr std::string_view norms_shown_names[] = {"without", "with", "change"};

// Both norms of the same vectors, or two models trained with one and with the other.
enum class NormsWhat { vectors, trained };
constexpr std::string_view norms_what_names[] = {"vectors", "trained"};
constexpr std::string_view norms_task_names[] = {"copy", "reverse", "recall"};

struct NormsSetting {
    NormsWhat page = NormsWhat::vectors;
    NormsShown shown = NormsShown::without;
    std::string longer; // the sentence that comes into the batch; empty: one that is longer than the others
    Index feature = 0;  // the first that is shown
    std::string task = "reverse"; // of those that are trained, one of norms_task_names
    Index steps = 800;
    Index held_out = 0; // which sentence is looked at afterwards
    bool operator==(const NormsSetting&) const = default;
};

} // namespace headlight
