// A sentence as the model reads it: one chip a token, its id below.
#pragma once

#include "app/ui/base/screen_rect.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

struct TokenChip {
    std::string text{};
    int id = 0;           // −1: not to be seen
    bool unknown = false; // not in the vocabulary: dotted underline in the warning colour
    bool special = false; // <s>, </s>, <pad>: quieter
    std::vector<std::string> offers{}; // for its place: they stand below it, instead of the id
};

struct TokenStripView {
    std::string_view name{}; // each chip is "name.index" in the registry
    std::span<const TokenChip> tokens{};
    std::optional<int> selected{};
    std::span<const float> weights{}; // 0…1 for each token, shown as the colour of its chip; or none
    bool show_ids = true;
    bool wrap = true;                   // else one line that scrolls
    std::string_view unknown_tooltip{}; // what an unknown token means
    std::string_view offer_name{};      // an offer is "offer_name.WORD" in the registry
};

struct TokenStripResult {
    std::optional<int> hovered{}, clicked{};
    std::optional<int> mended{}; // the token in whose place this offer was put
    std::string offer{};
    float height = 0;
};

// Of all chips in one line.
float token_strip_width(const TokenStripView& view);
// As an item of the current window, as wide as what is left of the line.
TokenStripResult token_strip(const TokenStripView& view);

} // namespace headlight
