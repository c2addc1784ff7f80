// The number that is held, to be typed or dragged; and the sentence that numbers may be taken from.
#include "app/ui/rooms/what_if/held_number.h"
#include "app/session/value_names.h"
#include "app/ui/asking/asked_arithmetic.h"
#include "app/ui/base/ui.h"
#include "app/ui/changes/change_choices.h"
#include "app/ui/widgets/chips.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/drop_list.h"
#include "app/ui/widgets/text.h"

#include <imgui.h>

#include <charconv>
#include <cmath>

namespace headlight {

namespace {

// So many digits that the same number comes back.
std::string exact(double number) {
    char text[32];
    const auto end = std::to_chars(text, text + sizeof text, float(number)).ptr;
    return {text, end};
}

std::string cell_change(const Selection& cell, double number) {
    return "cell " + cell.path + " " + std::to_string(cell.cell.batch) + " " + std::to_string(cell.cell.row)
           + " " + std::to_string(cell.cell.column) + " " + exact(number);
}

double largest_magnitude(const Tensor& value) {
    double largest = 0;
    for (Index i = 0; i < value.size(); ++i)
        if (std::isfinite(value.data()[i])) largest = std::max(largest, std::abs(double(value.data()[i])));
    return largest > 0 ? largest : 1;
}

// A number that follows the pointer sideways: the matrix's largest in 150 units.
void drag_area(ChangesContext& context, const Selection& held, const Node& node, const ScreenRect& rect) {
    const Theme& t = theme();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    ChangesView& view = context.view;
    const double value = double(node.value(held.cell.batch, held.cell.row, held.cell.column));
    const Pressable p = pressable("changes.drag", rect);
    if (p.hovered || p.held) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
    if (ImGui::IsItemActivated()) {
        view.drag_from = std::isfinite(value) ? value : 0;
        view.drag_scale = largest_magnitude(node.as_computed()) / double(t.px(150));
    }
    const float dx = ImGui::GetMouseDragDelta(0, t.px(2)).x;
    if (p.held && dx != 0 && ImGui::GetIO().MouseDelta.x != 0)
        context.commands.emit("drag " + cell_change(held, view.drag_from + double(dx) * view.drag_scale));
    if (ImGui::IsItemDeactivated()) context.commands.emit("drag end");
    list.AddRectFilled(rect.min, rect.max,
                       p.held      ? t.colours.pressed
                       : p.hovered ? t.colours.hovered
                                   : t.colours.raised,
                       t.px(7));
    draw_text_in(list, t.faces.mono, rect.inset(t.px(6)), t.colours.ink, "↔ " + format_number(value, 4),
                 Align::centre);
    tooltip_when_resting("changes.drag", rect, p.hovered,
                         context.session.strings().text("whatif.held.drag.tip"));
}

// Another token's vector in the place of this one.
void row_choice(ChangesContext& context, const Selection& held, const Node& node) {
    const Session& session = context.session;
    const std::vector<std::string> labels = axis_labels(session, node, true);
    if (labels.size() < 2 || node.is(ValueKind::parameter) || node.shape().columns < 2
        || node.is(ValueKind::mask))
        return;
    const Theme& t = theme();
    PanelColumn& column = context.column;
    const std::string label = session.strings().text(
        "whatif.held.row", {held.cell.row < Index(labels.size()) ? labels[std::size_t(held.cell.row)] : ""});
    std::vector<std::string> choices;
    for (std::size_t i = 0; i < labels.size(); ++i)
        choices.push_back(std::to_string(i + 1) + "  " + labels[i]);
    if (const auto chosen =
            drop_list({column.left, column.y}, std::min(drop_list_width(label), column.width()),
                      {"changes.row", label, session.strings().text("whatif.held.row.tip"), choices,
                       int(held.cell.row)});
        chosen && *chosen != int(held.cell.row))
        context.commands.emit("change row " + node.path + " " + std::to_string(held.cell.row) + " "
                              + std::to_string(*chosen));
    column.skip(control_height() + t.px(8));
}

} // namespace

void held_number(ChangesContext& context) {
    const Theme& t = theme();
    const Session& session = context.session;
    const Strings& s = session.strings();
    PanelColumn& column = context.column;
    column_caption(column, s.text("whatif.held"));
    const std::optional<Selection>& held = session.state().selection;
    if (!held) {
        column_text(column, t.faces.body, t.colours.ink_soft, s.text("whatif.held.none"));
        column.skip(t.px(14));
        return;
    }
    const Node& node = *session.model().graph().find(held->path);
    column_text(column, t.faces.strong, t.colours.ink, value_label(session, node, held->cell.batch));
    column_text(column, t.faces.caption, t.colours.ink_soft, cell_place(session, node, held->cell));
    column.skip(t.px(6));

    ChangesView& view = context.view;
    if (view.typed_for != held) {
        view.typed_for = held;
        view.typed.clear();
    }
    const float gap = t.px(8), half = std::floor((column.width() - gap) / 2), height = control_height();
    drag_area(context, *held, node, ScreenRect::at(column.left, column.y, half, height));
    ImGui::SetCursorScreenPos({column.left + half + gap, column.y});
    const FieldOptions options{.tooltip = s.text("whatif.held.field.tip"),
                               .hint = s.text("whatif.held.field"),
                               .width = half / t.scale};
    if (text_field("changes.value", "", view.typed, options) == FieldEvent::entered && !view.typed.empty())
        context.commands.emit("change cell " + held->path + " " + std::to_string(held->cell.batch) + " "
                              + std::to_string(held->cell.row) + " " + std::to_string(held->cell.column) + " "
                              + view.typed);
    column.skip(height + t.px(8));
    row_choice(context, *held, node);

    const std::vector<ChangeChoice> choices = held_choices(session);
    std::vector<Chip> labels;
    for (const ChangeChoice& c : choices) labels.push_back({c.label, c.tooltip, c.made});
    if (const auto pressed = chips("changes.held", labels, column))
        context.commands.emit("change " + choices[std::size_t(*pressed)].change);
    column.skip(choices.empty() ? t.px(6) : t.px(14));
}

void second_sentence_field(ChangesContext& context) {
    const Theme& t = theme();
    const Session& session = context.session;
    const Strings& s = session.strings();
    PanelColumn& column = context.column;
    ChangesView& view = context.view;
    if (view.second_was != session.state().second_text) { // set or undone elsewhere
        view.second_was = session.state().second_text;
        view.second = view.second_was.value_or("");
    }
    column_caption(column, s.text("whatif.second"));
    ImGui::SetCursorScreenPos({column.left, column.y});
    const FieldOptions options{.tooltip = s.text("whatif.second.tip"),
                               .hint = s.text("whatif.second.hint"),
                               .width = column.width() / t.scale};
    if (text_field("changes.second", "", view.second, options) == FieldEvent::entered)
        context.commands.emit(view.second.empty() ? "second off" : "second " + view.second);
    column.skip(control_height() + t.px(4));
    if (const Sentence* second = session.what_if().second())
        column_text(column, t.faces.caption, t.colours.ink_soft,
                    s.text("whatif.second.says", {second->output}));
    column.skip(t.px(14));
}

} // namespace headlight
