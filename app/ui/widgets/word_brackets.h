// Tokens of one word, joined along an axis by a thin line.
#pragma once

#include "app/look/colour.h"

#include <imgui.h>

#include <cstddef>
#include <span>

namespace headlight {

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
