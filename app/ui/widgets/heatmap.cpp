#include "app/ui/widgets/heatmap.h"

#include "app/ui/base/ui.h"
#include "app/ui/widgets/heatmap.h"
#include "app/ui/widgets/text.h"
#include "app/ui/widgets/token_strip.h"
#include "engine/base/check.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace headlight {
namespace {

constexpr float faded = 0.72f; // of what is not lit

struct Painter {
    const HeatmapView& view;
    const HeatmapLayout& layout;
    ScreenRect rect;
    HeatmapGeometry geometry; // on the screen
    ValueRange range;
    const Theme& look = theme();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    std::optional<MatrixCell> hovered{};

    float x(float from_left) const { return rect.min.x + from_left; }
    float y(float from_top) const { return rect.min.y + from_top; }
    float value(MatrixCell cell) const { return *view.matrix.at(cell.row, cell.column); }
    bool anything_lit() const {
        return !view.lit_rows.empty() || !view.lit_columns.empty() || !view.lit_cells.empty();
    }
    bool lit(MatrixCell cell) const {
        return std::ranges::find(view.lit_rows, cell.row) != view.lit_rows.end()
               || std::ranges::find(view.lit_columns, cell.column) != view.lit_columns.end()
               || std::ranges::find(view.lit_cells, cell) != view.lit_cells.end();
    }
    ScreenRect cell_rect(MatrixCell cell) const {
        return {{geometry.column_edge(cell.column), geometry.row_edge(cell.row)},
                {geometry.column_edge(cell.column + 1), geometry.row_edge(cell.row + 1)}};
    }

    void title() const;
    void cells() const;
    void numbers() const;
    void outlines() const;
    Colour label_ink(int place, bool here, std::span<const int> lit, std::span<const int> marked) const;
    void row_labels() const;
    void column_labels() const;
    void words() const;
    void axes() const;
    void legend() const;
    void readout() const;
    bool is_covered(MatrixCell cell) const;
    bool covers() const; // paints what is covered; true where the pointer is on it
};

void Painter::title() const {
    if (!view.show_title) return;
    const Face &strong = look.faces.strong, &caption = look.faces.caption;
    const std::string& shape = layout.shape;
    const float width = rect.width();
    if (layout.title) {
        const auto line = ScreenRect::at(x(0), y(layout.title_y), width, strong.size);
        const Face& face = text_width(strong, view.title) <= width ? strong : caption;
        draw_label(list, face, line, view.title_colour.value_or(look.colours.ink), view.title);
    }
    if (layout.caption_beside_title) {
        // On one baseline.
        const float lift = ascent(strong) - ascent(caption);
        draw_text(list, caption, {x(text_width(strong, view.title) + look.px(10)), y(layout.title_y + lift)},
                  look.colours.ink_soft, shape);
    } else if (layout.caption_below) {
        draw_label(list, caption, ScreenRect::at(x(0), y(layout.caption_y), width, caption.size),
                   look.colours.ink_soft, shape);
    }
}

void Painter::cells() const {
    HeatmapRenderer& renderer = ui().display().heatmaps();
    HeatmapColouring colouring{int(view.palette), range.low, range.high, anything_lit() ? faded : 0};
    renderer.add(list, view.matrix, geometry, colouring);
    if (!anything_lit()) return;
    colouring.dimming = 0;
    const auto light = [&](CellRange part) {
        part = {std::max(part.first_row, 0), std::min(part.end_row, geometry.rows),
                std::max(part.first_column, 0), std::min(part.end_column, geometry.columns)};
        renderer.add(list, view.matrix, geometry, colouring, &part);
    };
    for (const int row : view.lit_rows) light({row, row + 1, 0, geometry.columns});
    for (const int column : view.lit_columns) light({0, geometry.rows, column, column + 1});
    for (const MatrixCell cell : view.lit_cells)
        light({cell.row, cell.row + 1, cell.column, cell.column + 1});
}

bool Painter::is_covered(MatrixCell cell) const {
    return std::any_of(view.covered.begin(), view.covered.end(), [&](const MatrixCell& part) {
        return (part.row < 0 || part.row == cell.row) && (part.column < 0 || part.column == cell.column);
    });
}

void Painter::numbers() const {
    if (!layout.numbers) return;
    const bool is_small = layout.numbers->face->size < look.faces.mono_small.size;
    const ImVec2 low = list.GetClipRectMin(), high = list.GetClipRectMax();
    const CellRange seen = geometry.visible(low.x, low.y, high.x, high.y);
    const bool dim = anything_lit();
    for (int row = seen.first_row; row < seen.end_row; ++row)
        for (int column = seen.first_column; column < seen.end_column; ++column) {
            const MatrixCell cell{row, column};
            const float number = value(cell);
            if ((view.blanks && std::isinf(number)) || is_covered(cell)) continue;
            const ScreenRect place = cell_rect(cell);
            // The monospaced ∞ is too small to be read.
            const Face& face = std::isinf(number) && !is_small ? look.faces.caption : *layout.numbers->face;
            Colour behind = look.colours.card, ink = look.colours.ink_soft;
            if (std::isfinite(number)) {
                behind = look.palette_colour(view.palette, (number - range.low) / (range.high - range.low));
                ink = look.ink_on(behind);
            } else if (!(number < 0)) {
                // A quiet place on the alarm for the text to stand on.
                const float half = text_width(face, "NaN") / 2 + 2;
                list.AddRectFilled({place.centre().x - half, place.centre().y - face.size / 2},
                                   {place.centre().x + half, place.centre().y + face.size / 2},
                                   look.colours.alarm);
                ink = look.ink_on(look.colours.alarm);
            }
            if (dim && !lit(cell)) ink = faded_ink(behind, faded);
            const std::string text = written(number, *layout.numbers); // centred; the sign hangs
            const float sign = number < 0 && !is_small ? text_width(face, "−") : 0;
            const float width = text_width(face, text) - sign;
            draw_text(list, face, {place.centre().x - width / 2 - sign, place.centre().y - face.size / 2},
                      ink, text);
        }
}

void Painter::outlines() const {
    list.AddRect({geometry.x - 0.5f, geometry.y - 0.5f},
                 {geometry.x + geometry.width() + 0.5f, geometry.y + geometry.height() + 0.5f},
                 with_alpha(look.colours.ink, 0.16f));
    for (const MatrixCell cell : view.edited) {
        const ScreenRect place = cell_rect(cell);
        const float size = std::min(std::min(place.width(), place.height()) * 0.4f, look.px(8));
        list.AddTriangleFilled({place.max.x - size, place.min.y}, {place.max.x, place.min.y},
                               {place.max.x, place.min.y + size}, look.colours.accent);
    }
    const auto outline = [&](MatrixCell cell, float thickness) {
        const ScreenRect place = cell_rect(cell);
        const float half = thickness / 2;
        list.AddRect({place.min.x - half - 1, place.min.y - half - 1},
                     {place.max.x + half + 1, place.max.y + half + 1}, look.colours.card, 0, 0,
                     thickness + 2);
        list.AddRect({place.min.x - half, place.min.y - half}, {place.max.x + half, place.max.y + half},
                     look.colours.ink, 0, 0, thickness);
    };
    if (view.selected && view.selected->row < geometry.rows && view.selected->column < geometry.columns)
        outline(*view.selected, look.px(2));
    if (hovered && hovered != view.selected) outline(*hovered, 1);
}

Colour Painter::label_ink(int place, bool here, std::span<const int> lit, std::span<const int> marked) const {
    if (std::ranges::find(marked, place) != marked.end()) return view.marked;
    const bool is_lit = std::ranges::find(lit, place) != lit.end();
    return here || is_lit ? look.colours.ink : look.colours.ink_soft;
}

// Places whose labels are wanted most, the first of them the most.
std::vector<int> wanted_places(std::optional<int> hovered, std::optional<int> selected,
                               std::optional<int> held, int count) {
    std::vector<int> places;
    for (const std::optional<int> place : {hovered, selected, held})
        if (place && *place >= 0 && *place < count) places.push_back(*place);
    return places;
}

std::optional<int> the_only(std::span<const int> places) {
    return places.size() == 1 ? std::optional(places.front()) : std::nullopt;
}

// Every so many labels, and those that are wanted: their neighbours make room for them, and the less wanted
// for the more.
template <typename Draw>
void each_label(int count, int every, std::span<const int> wanted, Draw draw) {
    const auto stands_near = [&](int place, std::span<const int> others) {
        return std::ranges::any_of(others, [&](int other) { return std::abs(place - other) < every; });
    };
    for (int place = 0; place < count; place += every)
        if (!stands_near(place, wanted)) draw(place);
    for (std::size_t i = 0; i < wanted.size(); ++i)
        if (!stands_near(wanted[i], wanted.first(i))) draw(wanted[i]);
}

void Painter::row_labels() const {
    if (layout.label_every_row == 0) return;
    const Face& face = *layout.label;
    const int count = std::min(geometry.rows, int(view.row_labels.size()));
    const auto draw = [&](int row, Colour ink) {
        const float middle = (geometry.row_edge(row) + geometry.row_edge(row + 1)) / 2;
        const auto place = ScreenRect::at(geometry.x - look.px(7) - layout.row_label_width,
                                          middle - face.size / 2, layout.row_label_width, face.size);
        draw_label(list, face, place, ink, view.row_labels[std::size_t(row)], Align::right);
    };
    const auto wanted = wanted_places(hovered ? std::optional(hovered->row) : std::nullopt,
                                      view.selected ? std::optional(view.selected->row) : std::nullopt,
                                      view.named_row ? view.named_row : the_only(view.lit_rows), count);
    each_label(count, layout.label_every_row, wanted, [&](int row) {
        draw(row, label_ink(row, hovered && row == hovered->row, view.lit_rows, view.marked_rows));
    });
}

void Painter::column_labels() const {
    if (layout.column_labels == ColumnLabels::none) return;
    const Face& face = *layout.label;
    const int count = std::min(geometry.columns, int(view.column_labels.size()));
    const auto draw = [&](int column, Colour ink) {
        const std::string& label = view.column_labels[std::size_t(column)];
        const float left = geometry.column_edge(column), right = geometry.column_edge(column + 1);
        if (layout.column_labels == ColumnLabels::level) {
            draw_label(list, face,
                       ScreenRect::at(left, geometry.y - face.size - look.px(3), right - left, face.size),
                       ink, label, Align::centre);
            return;
        }
        draw_turned_label(list, face, {(left + right) / 2, geometry.y - look.px(6)}, turned_degrees,
                          layout.column_label_length, ink, label);
    };
    const auto wanted =
        wanted_places(hovered ? std::optional(hovered->column) : std::nullopt,
                      view.selected ? std::optional(view.selected->column) : std::nullopt,
                      view.named_column ? view.named_column : the_only(view.lit_columns), count);
    each_label(count, layout.label_every_column, wanted, [&](int column) {
        draw(column,
             label_ink(column, hovered && column == hovered->column, view.lit_columns, view.marked_columns));
    });
}

// Between the labels and the cells.
void Painter::words() const {
    const auto row = [&](std::size_t i) { return geometry.row_edge(int(i)); };
    const auto column = [&](std::size_t i) { return geometry.column_edge(int(i)); };
    if (layout.label_every_row == 1 && int(view.row_words.size()) <= geometry.rows)
        draw_word_brackets(list, view.row_words, row, geometry.x - look.px(3), true, look.colours.frame,
                           look.px(1.5f));
    if (layout.column_labels != ColumnLabels::none && int(view.column_words.size()) <= geometry.columns)
        draw_word_brackets(list, view.column_words, column, geometry.y - look.px(3), false,
                           look.colours.frame, look.px(1.5f));
}

void Painter::axes() const {
    if (!layout.axes) return;
    const Face& face = *layout.label;
    const float top = y(layout.axis_y);
    draw_text(list, face, {geometry.x, top}, look.colours.ink_faint, view.column_axis);
    if (view.row_axis.empty()) return;
    const float row_axis_bottom = geometry.y - look.px(3) - face.size;
    draw_text_in(
        list, face,
        ScreenRect::at(x(0), std::max(row_axis_bottom, top), geometry.x - look.px(7) - x(0), face.size),
        look.colours.ink_faint, view.row_axis, Align::right);
}

void Painter::legend() const {
    const MatrixFacts& facts = facts_of(view.matrix);
    if (!layout.legend || facts.finite == 0) return;
    // The bar runs from the smallest number that is there to the largest, in the colours that they have.
    const Face &caption = look.faces.caption, &face = look.faces.mono_small;
    const float bar_height = look.px(8), middle = y(layout.legend_y) + caption.size / 2;
    const ScreenRect bar =
        ScreenRect::at(x(layout.bar_left), std::round(middle - bar_height / 2), layout.bar_width, bar_height);
    const auto colour = [&](float share) {
        const float number = std::lerp(facts.low, facts.high, share);
        return look.palette_colour(view.palette, (number - range.low) / (range.high - range.low));
    };
    constexpr int steps = 24;
    for (int step = 0; step < steps; ++step) {
        const float from = float(step) / steps, to = float(step + 1) / steps;
        const Colour left = colour(from), right = colour(to);
        list.AddRectFilledMultiColor({bar.min.x + from * bar.width(), bar.min.y},
                                     {bar.min.x + to * bar.width(), bar.max.y}, left, right, right, left);
    }
    list.AddRect({bar.min.x - 0.5f, bar.min.y - 0.5f}, {bar.max.x + 0.5f, bar.max.y + 0.5f},
                 with_alpha(look.colours.ink, 0.16f));
    auto [low, high] = range_texts(double(facts.low), double(facts.high));
    if (view.hides_ends) low = high = "?";
    const float text_top = middle - face.size / 2;
    if (layout.range_behind_bar) {
        draw_text(list, face, {bar.max.x + look.px(9), text_top}, look.colours.ink_soft, low + " … " + high);
    } else {
        draw_text(list, face, {bar.min.x - look.px(7) - text_width(face, low), text_top},
                  look.colours.ink_soft, low);
        draw_text(list, face, {bar.max.x + look.px(7), text_top}, look.colours.ink_soft, high);
    }

    const auto mark = [&](float number, float overhang, Colour ink) {
        if (facts.high <= facts.low) return;
        const float share = std::clamp((number - facts.low) / (facts.high - facts.low), 0.0f, 1.0f);
        const float at = std::round(bar.min.x + share * bar.width());
        list.AddRectFilled({at - 2, bar.min.y - overhang}, {at + 2, bar.max.y + overhang}, look.colours.card);
        list.AddRectFilled({at - 1, bar.min.y - overhang}, {at + 1, bar.max.y + overhang}, ink);
    };
    if (facts.low < 0 && facts.high > 0) {
        const float at = bar.min.x + std::round(-facts.low / (facts.high - facts.low) * bar.width());
        list.AddRectFilled({at, bar.max.y + 1}, {at + 1, bar.max.y + look.px(4)}, look.colours.ink_soft);
    }
    if (hovered && std::isfinite(value(*hovered))) mark(value(*hovered), look.px(3), look.colours.ink);
}

bool Painter::covers() const {
    bool pointed = false;
    for (const MatrixCell& part : view.covered) {
        const int row = std::max(part.row, 0), column = std::max(part.column, 0);
        if (row >= geometry.rows || column >= geometry.columns) continue;
        const int end_row = part.row < 0 ? geometry.rows : row + 1,
                  end_column = part.column < 0 ? geometry.columns : column + 1;
        paint_cover(pen(), {{geometry.column_edge(column), geometry.row_edge(row)},
                            {geometry.column_edge(end_column), geometry.row_edge(end_row)}});
        pointed |= hovered && hovered->row >= row && hovered->row < end_row && hovered->column >= column
                   && hovered->column < end_column;
    }
    return pointed;
}

void Painter::readout() const {
    if (!layout.legend || !hovered || !view.show_readout) return;
    const Face &face = look.faces.caption, &number = look.faces.mono_small;
    const auto name = [](std::span<const std::string> labels, int index) {
        return std::size_t(index) < labels.size() ? labels[std::size_t(index)] : std::to_string(index);
    };
    const bool related = !view.row_axis.empty() && !view.column_axis.empty();
    const std::string text = format_number(value(*hovered)), between = related ? " → " : ", ";
    std::string row = name(view.row_labels, hovered->row), column = name(view.column_labels, hovered->column);
    const float left = x(layout.readout_x), top = y(layout.readout_y);
    const float room =
        x(layout.readout_end) - left - text_width(number, text) - look.px(8) - text_width(face, between);
    if (text_width(face, row) + text_width(face, column) > room) {
        // Each has half of the room, and what the other leaves of its half.
        const float row_room = std::max(room / 2, room - text_width(face, column));
        row = ellipsized(face, row, std::max(row_room, 0.0f));
        column = ellipsized(face, column, std::max(room - text_width(face, row), 0.0f));
    }
    const std::string shown = row + between + column;
    draw_text(list, face, {left, top}, look.colours.ink_soft, shown);
    draw_text(list, number,
              {left + text_width(face, shown) + look.px(8), top + ascent(face) - ascent(number)},
              look.colours.ink, text);
}

ValueRange palette_range(const HeatmapView& view) {
    if (view.range) return *view.range;
    const MatrixFacts& facts = facts_of(view.matrix);
    if (view.palette == Palette::diverging) {
        const float reach = facts.largest_magnitude > 0 ? facts.largest_magnitude : 1;
        return {-reach, reach};
    }
    const float low = std::min(facts.low, 0.0f); // colours of positive numbers begin at zero
    return {low, facts.high > low ? facts.high : low + 1};
}

} // namespace

HeatmapResult heatmap(const HeatmapView& view, const ScreenRect& available) {
    HEADLIGHT_CHECK(view.matrix.values || view.matrix.rows * view.matrix.columns == 0,
                    "a heatmap without numbers: " + std::string(view.name));
    const HeatmapLayout layout = lay_out_heatmap(view, {available.width(), available.height()});
    const ImVec2 corner{std::round(available.min.x), std::round(available.min.y)};
    HeatmapResult result;
    result.rect = ScreenRect::at(corner.x, corner.y, layout.width, layout.height);
    result.geometry = layout.geometry;
    result.geometry.x += corner.x;
    result.geometry.y += corner.y;

    Painter painter{view, layout, result.rect, result.geometry, palette_range(view)};
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    MatrixCell under;
    if (ImGui::IsWindowHovered(ImGuiHoveredFlags_AllowWhenBlockedByActiveItem)
        && ImGui::IsMouseHoveringRect(result.rect.min, result.rect.max)
        && result.geometry.cell_at(mouse.x, mouse.y, under.row, under.column))
        result.hovered = under;
    painter.hovered = result.hovered;

    // A click presses and lets go over the same cell; what moves in between is a drag of the view.
    MatrixCell pressed;
    const ImGuiIO& io = ImGui::GetIO();
    const ImVec2 press = io.MouseClickedPos[0];
    const bool dragged = io.MouseDragMaxDistanceSqr[0] > io.MouseDragThreshold * io.MouseDragThreshold;
    if (result.hovered && ImGui::IsMouseReleased(0) && !dragged
        && result.geometry.cell_at(press.x, press.y, pressed.row, pressed.column) && pressed == under)
        result.clicked = under;

    painter.title();
    if (view.matrix.rows > 0 && view.matrix.columns > 0) {
        painter.cells();
        painter.numbers();
        painter.outlines();
        painter.row_labels();
        painter.column_labels();
        painter.words();
        painter.axes();
        painter.legend();
        if (!painter.covers()) painter.readout();
    }
    widgets().record(view.name, result.rect);
    widgets().record_cells(view.name, result.geometry);
    return result;
}

ImVec2 heatmap_size(const HeatmapView& view, ImVec2 limit) {
    const HeatmapLayout layout = lay_out_heatmap(view, limit);
    return {layout.width, layout.height};
}

std::uint64_t heatmap_id(std::string_view path, int head) {
    std::uint64_t hash = 0xCBF29CE484222325ull;
    const auto eat = [&hash](unsigned byte) { hash = (hash ^ byte) * 0x100000001B3ull; };
    for (const char c : path) eat(static_cast<unsigned char>(c));
    eat(unsigned(head + 1) & 255);
    eat(unsigned(head + 1) >> 8 & 255);
    return hash;
}

} // namespace headlight
