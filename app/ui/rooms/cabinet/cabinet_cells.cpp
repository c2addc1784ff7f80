#include "app/ui/asking/asked.h"
#include "app/ui/asking/asked_arithmetic.h"
#include "app/ui/rooms/cabinet/cabinet_parts.h"
#include "app/ui/values/value_view.h"
#include "app/ui/widgets/number_painter.h"

#include <algorithm>

namespace headlight {

const Node& cabinet_node(const Session& session, const char* name) {
    return *session.small_pages().filing_cabinet->graph.find(std::string("cabinet.") + name);
}

bool is_covered(const Session& session, const Node& node, Index row, Index column) {
    return session.view().teaching.cover.hides(node.path, {0, row, column});
}

void cabinet_cell(const CabinetCell& cell, const Session& session, CommandSink& commands) {
    const Node& node = *cell.node;
    const NamedCell here{node.path, {0, cell.row, cell.column}};
    SmallPageAsking& asking = small_page_asking();
    const std::optional<NamedCell> asked = asking.asked(session);
    const std::vector<MatrixCell> lit = lit_in(cells_of_direction(session, asked), node);
    const bool is_lit = std::ranges::find(lit, MatrixCell{int(cell.row), int(cell.column)}) != lit.end();
    const std::string name = node.path + "." + std::to_string(cell.row) + "." + std::to_string(cell.column);
    const Pressable p = pressable(name.c_str(), cell.rect);
    if (cell.surface) pen().AddRectFilled(cell.rect.min, cell.rect.max, *cell.surface, px(4));
    if (is_lit) // what lies under it stays to be seen
        pen().AddRectFilled(cell.rect.min, cell.rect.max,
                            with_alpha(colours().accent_soft, cell.surface ? 1.f : 0.35f), px(4));
    const Colour outline = asked == here ? colours().ink : is_lit ? colours().accent : colours().line;
    pen().AddRect(cell.rect.min, cell.rect.max, p.hovered ? colours().ink : outline, px(4), 0,
                  asked == here ? px(2) : 1);
    if (asking.hinted == here)
        pen().AddRect(cell.rect.min, cell.rect.max, colours().warning, px(4), 0, px(2));
    const bool covered = is_covered(session, node, cell.row, cell.column);
    if (covered) paint_cover(pen(), cell.rect);
    const std::string number(trim(format_fixed(double(node.value(0, cell.row, cell.column)), 2)));
    if (!covered) draw_text_in(pen(), *cell.face, cell.rect, colours().ink, number, Align::centre);
    if (p.hovered) {
        asking.point(here);
        tooltip_when_resting(name, cell.rect, true,
                             value_title(session, node, 0) + "  ·  " + cell_place(session, node, here.cell));
    }
    if (p.pressed) {
        const NamedCell* held = held_on_small_page(session);
        commands.emit(held && *held == here ? "unselect" : select_command(here));
    }
}

void cabinet_cells(const Node& node, ImVec2 at, ImVec2 size, const Face& face, const Session& session,
                   CommandSink& commands) {
    const float air = px(2);
    for (Index r = 0; r < node.value.rows(); ++r)
        for (Index c = 0; c < node.value.columns(); ++c) {
            const ScreenRect rect =
                ScreenRect::at(at.x + float(c) * size.x + air / 2, at.y + float(r) * size.y + air / 2,
                               size.x - air, size.y - air);
            cabinet_cell({&node, r, c, rect, &face, colours().window}, session, commands);
        }
}

} // namespace headlight
