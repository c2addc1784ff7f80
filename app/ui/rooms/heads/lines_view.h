// One map of attention as lines between two columns of words: the thicker, the more attention.
#pragma once

#include "app/ui/values/panel.h"

#include <optional>
#include <span>
#include <string>

namespace headlight {

struct LinesView {
    const char* name = "";           // in the registry: words are "name.query.3", "name.key.0"
    std::span<const Real> weights{}; // [queries × keys]
    std::span<const std::string> queries{}, keys{};
    std::string query_title{}, key_title{};
    bool transposed = false; // keys at the left
    std::optional<HeldWord> held{};
};

// The word that was pressed in this frame. Only the lines of the word under the pointer, or of the held one,
// are drawn, and the other column is tinted by them; else all.
std::optional<HeldWord> lines_view(const LinesView& view, const ScreenRect& rect);

} // namespace headlight
