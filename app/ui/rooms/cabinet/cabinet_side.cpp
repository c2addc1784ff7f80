#include "app/ui/rooms/cabinet/cabinet_parts.h"
#include "app/ui/rooms/page_frame.h"
#include "app/ui/values/value_view.h"
#include "app/ui/widgets/formula.h"

#include <cmath>

namespace headlight {

namespace {

void cabinet_slider(PanelColumn& column, const Session& session, CommandSink& commands, const char* name,
                    const std::string& label, double present, float end, const char* tip,
                    const std::function<std::string(float)>& command) {
    float value = float(present);
    const SliderOptions options{.tooltip = session.strings().text(tip), .step = end > 100 ? 1.f : 0.1f};
    if (ControlRow(column).slider(name, label, value, -end, end, options))
        commands.emit("drag cabinet " + command(value));
}

void turning(PanelColumn& column, const Session& session, CommandSink& commands) {
    const Strings& s = session.strings();
    const CabinetNumbers& numbers = session.small_pages().cabinet;
    const auto& [x, y] = numbers.note;
    cabinet_slider(column, session, commands, "cabinet.note.x", s.text("filing.note.x"), x, 3,
                   "filing.note.tip",
                   [y = y](float to) { return "note " + std::to_string(to) + " " + exactly(y); });
    cabinet_slider(column, session, commands, "cabinet.note.y", s.text("filing.note.y"), y, 3,
                   "filing.note.tip",
                   [x = x](float to) { return "note " + exactly(x) + " " + std::to_string(to); });
    cabinet_slider(column, session, commands, "cabinet.turn", "W_Q  °", std::round(degrees_of(numbers)), 180,
                   "filing.turn.tip", [](float to) { return "turn " + std::to_string(to); });
}

// −log of the wanted folder's share, which leads to its arithmetic.
void loss_line(PanelColumn& column, const Session& session, CommandSink& commands) {
    const Node& loss = cabinet_node(session, "loss");
    const std::string& folder =
        session.small_pages().filing_cabinet->folders[std::size_t(session.small_pages().cabinet.wanted)];
    const ScreenRect line = column.take(faces().mono.size * 1.5f);
    const Pressable p = pressable("cabinet.loss.0.0", line);
    const std::string number(trim(format_fixed(double(loss.value(0, 0, 0)), 3)));
    draw_label(pen(), faces().body,
               {line.min, {line.max.x - text_width(faces().mono, number) - px(8), line.max.y}},
               colours().ink_soft, session.strings().text("filing.loss", {folder}));
    draw_text_in(pen(), faces().mono, line, p.hovered ? colours().accent : colours().ink, number,
                 Align::right);
    tooltip_when_resting("cabinet.loss.0.0", line, p.hovered, session.strings().text("filing.loss.tip"));
    if (p.pressed) commands.emit(select_command({loss.path, {0, 0, 0}}));
    column.skip(px(4));
}

} // namespace

void cabinet_training(PanelColumn& column, const Session& session, CommandSink& commands) {
    const Strings& s = session.strings();
    const FilingCabinet& cabinet = *session.small_pages().filing_cabinet;
    const Index wanted = session.small_pages().cabinet.wanted;
    column_heading(column, s.text("filing.train.title"));
    column_caption(column, s.text("filing.want"));
    std::vector<Chip> folders;
    for (Index i = 0; i < wanted_folders; ++i)
        folders.push_back({cabinet.folders[std::size_t(i)], s.text("filing.want.tip"), i == wanted});
    if (const auto pressed = column_chips(column, "cabinet.want", folders))
        commands.emit("cabinet want " + cabinet.folders[std::size_t(*pressed)]);
    loss_line(column, session, commands);
    const bool on = session.view().cabinet_training.on, found = has_found(cabinet, wanted);
    if (found && !on) {
        const std::string share(trim(format_fixed(cabinet.weight(wanted), 2)));
        column_text(column, faces().body, colours().ink,
                    s.text("filing.found", {cabinet.folders[std::size_t(wanted)], share}));
        return column.skip(px(8));
    }
    if (ControlRow(column).button("cabinet.train", s.text(on ? "filing.train.stop" : "filing.train.start"),
                                  {.tooltip = s.text("filing.train.tip"), .kind = ButtonKind::primary}))
        commands.emit(on ? "cabinet stop" : "cabinet train");
}

void cabinet_side(const ScreenRect& rect, bool trains, const Session& session, CommandSink& commands) {
    const Strings& s = session.strings();
    ScrolledColumn scrolled("cabinetside", rect);
    PanelColumn& column = scrolled.column;
    column_heading(column, s.text("filing.title"));
    column_paragraph(column, s.text("filing.text"));
    const std::string tex = cabinet_formula();
    const FormulaExtent extent = measure_formula(tex);
    const bool fits = extent.width <= column.width();
    const FormulaStyle style{fits ? MathSize::normal : MathSize::small, colours().ink};
    const FormulaExtent drawn = measure_formula(tex, style);
    draw_formula(pen(), {column.left, column.y + drawn.ascent}, tex, style);
    column.skip(drawn.height() + px(12));
    if (trains) {
        column_line(column);
        cabinet_training(column, session, commands);
        column_text(column, faces().body, colours().ink_soft, s.text("filing.train.text"));
        column_line(column);
    }
    turning(column, session, commands);
    if (column_chip(column, "cabinet.reset", {s.text("plain.reset"), s.text("filing.reset.tip")}))
        commands.emit("cabinet reset");
}

} // namespace headlight
