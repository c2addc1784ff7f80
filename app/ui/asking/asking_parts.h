// What the asking panel is put together from, one under another.
#pragma once

#include "app/ui/values/panel.h"

#include <optional>
#include <string_view>

namespace headlight {

struct AskingContext {
    const Session& session;
    CommandSink& commands;
    PanelColumn column;
    std::optional<NamedCell> hinted{}; // the cell that the pointer is on, wherever in the panel
    bool is_low = false;               // large type in little height: the terms come before all choices
};

// The cell's name, place and value; with the way to let go of it while it is held.
void asked_heading(AskingContext& context, const NamedCell& asked);
// The cells that were held before, as links; nothing without a trail.
void trail_view(AskingContext& context);
// How the cell was made: formula, terms, sum, remark.
void arithmetic_view(AskingContext& context, const NamedCell& asked);
// What reads the cell: values and their cells.
void touched_view(AskingContext& context, const NamedCell& asked);
// Statistics of a part of a matrix, and its copying.
void part_view(AskingContext& context, const std::optional<NamedCell>& pointed);

// --- what they share ----------------------------------------------------------------------------------

// A caption that names what follows.
void section_caption(AskingContext& context, std::string_view text);

} // namespace headlight
