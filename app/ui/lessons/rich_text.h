// Text of a lesson: words that wrap, formulas and code among them, links that can be pointed at and pressed.
#pragma once

#include "app/lessons/lesson.h"
#include "app/ui/values/panel.h"

#include <optional>
#include <string>
#include <vector>

namespace headlight {

// From its upper edge to its lower one.
struct LineSpan {
    float top = 0, bottom = 0;
};

// What of a link is under the pointer: the cell, or the first cell of the value. And what was laid out that
// an edge of the place must not cut: lines, and what stands together like one.
struct RichTextEvents {
    std::optional<NamedCell> pointed;
    std::vector<LineSpan> lines;
};

inline void keep_whole(RichTextEvents& events, float top, float bottom) {
    events.lines.push_back({top, bottom});
}

// Fills the column from where it is. `name`: of the links in the registry, "name.0", "name.1", …
void rich_text(PanelColumn& column, const LessonText& text, const Face& face, Colour colour,
               const std::string& name, const Session& session, CommandSink& commands,
               RichTextEvents& events);
void rich_blocks(PanelColumn& column, const std::vector<LessonBlock>& blocks, const Face& face, Colour colour,
                 const std::string& name, const Session& session, CommandSink& commands,
                 RichTextEvents& events);
// One block that is not a prediction.
void rich_block(PanelColumn& column, const LessonBlock& block, const Face& face, Colour colour,
                const std::string& name, const Session& session, CommandSink& commands,
                RichTextEvents& events);

} // namespace headlight
