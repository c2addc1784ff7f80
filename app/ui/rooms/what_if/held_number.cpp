// The number that is held, to be typed or dragged; and the sentence that numbers may be taken from.
#include "app/session/value_names.h"
#include "app/ui/asking/asked_arithmetic.h"
#include "app/ui/changes/change_choices.h"
#include "app/ui/rooms/what_if/what_if_parts.h"
#include "app/ui/widgets/drop_list.h"

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

std::string cell_change(const NamedCell& cell, double number) {
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
void drag_area(ChangesContext& context, const NamedCell& held, const Node& node, const ScreenRect& rect) {
    ChangesMemory& memory = ui().memory<ChangesMemory>();
    const double value = double(node.value(held.cell.batch, held.cell.row, held.cell.column));
    const Pressable p = pressable("changes.drag", rect);
    if (p.hovered || p.held) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
    if (ImGui::IsItemActivated()) {
        memory.drag_from = std::isfinite(value) ? value : 0;
        memory.drag_scale = largest_magnitude(node.as_computed()) / double(px(150));
    }
    const float dx = ImGui::GetMouseDragDelta(0, px(2)).x;
    if (p.held && dx != 0 && ImGui::GetIO().MouseDelta.x != 0)
        context.commands.emit("drag " + cell_change(held, memory.drag_from + double(dx) * memory.drag_scale));
    if (ImGui::IsItemDeactivated()) context.commands.emit("drag end");
    pen().AddRectFilled(rect.min, rect.max,
                        p.held      ? colours().pressed
                        : p.hovered ? colours().hovered
                                    : colours().raised,
                        px(7));
    draw_text_in(pen(), faces().mono, rect.inset(px(6)), colours().ink, "↔ " + format_number(value, 4),
                 Align::centre);
    tooltip_when_resting("changes.drag", rect, p.hovered,
                         context.session.strings().text("whatif.held.drag.tip"));
}

// Another token's vector in the place of this one.
void row_choice(ChangesContext& context, const NamedCell& held, const Node& node) {
    const Session& session = context.session;
    const std::vector<std::string> labels = axis_labels(session, node, true);
    if (labels.size() < 2 || node.is(ValueKind::parameter) || node.shape().columns < 2
        || node.is(ValueKind::mask))
        return;
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
    column.skip(control_height() + px(8));
}

} // namespace

void held_number(ChangesContext& context) {
    const Session& session = context.session;
    const Strings& s = session.strings();
    PanelColumn& column = context.column;
    column_caption(column, s.text("whatif.held"));
    const std::optional<NamedCell>& held = session.view().asking.held;
    const Node* found = held ? session.model().graph().find(held->path) : nullptr;
    if (!found) { // what is only computed of the model's numbers is no number of it
        column_text(column, faces().body, colours().ink_soft, s.text("whatif.held.none"));
        column.skip(px(14));
        return;
    }
    const Node& node = *found;
    column_text(column, faces().strong, colours().ink, value_title(session, node, held->cell.batch));
    column_note(column, cell_place(session, node, held->cell));

    ChangesMemory& memory = ui().memory<ChangesMemory>();
    if (memory.typed_for != held) {
        memory.typed_for = held;
        memory.typed.clear();
    }
    {
        ControlRow row(column);
        drag_area(context, *held, node, row.take(std::floor((column.width() - px(8)) / 2)));
        const FieldOptions options{.tooltip = s.text("whatif.held.field.tip"),
                                   .hint = s.text("whatif.held.field")};
        if (row.field("changes.value", memory.typed, options) == FieldEvent::entered && !memory.typed.empty())
            context.commands.emit("change cell " + held->path + " " + std::to_string(held->cell.batch) + " "
                                  + std::to_string(held->cell.row) + " " + std::to_string(held->cell.column)
                                  + " " + typed_number(memory.typed));
    }
    row_choice(context, *held, node);

    const std::vector<ChangeChoice> choices = held_choices(session);
    std::vector<Chip> labels;
    for (const ChangeChoice& c : choices) labels.push_back({c.label, c.tooltip, c.made});
    if (const auto pressed = chips("changes.held", labels, column))
        context.commands.emit("change " + choices[std::size_t(*pressed)].change);
    column.skip(choices.empty() ? px(6) : px(14));
}

void second_sentence_field(ChangesContext& context) {
    const Session& session = context.session;
    const Strings& s = session.strings();
    PanelColumn& column = context.column;
    ChangesMemory& memory = ui().memory<ChangesMemory>();
    if (memory.second_was != session.question().second) { // set or undone elsewhere
        memory.second_was = session.question().second;
        memory.second = memory.second_was.value_or("");
    }
    column_caption(column, s.text("whatif.second"));
    const FieldOptions options{.tooltip = s.text("whatif.second.tip"), .hint = s.text("whatif.second.hint")};
    if (ControlRow(column).field("changes.second", memory.second, options) == FieldEvent::entered)
        context.commands.emit(memory.second.empty() ? "second off" : "second " + memory.second);
    if (const Sentence* second = session.what_if().second())
        column_text(column, faces().caption, colours().ink_soft,
                    s.text("whatif.second.says", {second->output}));
    column.skip(px(14));
}

} // namespace headlight
