#pragma once

#include "app/lessons/lesson.h"
#include "app/ui/values/value_view.h"
#include "app/ui/widgets/columns.h"

#include <optional>
#include <string>
#include <vector>

namespace headlight {

// Text of a lesson: words that wrap, formulas and code among them, links that can be pointed at and pressed.

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

// Text that may be higher than its place: no line of it is cut, a sign says that it goes on below, and it is
// turned by pages, as a presenter's remote control asks for.

// Where its reader is, from one frame to the next; lengths from the text's beginning.
struct Pages {
    std::vector<LineSpan> lines; // as they were laid out last
    float scrolled = 0, most = 0, height = 0;
    float page_end = 0; // no line of the page reaches further
    bool goes_on = false, at_end = false;
    std::optional<float> wanted;

    // One page on (1) or back (-1); false: there is none.
    bool turn(int by);
};

class PagedColumn {
public:
    // `events`: those of the text that is laid out in it.
    PagedColumn(const char* name, const ScreenRect& rect, Pages& pages, RichTextEvents& events);
    ~PagedColumn();
    PagedColumn(const PagedColumn&) = delete;
    PagedColumn& operator=(const PagedColumn&) = delete;

    PanelColumn& column() { return scrolled_.column; }

private:
    ScrolledColumn scrolled_;
    std::string name_;
    ScreenRect rect_;
    Pages& pages_;
    RichTextEvents& events_;
};

} // namespace headlight
