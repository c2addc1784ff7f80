#include "app/ui/rooms/what_if/what_if_parts.h"

#include "app/ui/changes/change_choices.h"
#include "app/ui/changes/change_words.h"
#include "app/ui/widgets/drop_list.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

namespace headlight {

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
    bool& everywhere = ui().memory<ChangesMemory>().everywhere;
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

} // namespace headlight
