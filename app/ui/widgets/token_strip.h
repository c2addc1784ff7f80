#pragma once

#include "app/look/colour.h"
#include "app/ui/base/widget_registry.h"

#include <cstddef>
#include <imgui.h>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

// A sentence as the model reads it: one chip a token, its id below.

struct TokenChip {
    std::string text{};
    int id = 0;                        // −1: not to be seen
    bool unknown = false;              // not in the vocabulary: dotted underline in the warning colour
    bool special = false;              // <s>, </s>, <pad>: quieter
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

// Tokens of one word, joined along an axis by a thin line.

// `words`: for each place along the axis the word that it is a part of, −1 for none. `edge(i)`: where place i
// begins on the screen; the line stands at `across` on the other axis.
template <class Edge>
void draw_word_brackets(ImDrawList& list, std::span<const int> words, Edge edge, float across,
                        bool is_vertical, Colour colour, float thickness) {
    for (std::size_t first = 0; first < words.size();) {
        std::size_t end = first + 1;
        while (end < words.size() && words[end] == words[first]) ++end;
        if (words[first] >= 0 && end > first + 1) {
            const float inset = (edge(first + 1) - edge(first)) * 0.18f;
            const float from = edge(first) + inset, to = edge(end) - inset;
            if (is_vertical)
                list.AddLine({across, from}, {across, to}, colour, thickness);
            else
                list.AddLine({from, across}, {to, across}, colour, thickness);
        }
        first = end;
    }
}

} // namespace headlight
