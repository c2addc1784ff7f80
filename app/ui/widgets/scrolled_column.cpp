#include "app/ui/widgets/scrolled_column.h"

#include "app/ui/base/ui.h"
#include "app/ui/widgets/text.h"

#include <imgui.h>

namespace headlight {

ScrolledColumn::ScrolledColumn(const char* name, const ScreenRect& rect) : left_(rect.min.x) {
    const Theme& t = theme();
    ImGui::SetCursorScreenPos(rect.min);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    ImGui::BeginChild(name, {rect.width(), rect.height()}, false, ImGuiWindowFlags_NoBackground);
    const float bar = ImGui::GetStyle().ScrollbarSize + t.px(4);
    column = {rect.min.x, rect.max.x - bar, rect.min.y - ImGui::GetScrollY()};
    widgets().record(name, rect);
}

ScrolledColumn::~ScrolledColumn() {
    ImGui::SetCursorScreenPos({left_, column.y}); // what the child is as high as
    ImGui::Dummy({1, theme().px(10)});
    ImGui::EndChild();
    ImGui::PopStyleVar();
}

void column_caption(PanelColumn& column, std::string_view text) {
    const Theme& t = theme();
    draw_label(*ImGui::GetWindowDrawList(), t.faces.caption, column.take(t.faces.caption.size * 1.35f),
               t.colours.ink_faint, text);
    column.skip(t.px(5));
}

void column_heading(PanelColumn& column, std::string_view text) {
    const Theme& t = theme();
    column_text(column, t.faces.heading, t.colours.ink, text);
    column.skip(t.px(4));
}

void column_text(PanelColumn& column, const Face& face, Colour colour, std::string_view text) {
    column.skip(draw_wrapped(*ImGui::GetWindowDrawList(), face, {column.left, column.y}, column.width(),
                             colour, text));
}

void column_line(PanelColumn& column) {
    const Theme& t = theme();
    column.skip(t.px(12));
    ImGui::GetWindowDrawList()->AddLine({column.left, column.y}, {column.right, column.y},
                                        with_alpha(t.colours.line, 0.8f));
    column.skip(t.px(12));
}

} // namespace headlight
