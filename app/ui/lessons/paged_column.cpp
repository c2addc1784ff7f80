#include "app/ui/lessons/paged_column.h"

#include "app/ui/base/ui.h"
#include "app/ui/widgets/pressable.h"

#include <algorithm>
#include <utility>

namespace headlight {

namespace {

constexpr float sign_height = 10;

// The nearest edge before (or behind) the place that cuts no line.
float between_lines(const std::vector<LineSpan>& lines, float place, bool before) {
    for (bool moved = true; moved;) {
        moved = false;
        for (const LineSpan& line : lines)
            if (line.top < place - 0.5f && line.bottom > place + 0.5f) {
                place = before ? line.top : line.bottom;
                moved = true;
            }
    }
    return place;
}

} // namespace

bool Pages::turn(int by) {
    if (by > 0 ? !goes_on : scrolled < 1) return false;
    const float before = scrolled - height + px(sign_height);
    wanted = by > 0        ? page_end
             : before <= 0 ? 0
                           : std::min(between_lines(lines, before, false), scrolled - 1);
    ui().display().request_frames(3);
    return true;
}

PagedColumn::PagedColumn(const char* name, const ScreenRect& rect, Pages& pages, RichTextEvents& events)
    : scrolled_(name, rect), name_(name), rect_(rect), pages_(pages), events_(events) {
    const float most = ImGui::GetScrollMaxY(), scrolled = ImGui::GetScrollY();
    // Who has read to the end stays there when an answer takes of the place.
    const bool follows = pages.at_end && most != pages.most && !pages.wanted;
    const float place = pages.wanted.value_or(scrolled);
    pages.at_end = follows || (place >= 1 && place >= most - 1);
    if (follows) pages.wanted = most;
    if (pages.wanted) {
        ImGui::SetScrollY(*std::exchange(pages.wanted, {}));
        ui().display().request_frames(3);
    }
    pages.scrolled = scrolled;
    pages.most = most;
    pages.height = rect.height();
    const float end = scrolled + rect.height();
    pages.goes_on = std::any_of(pages.lines.begin(), pages.lines.end(),
                                [&](const LineSpan& line) { return line.bottom > end + 1; });
    const float last = end - (pages.goes_on ? px(sign_height) : 0);
    pages.page_end = between_lines(pages.lines, last, true);
    if (pages.page_end < scrolled + 1 || !pages.goes_on) pages.page_end = last; // one line fills it all
    float first = between_lines(pages.lines, scrolled, false);
    if (first > pages.page_end - 1) first = scrolled;
    const float begin = rect.min.y - scrolled;
    ImGui::PushClipRect({rect.min.x, begin + first}, {rect.max.x, begin + pages.page_end}, true);
}

PagedColumn::~PagedColumn() {
    ImGui::PopClipRect();
    const float begin = rect_.min.y - pages_.scrolled;
    pages_.lines = std::exchange(events_.lines, {});
    for (LineSpan& line : pages_.lines) line.top -= begin, line.bottom -= begin;
    scrolled_.column.y -= px(10); // the air that a scrolled column leaves has no room here
    if (!pages_.goes_on) return;
    const float height = px(sign_height);
    const ScreenRect place{{scrolled_.column.left, rect_.max.y - height},
                           {scrolled_.column.right, rect_.max.y}};
    const std::string name = name_ + ".more";
    const Pressable more = pressable(name.c_str(), place);
    if (more.pressed) pages_.turn(1);
    const Colour colour = more.hovered ? colours().ink : colours().accent;
    const float x = (place.min.x + place.max.x) / 2, y = place.min.y + height / 2;
    pen().AddTriangleFilled({x - px(7), y - px(3)}, {x + px(7), y - px(3)}, {x, y + px(4)}, colour);
    pen().AddLine({place.min.x, y}, {x - px(14), y}, with_alpha(colour, 0.35f), px(1));
    pen().AddLine({x + px(14), y}, {place.max.x, y}, with_alpha(colour, 0.35f), px(1));
}

} // namespace headlight
