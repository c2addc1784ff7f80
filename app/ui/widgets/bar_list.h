// Numbers as bars under one another: the probabilities of words. Where one is negative, to both sides of
// zero.
#pragma once

#include "app/look/colour.h"
#include "app/ui/base/screen_rect.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace headlight {

struct Bar {
    std::string label{};
    float value = 0;
    std::optional<float> reference{}; // what it is compared with (a target, a baseline): a mark on the track
};

struct BarListView {
    std::string_view name{}; // each row is "name.index" in the registry
    std::span<const Bar> bars{};
    std::optional<int> chosen{}; // drawn in full strength, its label in bold
    float full = 1;              // the value of a bar that fills the track
    int decimals = 3;
    std::optional<Colour> colour{}; // the theme's for probabilities otherwise
    float width = 0;                // 0: what is left of the line
    float label_width = 0;          // 0: as wide as the widest label, up to 40 % of the width
};

struct BarListResult {
    std::optional<int> hovered{}, clicked{};
};

// As an item of the current window.
BarListResult bar_list(const BarListView& view);
float bar_list_height(int bars);

} // namespace headlight
