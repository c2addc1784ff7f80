#include "app/ui/rooms/page_frame.h"
#include "app/ui/asking/asked.h"
#include "app/ui/asking/asking_panel.h"
#include "app/ui/values/value_view.h"
#include "app/ui/widgets/heatmap.h"
#include "app/ui/widgets/menu.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <vector>

namespace headlight {

PageFrame page_frame(const ScreenRect& body, const Session& session) {
    const float gap = px(12), beside = std::clamp(body.width() * 0.28f, px(290), px(440));
    const bool is_narrow =
        body.width() - beside < px(session.view().teaching.on ? 640 : 460) && !held_on_small_page(session);
    PageFrame frame;
    frame.has_side = !session.view().alone && !is_narrow;
    const ScreenRect main{body.min, {body.max.x - (frame.has_side ? beside + gap : 0), body.max.y}};
    const ScreenRect side{{main.max.x + gap, body.min.y}, body.max};
    pen().AddRectFilled(main.min, main.max, colours().card, px(10));
    if (frame.has_side) pen().AddRectFilled(side.min, side.max, colours().card, px(10));
    frame.main = main.inset(px(theme().presents() ? 10 : 18));
    frame.side = {{side.min.x + px(16), side.min.y + px(12)}, {side.max.x - px(6), side.max.y - px(8)}};
    return frame;
}

void covered_picture(const ScreenRect& rect, const Session& session) {
    pen().AddRectFilled(rect.min, rect.max, colours().raised, px(8));
    pen().AddRect(rect.min, rect.max, colours().accent, px(8), 0, px(1.5f));
    const std::string& words = session.strings().text("teach.picture_covered");
    const float width = std::min(rect.width() - px(24), px(420)),
                height = wrapped_height(faces().body, words, width);
    draw_wrapped(pen(), faces().body, {rect.centre().x - width / 2, rect.centre().y - height / 2}, width,
                 colours().ink_soft, words);
    widgets().record("covered", rect);
}

bool page_answer(const PageFrame& frame, const Session& session, CommandSink& commands) {
    small_page_asking().hinted.reset();
    if (!frame.has_side || !held_on_small_page(session)) return false;
    const ScreenRect card{{frame.side.min.x - px(12), frame.side.min.y - px(8)},
                          {frame.side.max.x + px(2), frame.side.max.y + px(4)}};
    small_page_asking().hinted = asking_panel(card, session, commands, {});
    return true;
}

namespace {

// With two decimals where they tell something and have room; else as short as it can be told.
std::string number_in_cell(const Face& face, double number, float width, bool in_figures) {
    std::string text(trim(format_fixed(number, 2)));
    const bool is_told = number == 0 || std::abs(number) >= (in_figures ? 0.1 : 0.005);
    if (is_told && std::abs(number) < 1000 && text_width(face, text) <= width - px(2)) return text;
    for (int digits = 3; digits > 0; --digits) {
        text = format_number(number, digits);
        if (text_width(face, text) <= width - px(2)) return text;
    }
    return std::abs(number) < 0.005 ? "≈0" : text;
}

} // namespace

bool is_covered(const Session& session, const Node& node, Index row, Index column) {
    return session.view().teaching.cover.hides(node.path, {0, row, column});
}

void page_cell(const PageCell& cell, const Session& session, CommandSink& commands) {
    const Node& node = *cell.node;
    const CellRef number{&node, {0, cell.row, cell.column}, cell.gradient};
    const NamedCell here{node.path, number.cell};
    // A value and its gradient share a path: which of them is asked about, the walk backwards says.
    const bool is_shown = session.shows_gradient(node) == cell.gradient;
    SmallPageAsking& asking = small_page_asking();
    const std::optional<NamedCell> asked = asking.asked(session);
    const bool is_asked = is_shown && asked == here;
    const std::vector<MatrixCell> lit = lit_in(cells_of_direction(session, asked), node);
    const bool is_lit = std::ranges::find(lit, MatrixCell{int(cell.row), int(cell.column)}) != lit.end();
    const std::string name = node.path + "." + std::to_string(cell.row) + "." + std::to_string(cell.column)
                             + (cell.gradient ? ".slope" : "");
    const Pressable p = pressable(name.c_str(), cell.rect);
    const float round = cell.coloured ? px(2) : px(4);
    if (cell.surface) pen().AddRectFilled(cell.rect.min, cell.rect.max, *cell.surface, round);
    if (is_lit && !cell.coloured) // what lies under it stays to be seen
        pen().AddRectFilled(cell.rect.min, cell.rect.max,
                            with_alpha(colours().accent_soft, cell.surface ? 1.f : 0.35f), round);
    const bool is_faded = cell.coloured && !lit.empty() && !is_lit && !is_asked;
    if (is_faded) pen().AddRectFilled(cell.rect.min, cell.rect.max, with_alpha(colours().card, 0.72f), round);
    const Colour outline = is_asked ? colours().ink : is_lit ? colours().accent : colours().line;
    if (!cell.coloured || is_asked || is_lit || p.hovered)
        pen().AddRect(cell.rect.min, cell.rect.max, p.hovered ? colours().ink : outline, round, 0,
                      is_asked || (is_lit && cell.coloured) ? px(2) : 1);
    if (asking.hinted == here && is_shown)
        pen().AddRect(cell.rect.min, cell.rect.max, colours().warning, px(4), 0, px(2));
    const bool covered = is_covered(session, node, cell.row, cell.column)
                         || (cell.gradient && session.view().teaching.asks); // it would answer
    if (covered) paint_cover(pen(), cell.rect);
    const Colour ink =
        cell.coloured && cell.surface && !is_faded ? theme().ink_on(*cell.surface) : colours().ink;
    if (!covered && cell.face)
        draw_text_in(pen(), *cell.face, cell.rect, ink,
                     number_in_cell(*cell.face, number.value(), cell.rect.width(), cell.in_figures),
                     Align::centre);
    if (p.hovered) {
        if (is_shown) asking.point(here);
        tooltip_when_resting(name, cell.rect, true,
                             value_title(session, node, 0, cell.gradient) + "  ·  "
                                 + cell_place(session, node, here.cell)
                                 + (covered ? std::string() : "  ·  " + format_number(number.value()))
                                 + (cell.of.empty() ? std::string() : "\n" + std::string(cell.of)));
    }
    if (!p.pressed) return;
    const NamedCell* held = held_on_small_page(session);
    if (is_shown && held && *held == here) return commands.emit("unselect");
    if (!is_shown) commands.emit(cell.gradient ? "backward on" : "backward off");
    commands.emit(select_command(here));
}

void page_cells(const Node& node, ImVec2 at, ImVec2 size, const Face& face, const Session& session,
                CommandSink& commands) {
    const float air = px(2);
    for (Index r = 0; r < node.value.rows(); ++r)
        for (Index c = 0; c < node.value.columns(); ++c) {
            const ScreenRect rect =
                ScreenRect::at(at.x + float(c) * size.x + air / 2, at.y + float(r) * size.y + air / 2,
                               size.x - air, size.y - air);
            page_cell({&node, r, c, rect, &face, colours().window}, session, commands);
        }
}

} // namespace headlight
