// Text that may be higher than its place: no line of it is cut, a sign says that it goes on below, and it is
// turned by pages, as a presenter's remote control asks for.
#pragma once

#include "app/ui/lessons/rich_text.h"
#include "app/ui/widgets/scrolled_column.h"

#include <optional>
#include <string>
#include <vector>

namespace headlight {

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
