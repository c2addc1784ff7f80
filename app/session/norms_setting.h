// What a person sets of the page of norms.
#pragma once

#include "engine/tensor/real.h"

#include <string>
#include <string_view>

namespace headlight {

// The batch without the longer sentence, with it, and what that changed.
enum class NormsShown { without, with, change };
constexpr std::string_view norms_shown_names[] = {"without", "with", "change"};

struct NormsSetting {
    NormsShown shown = NormsShown::without;
    std::string longer; // the sentence that comes into the batch; empty: one that is longer than the others
    Index feature = 0;  // the first that is shown
    bool operator==(const NormsSetting&) const = default;
};

} // namespace headlight
