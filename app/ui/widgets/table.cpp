#include "app/ui/widgets/table.h"

#include "app/ui/base/ui.h"
#include "app/ui/widgets/columns.h"
#include "app/ui/widgets/controls.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace headlight {
namespace {

// At both sides, where something in it is lit under the pointer.
float margin(const Table& table) {
    const bool can_be_pressed =
        std::any_of(table.rows.begin(), table.rows.end(),
                    [](const TableRow& row) { return !row.name.empty(); })
        || std::any_of(table.columns.begin(), table.columns.end(),
                       [](const TableColumn& one) { return !one.heading.name.empty(); });
    return can_be_pressed ? px(4) : 0;
}
float cell_gap() { return px(10); }
float dot_width() { return px(14); }

const Face& face_of(const TableCell& cell, const TableColumn& column) {
    return cell.face                      ? *cell.face
           : column.face                  ? *column.face
           : column.align == Align::right ? faces().mono_small
                                          : faces().body;
}

const Face& heading_face(const TableColumn& column) {
    return column.heading.face ? *column.heading.face : faces().caption;
}

float content_width(const Table& table, std::size_t i, bool with_heading) {
    const TableColumn& column = table.columns[i];
    float widest = with_heading ? text_width(heading_face(column), column.heading.text) : 0;
    for (const TableRow& row : table.rows)
        if (i < row.cells.size())
            widest = std::max(widest, text_width(face_of(row.cells[i], column), row.cells[i].text)
                                          + (row.cells[i].dot ? dot_width() : 0));
    return std::ceil(widest) + 1;
}

// How wide each column is; below 0: let go.
std::vector<float> column_widths(const Table& table, float room) {
    std::vector<float> widths;
    const auto wanted = [&](std::size_t i, bool with_heading) {
        const TableColumn& column = table.columns[i];
        return column.share > 0 ? column.least
                                : std::max(column.least, content_width(table, i, with_heading));
    };
    for (std::size_t i = 0; i < table.columns.size(); ++i) widths.push_back(wanted(i, true));
    const auto left = [&] {
        float rest = room - 2 * margin(table) + cell_gap();
        for (const float width : widths) rest -= width < 0 ? 0 : width + cell_gap();
        return rest;
    };
    while (left() < 0) {
        std::size_t least = 0;
        for (std::size_t i = 1; i < widths.size(); ++i)
            if (widths[i] >= 0 && (widths[least] < 0 || table.columns[i].spare > table.columns[least].spare))
                least = i;
        if (table.columns[least].spare == 0 || widths[least] < 0) break;
        widths[least] = -1;
    }
    // What is left goes to those that share it. What is missing is taken from headings, then from words:
    // numbers must be whole.
    for (std::size_t i = 0; i < widths.size() && left() < 0; ++i)
        if (widths[i] >= 0) widths[i] = wanted(i, false);
    const float rest = left();
    float whole = 0;
    const auto part = [&](std::size_t i) {
        if (widths[i] < 0) return 0.f;
        return rest >= 0                               ? table.columns[i].share
               : table.columns[i].align == Align::left ? std::max(0.f, widths[i] - px(20))
                                                       : 0;
    };
    for (std::size_t i = 0; i < widths.size(); ++i) whole += part(i);
    std::vector<float> given = widths;
    for (std::size_t i = 0; i < widths.size() && whole > 0; ++i)
        if (widths[i] >= 0) given[i] = std::max(0.f, std::floor(widths[i] + rest * part(i) / whole));
    return given;
}

void draw_bar(const TableCell& cell, const TableColumn& column, const ScreenRect& place) {
    const float half = std::min(px(5), place.height() * 0.3f), middle = std::round(place.centre().y);
    const float zero = column.two_sided ? std::round(place.centre().x) : place.min.x,
                reach = place.max.x - zero, share = std::clamp(*cell.bar, column.two_sided ? -1.f : 0.f, 1.f);
    if (column.two_sided)
        pen().AddLine({zero, middle - half - px(2)}, {zero, middle + half + px(2)}, colours().frame);
    else
        pen().AddRectFilled({place.min.x, middle - half}, {place.max.x, middle + half}, colours().raised,
                            px(3));
    if (share == 0) return;
    const float end =
        zero + std::copysign(std::max(2.f, std::abs(share) * reach), share); // it leaves a trace
    pen().AddRectFilled({std::min(zero, end), middle - half}, {std::max(zero, end), middle + half},
                        cell.colour ? cell.colour : colours().probability, px(3));
}

void draw_cell(const TableCell& cell, const TableColumn& column, const Face& face, ScreenRect place,
               Colour ink) {
    if (!cell.name.empty()) widgets().record(cell.name, place);
    if (cell.bar && std::isfinite(*cell.bar)) draw_bar(cell, column, place);
    if (cell.dot) {
        pen().AddCircleFilled({place.min.x + px(5), place.centre().y}, px(4), cell.dot, 16);
        place.min.x += dot_width();
    }
    draw_label(pen(), face, place, cell.colour ? cell.colour : ink, cell.text, column.align);
    const bool hovered = ImGui::IsWindowHovered() && place.contains(ImGui::GetIO().MousePos);
    tooltip_when_resting(cell.name.empty() ? cell.text : cell.name, place, hovered, cell.tooltip);
}

} // namespace

float table_line() { return std::ceil(faces().body.size * 1.5f); }

TableResult draw_table(const Table& table, PanelColumn& column) {
    TableResult result;
    const std::vector<float> widths = column_widths(table, column.width());
    const bool has_heading = std::any_of(table.columns.begin(), table.columns.end(),
                                         [](const TableColumn& one) { return !one.heading.text.empty(); });
    float line = table.line > 0 ? table.line : table_line(), bottom = std::numeric_limits<float>::infinity();
    if (table.height > 0) {
        const float even = std::floor(table.height / float(table.rows.size() + has_heading));
        line = std::clamp(even, std::min(line, std::ceil(faces().body.size * 1.15f)), line);
        bottom = column.y + table.height + 1;
    }
    // The place of each column that is shown, in a line.
    const auto each_place = [&](const ScreenRect& row, const auto& draw) {
        float x = row.min.x + margin(table);
        for (std::size_t i = 0; i < widths.size(); ++i) {
            if (widths[i] < 0) continue;
            draw(i, ScreenRect::at(x, row.min.y, widths[i], row.height()));
            x += widths[i] + cell_gap();
        }
    };
    const float top = column.y;
    if (has_heading)
        each_place(column.take(line), [&](std::size_t i, const ScreenRect& place) {
            const TableColumn& one = table.columns[i];
            const TableCell& heading = one.heading;
            if (!heading.name.empty()) {
                const ScreenRect around{{place.min.x - margin(table), place.min.y},
                                        {place.max.x + margin(table), place.max.y}};
                const Pressable p = pressable(heading.name.c_str(), around);
                if (one.chosen || p.hovered)
                    pen().AddRectFilled(around.min, around.max,
                                        one.chosen ? colours().accent_soft : colours().hovered, px(5));
                if (p.pressed) result.heading = i;
            }
            draw_cell(heading, one, heading_face(one), place,
                      one.chosen ? colours().accent : colours().ink_soft);
        });
    for (std::size_t r = 0; r < table.rows.size() && column.y + line <= bottom; ++r) {
        const TableRow& row = table.rows[r];
        if (row.is_total) column.skip(px(4));
        if (row.is_total || table.has_rules)
            pen().AddLine({column.left, column.y}, {column.right, column.y},
                          with_alpha(colours().line, row.is_total ? 1 : 0.7f));
        const ScreenRect place = column.take(line);
        if (!row.name.empty()) {
            const Pressable p = pressable(row.name.c_str(), place);
            if (row.chosen || p.hovered)
                pen().AddRectFilled(place.min, place.max,
                                    row.chosen ? colours().accent_soft : colours().hovered, px(5));
            if (p.pressed) result.pressed = r;
            if (p.hovered) result.hovered = r;
            tooltip_when_resting(row.name, place, p.hovered, row.tooltip);
        }
        each_place(place, [&](std::size_t i, const ScreenRect& cell) {
            if (i < row.cells.size())
                draw_cell(row.cells[i], table.columns[i], face_of(row.cells[i], table.columns[i]), cell,
                          row.chosen ? colours().accent : colours().ink);
        });
    }
    if (!table.name.empty()) widgets().record(table.name, {{column.left, top}, {column.right, column.y}});
    return result;
}

} // namespace headlight
