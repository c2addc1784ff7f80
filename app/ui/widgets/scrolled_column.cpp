#include "app/ui/widgets/scrolled_column.h"

#include "app/ui/base/ui.h"
#include "app/ui/widgets/text.h"

#include <imgui.h>

namespace headlight {

ScrolledColumn::ScrolledColumn(const char* name, const ScreenRect& rect) : left_(rect.min.x) {
    ImGui::SetCursorScreenPos(rect.min);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    ImGui::BeginChild(name, {rect.width(), rect.height()}, false, ImGuiWindowFlags_NoBackground);
    const float bar = ImGui::GetStyle().ScrollbarSize + px(4);
    column = {rect.min.x, rect.max.x - bar, rect.min.y - ImGui::GetScrollY()};
    widgets().record(name, rect);
}

ScrolledColumn::~ScrolledColumn() {
    ImGui::SetCursorScreenPos({left_, column.y}); // what the child is as high as
    ImGui::Dummy({1, px(10)});
    ImGui::EndChild();
    ImGui::PopStyleVar();
}

void column_caption(PanelColumn& column, std::string_view text) {
    draw_label(pen(), faces().caption, column.take(faces().caption.size * 1.35f), colours().ink_faint, text);
    column.skip(px(5));
}

void column_heading(PanelColumn& column, std::string_view text) {
    column_text(column, faces().heading, colours().ink, text);
    column.skip(px(4));
}

void column_text(PanelColumn& column, const Face& face, Colour colour, std::string_view text) {
    column.skip(draw_wrapped(pen(), face, {column.left, column.y}, column.width(), colour, text));
}

void column_paragraph(PanelColumn& column, std::string_view text) {
    column_text(column, faces().body, colours().ink_soft, text);
    column.skip(px(8));
}

void column_note(PanelColumn& column, std::string_view text) {
    column_text(column, faces().caption, colours().ink_soft, text);
    column.skip(px(8));
}

std::optional<int> column_chips(PanelColumn& column, std::string_view name, std::span<const Chip> choices) {
    const std::optional<int> pressed = chips(name, choices, column);
    column.skip(px(8));
    return pressed;
}

bool column_chip(PanelColumn& column, std::string_view name, const Chip& choice) {
    return column_chips(column, name, {&choice, 1}).has_value();
}

void column_line(PanelColumn& column) {
    column.skip(px(12));
    pen().AddLine({column.left, column.y}, {column.right, column.y}, with_alpha(colours().line, 0.8f));
    column.skip(px(12));
}

} // namespace headlight
