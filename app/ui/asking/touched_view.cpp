// What a number touches: the values that read it, and the cells of theirs that it goes into.
#include "app/ui/asking/asked.h"
#include "app/ui/asking/asked_arithmetic.h"
#include "app/ui/asking/asking_parts.h"
#include "engine/inspect/numbers.h"
#include "engine/inspect/region_cells.h"

#include <cmath>
#include <string>
#include <vector>

namespace headlight {

namespace {

constexpr std::size_t cells_listed = 3;

Index cell_count(const TouchedCells& touched) {
    Index count = 0;
    const Shape& shape = touched.node->shape();
    for (const Region& region : touched.regions)
        count += index_range(region.batch, shape.batch).size() * index_range(region.row, shape.rows).size()
                 * index_range(region.column, shape.columns).size();
    return count;
}

std::vector<Cell> first_cells(const TouchedCells& touched) {
    std::vector<Cell> cells;
    const Shape& shape = touched.node->shape();
    for (const Region& region : touched.regions) {
        const IndexRange batches = index_range(region.batch, shape.batch);
        const IndexRange rows = index_range(region.row, shape.rows);
        const IndexRange columns = index_range(region.column, shape.columns);
        for (Index b = batches.first; b < batches.end; ++b)
            for (Index r = rows.first; r < rows.end; ++r)
                for (Index c = columns.first; c < columns.end; ++c) {
                    if (cells.size() == cells_listed) return cells;
                    cells.push_back({b, r, c});
                }
    }
    return cells;
}

void touched_value(AskingContext& context, const TouchedCells& touched, const std::string& name) {
    const Session& session = context.session;
    const Strings& s = session.strings();
    const Node& node = *touched.node;
    const Index count = cell_count(touched), step = session.model().step_of(node.path);
    const std::vector<Cell> cells = first_cells(touched);

    const std::string number =
        count == 1 ? s.text("asking.cells.one") : s.text("asking.cells.many", {format_whole(count)});
    const float number_width = std::ceil(text_width(faces().caption, number)) + 1;
    const ScreenRect line = context.column.take(faces().body.size * 1.5f);
    const ScreenRect words{line.min, {line.max.x - number_width - px(8), line.max.y}};
    const Pressable p = step >= 0 ? pressable(name.c_str(), line) : Pressable{};
    draw_label(pen(), faces().strong, words, p.hovered ? colours().accent : colours().ink,
               value_title(session, node, cells.front().batch));
    draw_text_in(pen(), faces().caption, line, colours().ink_soft, number, Align::right);
    if (p.hovered) context.hinted = NamedCell{node.path, cells.front()};
    if (p.pressed) context.commands.emit("goto " + node.path);
    if (step >= 0)
        draw_label(pen(), faces().caption, context.column.take(faces().caption.size * 1.35f),
                   colours().ink_faint, step_place(session, session.model().story[std::size_t(step)]));
    context.column.skip(px(3));

    for (std::size_t i = 0; i < cells.size(); ++i) {
        const NamedCell there{node.path, cells[i]};
        const ScreenRect row = context.column.take(faces().mono_small.size * 1.5f);
        const bool covered = context.session.view().teaching.cover.hides(node.path, cells[i]);
        const std::string value =
            covered ? "?" : number_text(double(node.value(cells[i].batch, cells[i].row, cells[i].column)), 3);
        const float width = std::ceil(text_width(faces().mono_small, value)) + 1;
        const Pressable link = pressable((name + "." + std::to_string(i)).c_str(), row);
        if (link.hovered) {
            pen().AddRectFilled({row.min.x - px(4), row.min.y}, {row.max.x + px(4), row.max.y},
                                with_alpha(colours().hovered, 0.6f), px(4));
            context.hinted = there;
        }
        draw_label(pen(), faces().caption,
                   {{row.min.x + px(10), row.min.y}, {row.max.x - width - px(6), row.max.y}},
                   colours().ink_soft, cell_place(session, node, cells[i]));
        draw_text_in(pen(), faces().mono_small, row, link.hovered ? colours().accent : colours().ink, value,
                     Align::right);
        if (link.pressed) context.commands.emit(select_command(there));
    }
    if (count > Index(cells.size()))
        draw_label(
            pen(), faces().caption,
            [&] {
                ScreenRect rest = context.column.take(faces().caption.size * 1.35f);
                rest.min.x += px(10);
                return rest;
            }(),
            colours().ink_faint, s.text("window.list.more", {format_whole(count - Index(cells.size()))}));
    context.column.skip(px(10));
}

} // namespace

void touched_view(AskingContext& context, const NamedCell& asked) {
    const std::vector<TouchedCells>& touched = touched_by(context.session, asked);
    const Strings& s = context.session.strings();
    column_paragraph(context.column,
                     s.text(touched.empty() ? "asking.touches.nothing" : "asking.touches.text"));
    for (std::size_t i = 0; i < touched.size(); ++i)
        touched_value(context, touched[i], "ask.touched." + std::to_string(i));
}

} // namespace headlight
