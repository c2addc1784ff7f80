// The changes: a list in which each can be turned off alone, what they do to the output and the loss, and
// what else one may change.
#pragma once

#include "app/ui/panels/panel.h"

#include <optional>
#include <string>

namespace headlight {

// What the panel keeps between frames.
struct ChangesView {
    bool everywhere = true;               // operations are taken out of all layers, or of the present one
    bool all_words = false;               // of the output, not only the few whose probability tells most
    std::string typed;                    // into the field of the held number
    std::optional<Selection> typed_for;   // whose number was typed
    double drag_from = 0, drag_scale = 0; // of the number that is being dragged
    std::string second;                   // into the field of the second sentence
    std::optional<std::string> second_was;
};

void changes_panel(const ScreenRect& rect, const Session& session, ChangesView& view, CommandSink& commands);

} // namespace headlight
