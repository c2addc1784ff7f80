#include "app/session/value_names.h"
#include "app/ui/asking/asked.h"
#include "app/ui/changes/changes.h"
#include "app/ui/closeup/closeups.h"
#include "app/ui/rooms/rooms.h"
#include "app/ui/widgets/menu.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <span>

namespace headlight {

// The number that is held, to be typed or dragged; and the sentence that numbers may be taken from.

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
    ChangesState& state = ui().state<ChangesState>();
    const double value = double(node.value(held.cell.batch, held.cell.row, held.cell.column));
    const Pressable p = pressable("changes.drag", rect);
    if (p.hovered || p.held) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
    if (ImGui::IsItemActivated()) {
        state.drag_from = std::isfinite(value) ? value : 0;
        state.drag_scale = largest_magnitude(node.as_computed()) / double(px(150));
    }
    const float dx = ImGui::GetMouseDragDelta(0, px(2)).x;
    if (p.held && dx != 0 && ImGui::GetIO().MouseDelta.x != 0)
        context.commands.emit("drag " + cell_change(held, state.drag_from + double(dx) * state.drag_scale));
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

// The number that is held: typed or dragged to another; its row exchanged.
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

    ChangesState& state = ui().state<ChangesState>();
    if (state.typed_for != held) {
        state.typed_for = held;
        state.typed.clear();
    }
    {
        ControlRow row(column);
        drag_area(context, *held, node, row.take(std::floor((column.width() - px(8)) / 2)));
        const FieldOptions options{.tooltip = s.text("whatif.held.field.tip"),
                                   .hint = s.text("whatif.held.field")};
        if (row.field("changes.value", state.typed, options) == FieldEvent::entered && !state.typed.empty())
            context.commands.emit("change cell " + held->path + " " + std::to_string(held->cell.batch) + " "
                                  + std::to_string(held->cell.row) + " " + std::to_string(held->cell.column)
                                  + " " + typed_number(state.typed));
    }
    row_choice(context, *held, node);

    const std::vector<ChangeChoice> choices = held_choices(session);
    std::vector<Chip> labels;
    for (const ChangeChoice& c : choices) labels.push_back({c.label, c.tooltip, c.made});
    if (const auto pressed = chips("changes.held", labels, column))
        context.commands.emit("change " + choices[std::size_t(*pressed)].change);
    column.skip(choices.empty() ? px(6) : px(14));
}

// A field for the sentence to compare with and to take values from.
void second_sentence_field(ChangesContext& context) {
    const Session& session = context.session;
    const Strings& s = session.strings();
    PanelColumn& column = context.column;
    ChangesState& state = ui().state<ChangesState>();
    if (state.second_was != session.question().second) { // set or undone elsewhere
        state.second_was = session.question().second;
        state.second = state.second_was.value_or("");
    }
    column_caption(column, s.text("whatif.second"));
    const FieldOptions options{.tooltip = s.text("whatif.second.tip"), .hint = s.text("whatif.second.hint")};
    if (ControlRow(column).field("changes.second", state.second, options) == FieldEvent::entered)
        context.commands.emit(state.second.empty() ? "second off" : "second " + state.second);
    if (const Sentence* second = session.what_if().second())
        column_text(column, faces().caption, colours().ink_soft,
                    s.text("whatif.second.says", {second->output}));
    column.skip(px(14));
}

namespace {

void choices_as_chips(ChangesContext& context, const char* name, std::span<const ChangeChoice> choices) {
    std::vector<Chip> labels;
    for (const ChangeChoice& c : choices) labels.push_back({c.label, c.tooltip, c.made});
    if (const auto pressed = chips(name, labels, context.column))
        context.commands.emit(switch_command(context.session, choices[std::size_t(*pressed)].change));
}

void heading(ChangesContext& context) {
    const Session& session = context.session;
    const Strings& s = session.strings();
    PanelColumn& column = context.column;
    const float top = column.y;
    const float undo = text_width(faces().caption, s.text("whatif.undo")),
                redo = text_width(faces().caption, s.text("whatif.redo"));
    const float width = std::ceil(undo) + std::ceil(redo) + px(2 * 18 + 6 + 4);
    PanelColumn buttons{column.right - width, column.right, top};
    const std::array<Chip, 2> both = {
        Chip{s.text("whatif.undo"), s.text("whatif.undo.tip"), false, session.can_undo()},
        Chip{s.text("whatif.redo"), s.text("whatif.redo.tip"), false, session.can_redo()}};
    if (const auto pressed = chips("changes.history", both, buttons))
        context.commands.emit(*pressed == 0 ? "undo" : "redo");
    const ScreenRect line = column.take(buttons.y - top);
    draw_text_in(pen(), faces().heading, {line.min, {line.max.x - width, line.max.y}}, colours().ink,
                 s.text("whatif.title"));
    column.skip(px(6));
}

// A switch, the change in words, and a cross that deletes it.
void change_row(ChangesContext& context, std::size_t i) {
    const Session& session = context.session;
    const Change& change = session.question().changes[i];
    PanelColumn& column = context.column;
    const std::string number = std::to_string(i + 1), words = change_words(session, change.text);
    const float box = px(34), cross = px(26), line = faces().body.size * line_spacing;
    const float left = column.left + box + px(8), width = column.right - cross - left;
    const float height = std::max(wrapped_height(faces().body, words, width), line);

    const ScreenRect track = ScreenRect::at(column.left, column.y + (line - px(18)) / 2, px(32), px(18));
    const Pressable toggled = pressable(("changes.switch." + number).c_str(), track);
    const float radius = track.height() / 2;
    const Colour off = mix(colours().pressed, colours().ink_faint, 0.35f);
    pen().AddRectFilled(track.min, track.max, change.on ? colours().accent : off, radius);
    pen().AddCircleFilled({change.on ? track.max.x - radius : track.min.x + radius, track.centre().y},
                          radius - px(3), change.on ? colours().on_accent : colours().card, 24);
    if (toggled.pressed)
        context.commands.emit(std::string("change ") + (change.on ? "off " : "on ") + number);
    tooltip_when_resting("changes.switch." + number, track, toggled.hovered,
                         session.strings().text("whatif.switch.tip"));

    draw_wrapped(pen(), faces().body, {left, column.y}, width,
                 change.on ? colours().ink : colours().ink_faint, words);
    const ScreenRect close = ScreenRect::at(column.right - cross, column.y, cross, line);
    const Pressable deleted = pressable(("changes.delete." + number).c_str(), close);
    draw_text_in(pen(), faces().body, close, deleted.hovered ? colours().alarm : colours().ink_faint, "×",
                 Align::centre);
    if (deleted.pressed) context.commands.emit("change delete " + number);
    tooltip_when_resting("changes.delete." + number, close, deleted.hovered,
                         session.strings().text("whatif.delete.tip"));
    column.skip(height);
    if (const Error* fault = session.what_if().fault(i)) {
        PanelColumn under{left, column.right, column.y};
        column_text(under, faces().caption, colours().warning, session.strings().text(*fault));
        column.y = under.y;
    }
    column.skip(px(8));
}

void changes_list(ChangesContext& context) {
    const Session& session = context.session;
    const Strings& s = session.strings();
    PanelColumn& column = context.column;
    const std::vector<Change>& changes = session.question().changes;
    if (changes.empty()) {
        column_paragraph(column, s.text("whatif.empty"));
        choices_as_chips(context, "changes.try", first_choices(session));
        column.skip(px(14));
        return;
    }
    for (std::size_t i = 0; i < changes.size(); ++i) change_row(context, i);
    const bool any_on = std::any_of(changes.begin(), changes.end(), [](const Change& c) { return c.on; });
    const std::array<Chip, 2> all = {
        Chip{s.text(any_on ? "whatif.all_off" : "whatif.all_on"), s.text("whatif.all_off.tip")},
        Chip{s.text("whatif.clear"), s.text("whatif.clear.tip")}};
    if (const auto pressed = column_chips(column, "changes.all", all))
        context.commands.emit(*pressed == 1 ? "changes clear" : any_on ? "changes off" : "changes on");
    bool against = session.view().against_baseline;
    if (ControlRow(column).toggle("changes.difference", s.text("whatif.difference"), against,
                                  s.text("whatif.difference.tip")))
        context.commands.emit(against ? "baseline on" : "baseline off");
}

void of_a_head(ChangesContext& context) {
    const Session& session = context.session;
    const Strings& s = session.strings();
    PanelColumn& column = context.column;
    const std::vector<std::string> all = attentions(session);
    if (all.empty()) return;
    column_caption(column, s.text("whatif.group.head"));
    const std::string present = present_attention(session);
    std::vector<std::string> names;
    for (const std::string& attention : all) names.push_back(place_words(session, attention));
    const auto at = std::find(all.begin(), all.end(), present);
    const int chosen = at == all.end() ? -1 : int(at - all.begin());
    const std::string label = chosen < 0 ? s.text("whatif.choose_attention") : names[std::size_t(chosen)];
    if (const auto picked =
            drop_list({column.left, column.y}, std::min(drop_list_width(label), column.width()),
                      {"changes.attention", label, s.text("whatif.choose_attention.tip"), names, chosen}))
        context.commands.emit("goto " + session.model().map().attentions[std::size_t(*picked)].weights->path);
    column.skip(control_height() + px(8));
    if (present.empty()) {
        column.skip(px(6));
        return;
    }
    std::vector<Chip> heads = {{s.text("whatif.all_heads"), {}, session.view().head < 0}};
    for (Index h = 0; h < session.model().map().max_heads(); ++h)
        heads.push_back({std::to_string(h + 1), {}, session.view().head == h});
    if (const auto pressed = column_chips(column, "changes.head", heads))
        context.commands.emit(*pressed == 0 ? std::string("head all")
                                            : "head " + std::to_string(*pressed - 1));
    choices_as_chips(context, "changes.pattern", head_choices(session));
    column.skip(px(14));
}

void removals(ChangesContext& context) {
    const Session& session = context.session;
    const Strings& s = session.strings();
    PanelColumn& column = context.column;
    bool& everywhere = ui().state<ChangesState>().everywhere;
    const bool in_a_layer = !removal_choices(session, false).empty();
    if (!in_a_layer && removal_choices(session, true).empty()) return;
    column_caption(column, s.text("whatif.group.remove"));
    const std::array<Chip, 2> scope = {Chip{s.text("whatif.everywhere"), {}, everywhere || !in_a_layer},
                                       Chip{s.text("whatif.this_layer"), s.text("whatif.this_layer.tip"),
                                            !everywhere && in_a_layer, in_a_layer}};
    if (const auto pressed = column_chips(column, "changes.scope", scope)) everywhere = *pressed == 0;
    choices_as_chips(context, "changes.remove", removal_choices(session, everywhere || !in_a_layer));
    column.skip(px(14));
}

} // namespace

void changes_panel(const ScreenRect& rect, const Session& session, CommandSink& commands) {
    if (!session.has_model() || rect.empty()) return;
    const Strings& s = session.strings();
    // What all changes together come to stays in sight above them, however long their list is.
    PanelColumn pinned{rect.min.x, rect.max.x - px(10), rect.min.y};
    ChangesContext top{session, commands, pinned};
    heading(top);
    // In a low window with large type they are below the switches: the top line has the new output anyway.
    const bool is_low = theme().presents() && rect.height() < px(420);
    if (!is_low) {
        effect_in_words(top);
        column_line(pinned);
    }
    ScrolledColumn scrolled("changes", {{rect.min.x, pinned.y}, rect.max});
    PanelColumn& column = scrolled.column;
    ChangesContext context{session, commands, column};
    changes_list(context);
    if (is_low) effect_in_words(context);
    effect_in_numbers(context);
    silenced_words(context);
    column_line(column);
    column_heading(column, s.text("whatif.add"));
    column.skip(px(6));
    of_a_head(context);
    removals(context);
    held_number(context);
    if (const std::vector<ChangeChoice> weights = weight_choices(session); !weights.empty()) {
        column_caption(column, s.text("whatif.group.weights"));
        choices_as_chips(context, "changes.weight", weights);
        column.skip(px(14));
    }
    second_sentence_field(context);
}

void what_if_room(const ScreenRect& body, const Session& session, CanvasView& canvas, CommandSink& commands) {
    canvas.hinted.reset();
    if (session.view().alone) return canvas_or_closeup(body, session, canvas, commands);
    const float width = std::clamp(body.width() * 0.29f, px(290), px(420));
    const auto [plane, side] = with_side(body, width);
    canvas_or_closeup(plane, session, canvas, commands);
    pen().AddRectFilled(side.min, side.max, colours().card, px(10));
    changes_panel({{side.min.x + px(16), side.min.y + px(10)}, {side.max.x - px(6), side.max.y - px(8)}},
                  session, commands);
}

} // namespace headlight
