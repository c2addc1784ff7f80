#include "app/ui/panels/changes/change_words.h"
#include "app/ui/panels/heads/pair_parts.h"
#include "app/ui/panels/scrolled_column.h"
#include "app/ui/panels/value_view.h"
#include "app/ui/ui.h"
#include "app/ui/widgets/heatmap_layout.h"
#include "app/ui/widgets/text.h"

#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace headlight {

namespace {

enum Which { of_first, of_second, of_difference };
constexpr std::array<const char*, 3> names = {"pair.cells.first", "pair.cells.second",
                                              "pair.cells.difference"};

const WordMap& words_of(const PairedMap& map, Which which) {
    return which == of_first ? map.first : which == of_second ? map.second : map.difference;
}

// Where a pair of words stands along an axis of one of the maps; −1 when it has no such word.
int place_of(const std::vector<WordPair>& pairs, int pair, Which which) {
    if (which == of_difference) return pair;
    const WordPair& words = pairs[std::size_t(pair)];
    return int(which == of_first ? words.first : words.second);
}

int pair_at(const std::vector<WordPair>& pairs, int place, Which which) {
    for (int i = 0; i < int(pairs.size()); ++i)
        if (place_of(pairs, i, which) == place) return i;
    return -1;
}

// Words that the other sentence does not have.
std::vector<int> places_of_others(const std::vector<WordPair>& pairs, Which which) {
    std::vector<int> places;
    for (int i = 0; i < int(pairs.size()); ++i)
        if (const int place = place_of(pairs, i, which); !pairs[std::size_t(i)].same && place >= 0)
            places.push_back(place);
    return places;
}

// A heatmap with what it points to.
struct MapView {
    HeatmapView view;
    std::string title, row_axis, column_axis;
    std::vector<int> marked_rows, marked_columns;

    MapView() = default;
    MapView(const MapView&) = delete;
    MapView& operator=(const MapView&) = delete;
};

void make_view(MapView& out, const Session& session, const PairedMap& map, Which which,
               const std::optional<MatrixCell>& pointed) {
    const Theme& t = theme();
    const Strings& s = session.strings();
    const WordMap& words = words_of(map, which);
    const auto &rows = map.transposed ? words.keys : words.queries,
               &columns = map.transposed ? words.queries : words.keys;
    const auto &row_pairs = map.transposed ? map.keys : map.queries,
               &column_pairs = map.transposed ? map.queries : map.keys;
    const std::string query = s.text("story.axis.query"), key = s.text("story.axis.key");
    out.row_axis = (map.transposed ? key : query) + " ↓";
    out.column_axis = (map.transposed ? query : key) + " →";
    constexpr std::array<const char*, 3> titles = {"pair.first", "pair.second_one", "pair.difference"};
    out.title = s.text(titles[which]);
    HeatmapView& view = out.view;
    view.name = names[which];
    view.title = out.title;
    view.show_shape = false;
    view.matrix = {words.numbers.data(),
                   int(rows.size()),
                   int(columns.size()),
                   std::ptrdiff_t(columns.size()),
                   heatmap_id(std::string(names[which]) + map.path + std::to_string(int(map.map))
                                  + (map.transposed ? "ᵀ" : ""),
                              int(map.head)),
                   session.version()};
    view.row_labels = rows;
    view.column_labels = columns;
    view.row_axis = out.row_axis;
    view.column_axis = out.column_axis;
    view.cell_aspect = tallest_of_attention;
    view.tallest_row = tallest_of_attention;
    view.show_readout = false;
    if (which == of_difference) {
        view.palette = Palette::diverging;
        view.blanks = true;
    } else {
        view.title_colour = view.marked = sentence_colour(t, which == of_second);
        view.palette = Palette::sequential;
        view.range = ValueRange{0, map.largest > 0 ? map.largest : 1};
        out.marked_rows = places_of_others(row_pairs, which);
        out.marked_columns = places_of_others(column_pairs, which);
        view.marked_rows = out.marked_rows;
        view.marked_columns = out.marked_columns;
    }
    if (!pointed) return;
    const int query_place = place_of(map.queries, pointed->row, which),
              key_place = place_of(map.keys, pointed->column, which);
    if (query_place < 0 || key_place < 0) return;
    view.selected = map.transposed ? MatrixCell{key_place, query_place} : MatrixCell{query_place, key_place};
}

bool fits(const PairedMap& map, const MatrixCell& cell) {
    return cell.row < int(map.queries.size()) && cell.column < int(map.keys.size());
}

// "it → animal    1  0.312    2  0.120    2 − 1  −0.192"
void readout(const ScreenRect& rect, const Session& session, const PairedMap& map,
             const std::optional<MatrixCell>& cell) {
    const Theme& t = theme();
    const Strings& s = session.strings();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    widgets().record("pair.readout", rect);
    if (!cell) {
        draw_label(list, t.faces.body, rect, t.colours.ink_faint, s.text("pair.readout.hint"));
        return;
    }
    // The difference knows the words of both, whichever way round.
    const std::string text = map.difference.queries[std::size_t(cell->row)] + "  →  "
                             + map.difference.keys[std::size_t(cell->column)];
    float x = rect.min.x;
    const auto put = [&](const Face& face, Colour colour, const std::string& what, float gap) {
        const float width = std::min(std::ceil(text_width(face, what)) + 1, std::max(rect.max.x - x, 1.f));
        draw_label(list, face, ScreenRect::at(x, rect.min.y, width, rect.height()), colour, what);
        x += width + gap;
    };
    put(t.faces.strong, t.colours.ink, text, t.px(26));
    for (const Which which : {of_first, of_second, of_difference}) {
        const WordMap& words = words_of(map, which);
        const int query = place_of(map.queries, cell->row, which),
                  key = place_of(map.keys, cell->column, which);
        const int row = map.transposed ? key : query, column = map.transposed ? query : key;
        const std::size_t columns = map.transposed ? words.queries.size() : words.keys.size();
        const Real number = query < 0 || key < 0
                                ? -INFINITY
                                : words.numbers[std::size_t(row) * columns + std::size_t(column)];
        const bool absent = query < 0 || key < 0 || (which == of_difference && std::isinf(number));
        put(t.faces.caption,
            which == of_difference ? t.colours.ink_soft : sentence_colour(t, which == of_second),
            which == of_first    ? "1"
            : which == of_second ? "2"
                                 : "2 − 1",
            t.px(8));
        put(t.faces.mono, t.colours.ink, absent ? s.text("pair.absent") : format_number(double(number), 4),
            t.px(26));
    }
}

void notes(const ScreenRect& rect, const Session& session, const PairedMap& map) {
    const Theme& t = theme();
    const Strings& s = session.strings();
    std::string text = s.text("pair.same_colours", {format_number(double(map.largest), 3)});
    const auto lonely = [](const WordPair& pair) { return !pair.both(); };
    if (std::any_of(map.queries.begin(), map.queries.end(), lonely)
        || std::any_of(map.keys.begin(), map.keys.end(), lonely))
        text += "  " + s.text("pair.hatched");
    else
        text += "  " + s.text("pair.paired");
    draw_wrapped(*ImGui::GetWindowDrawList(), t.faces.caption, rect.min, rect.width(), t.colours.ink_faint,
                 text);
}

} // namespace

void pair_maps(const ScreenRect& rect, const Session& session, const PairedMap& map,
               std::optional<MatrixCell>& pointed) {
    const Theme& t = theme();
    if (pointed && !fits(map, *pointed)) pointed.reset();
    const float line = t.faces.body.size * 1.7f, below = line + 2 * t.faces.caption.size * line_spacing;
    const float gap = t.px(20), width = std::floor((rect.width() - 2 * gap) / 3),
                height = rect.height() - below - t.px(6);
    std::array<MapView, 3> maps;
    float cell = maps[0].view.largest_cell;
    for (const Which which : {of_first, of_second, of_difference}) { // cells of one size in all three
        make_view(maps[which], session, map, which, pointed);
        cell =
            std::min(cell, lay_out_heatmap(maps[which].view, {width, height}).geometry.cell_height / t.scale);
    }
    std::optional<MatrixCell> now;
    float bottom = rect.min.y;
    for (const Which which : {of_first, of_second, of_difference}) {
        MapView& one = maps[which];
        one.view.largest_cell = cell;
        const HeatmapResult drawn = heatmap(
            one.view, ScreenRect::at(rect.min.x + float(which) * (width + gap), rect.min.y, width, height));
        bottom = std::max(bottom, drawn.rect.max.y);
        if (!drawn.hovered) continue;
        const int query = map.transposed ? drawn.hovered->column : drawn.hovered->row,
                  key = map.transposed ? drawn.hovered->row : drawn.hovered->column;
        now = MatrixCell{pair_at(map.queries, query, which), pair_at(map.keys, key, which)};
    }
    pointed = now;
    readout(ScreenRect::at(rect.min.x, bottom + t.px(6), rect.width(), line), session, map, now);
    notes({{rect.min.x, bottom + t.px(6) + line}, rect.max}, session, map);
}

} // namespace headlight
