#include "app/ui/asking/asked.h"
#include "app/ui/asking/asking_panel.h"
#include "app/ui/rooms/cabinet/cabinet_parts.h"
#include "app/ui/rooms/page_frame.h"
#include "app/ui/rooms/rooms.h"
#include "app/ui/values/value_view.h"
#include "app/ui/widgets/formula.h"

#include <algorithm>
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

namespace {

// "blend = 0.50 · robot + 0.30 · a + 0.19 · it + 0.01 · …"
std::string blend_in_words(const Session& session) {
    const FilingCabinet& cabinet = *session.small_pages().filing_cabinet;
    std::string text = session.strings().text("filing.blend") + " = ";
    for (Index folder = 0; folder < 4; ++folder)
        text += (folder > 0 ? " + " : "")
                + (is_covered(session, cabinet_node(session, "weights"), 0, folder)
                       ? std::string("?")
                       : std::string(trim(format_fixed(cabinet.weight(folder), 2))))
                + " · " + cabinet.folders[std::size_t(folder)];
    return text;
}

} // namespace

void cabinet_room(const ScreenRect& body, const Session& session, CommandSink& commands) {
    small_page_asking().begin_frame();
    const float gap = px(12), beside = std::clamp(body.width() * 0.26f, px(280), px(400));
    // In a narrow window the words give way to the picture, but a number that is held is answered.
    const bool is_narrow =
        body.width() - beside < px(session.view().teaching.on ? 640 : 460) && !held_on_small_page(session);
    const bool alone = session.view().alone || is_narrow;
    const float width = alone ? -gap : beside;
    const ScreenRect main{body.min, {body.max.x - width - gap, body.max.y}};
    const ScreenRect side{{main.max.x + gap, body.min.y}, body.max};
    pen().AddRectFilled(main.min, main.max, colours().card, px(10));
    if (!alone) pen().AddRectFilled(side.min, side.max, colours().card, px(10));
    const ScreenRect inner = main.inset(px(theme().presents() ? 10 : 18));
    // The plane stands below where there is height for both.
    const float plane = std::min(inner.height() * 0.36f, px(230));
    const bool has_plane = inner.height() > px(420);
    const float bottom = has_plane ? inner.max.y - plane - px(16) : inner.max.y;
    pen().PushClipRect(main.min, main.max, true);
    cabinet_picture({inner.min, {inner.max.x, bottom}}, session, commands);
    pen().PopClipRect();
    if (has_plane) {
        const ScreenRect square = ScreenRect::at(inner.min.x, inner.max.y - plane, plane, plane);
        cabinet_plane(square, session, commands);
        const float left = square.max.x + px(20), middle = std::floor((left + inner.max.x) / 2);
        PanelColumn told{left, middle - px(14), square.min.y + px(4)},
            training{middle + px(14), inner.max.x, square.min.y};
        const auto tell = [&](const Face& face, Colour colour, const std::string& text) {
            if (told.y + wrapped_height(face, text, told.width()) > inner.max.y) return;
            column_text(told, face, colour, text);
            told.skip(px(8));
        };
        tell(faces().caption, colours().ink_soft, session.strings().text("filing.legend"));
        tell(faces().mono_small, colours().ink, blend_in_words(session));
        tell(faces().caption, colours().ink_soft, session.strings().text("filing.train.text"));
        cabinet_training(training, session, commands);
    }
    // A number that is held is answered in the place of the words.
    small_page_asking().hinted.reset();
    if (!alone && held_on_small_page(session))
        small_page_asking().hinted = asking_panel(side.inset(px(4)), session, commands, {});
    else if (!alone)
        cabinet_side({{side.min.x + px(16), side.min.y + px(12)}, {side.max.x - px(6), side.max.y - px(8)}},
                     !has_plane, session, commands);
    if (ImGui::IsMouseReleased(0)) commands.emit("drag end");
}

} // namespace headlight
