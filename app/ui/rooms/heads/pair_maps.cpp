#include "app/ui/changes/changes.h"
#include "app/ui/rooms/heads/heads_parts.h"
#include "app/ui/rooms/heads/measure_parts.h"
#include "app/ui/values/value_view.h"
#include "app/ui/widgets/heatmap.h"
#include "app/ui/widgets/plot.h"

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
    std::string row_axis, column_axis;
    std::vector<int> marked_rows, marked_columns;

    MapView() = default;
    MapView(const MapView&) = delete;
    MapView& operator=(const MapView&) = delete;
};

void make_view(MapView& out, const Session& session, const PairedMap& map, Which which,
               const std::optional<MatrixCell>& pointed) {
    const Strings& s = session.strings();
    const WordMap& words = words_of(map, which);
    const auto &rows = map.transposed ? words.keys : words.queries,
               &columns = map.transposed ? words.queries : words.keys;
    const auto &row_pairs = map.transposed ? map.keys : map.queries,
               &column_pairs = map.transposed ? map.queries : map.keys;
    const std::string query = s.text("story.axis.query"), key = s.text("story.axis.key");
    out.row_axis = (map.transposed ? key : query) + " ↓";
    out.column_axis = (map.transposed ? query : key) + " →";
    HeatmapView& view = out.view;
    view.name = names[which];
    view.show_title = false;
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
    view.tallest_row = tallest_of_attention;
    view.show_readout = false;
    if (which == of_difference) {
        view.palette = Palette::diverging;
        view.blanks = true;
    } else {
        view.marked = sentence_colour(theme(), which == of_second);
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

// The number of a cell in one of the maps; none where a word has no partner.
std::optional<Real> number_at(const PairedMap& map, const MatrixCell& cell, Which which) {
    const int query = place_of(map.queries, cell.row, which), key = place_of(map.keys, cell.column, which);
    if (query < 0 || key < 0) return std::nullopt;
    if (which == of_difference
        && (!map.queries[std::size_t(cell.row)].both() || !map.keys[std::size_t(cell.column)].both()))
        return std::nullopt;
    const WordMap& words = words_of(map, which);
    const int row = map.transposed ? key : query, column = map.transposed ? query : key;
    const std::size_t columns = map.transposed ? words.queries.size() : words.keys.size();
    return words.numbers[std::size_t(row) * columns + std::size_t(column)];
}

// "1  0.312    2  0.120    2 − 1  −0.192    it → animal": what varies in width comes last, so that nothing
// jumps.
void readout(const ScreenRect& rect, const Session& session, const PairedMap& map, const FollowedWords& words,
             const std::optional<MatrixCell>& cell) {
    const Strings& s = session.strings();
    widgets().record("pair.readout", rect);
    if (!cell) {
        std::string text = s.text("beside.readout.hint");
        if (map.elsewhere) {
            const std::string found =
                s.text("beside.elsewhere", {both_words(session, words), percent_text(*map.elsewhere)});
            text = found + " " + text;
            if (text_width(faces().body, text) > rect.width()) text = found;
        }
        draw_label(pen(), faces().body, rect, colours().ink_soft, text);
        return;
    }
    const std::string& absent = s.text("beside.absent");
    const float number_width =
        std::max(text_width(faces().mono, "−0.00000"), text_width(faces().body, absent)) + px(16);
    constexpr std::array<const char*, 3> badges = {"1", "2", "2 − 1"};
    float x = rect.min.x;
    for (const Which which : {of_first, of_second, of_difference}) {
        const float badge = std::ceil(text_width(faces().strong, badges[which])) + px(8);
        const Colour ink =
            which == of_difference ? colours().ink : sentence_colour(theme(), which == of_second);
        draw_text_in(pen(), faces().strong, ScreenRect::at(x, rect.min.y, badge, rect.height()), ink,
                     badges[which]);
        const ScreenRect place = ScreenRect::at(x + badge, rect.min.y, number_width, rect.height());
        if (const auto number = number_at(map, *cell, which))
            draw_text_in(pen(), faces().mono, place, colours().ink, format_number(double(*number), 4));
        else
            draw_text_in(pen(), faces().body, place, colours().ink_faint, absent);
        x = place.max.x;
    }
    draw_label(pen(), faces().body, {{x, rect.min.y}, rect.max}, colours().ink,
               map.difference.queries[std::size_t(cell->row)] + "  →  "
                   + map.difference.keys[std::size_t(cell->column)]);
}

std::string notes(const Session& session, const PairedMap& map) {
    const Strings& s = session.strings();
    const auto lonely = [](const WordPair& pair) { return !pair.both(); };
    const bool hatched = std::any_of(map.queries.begin(), map.queries.end(), lonely)
                         || std::any_of(map.keys.begin(), map.keys.end(), lonely);
    return s.text("beside.same_colours", {format_number(double(map.largest), 3)}) + " "
           + s.text(hatched ? "beside.hatched" : "beside.paired");
}

// Where the followed word stands among the queries of this map; −1 when it is none of them.
int place_of_followed(const PairedMap& map, const FollowedWords& words, Which which) {
    if (words.stream != map.stream) return -1;
    const int place = int(which == of_second ? words.second : words.first);
    return which == of_difference ? pair_at(map.queries, place, of_first) : place;
}

// The row of the followed word, where it is a query of this map.
void outline_followed(const PairedMap& map, const FollowedWords& words, Which which,
                      const HeatmapGeometry& geometry) {
    const int place = place_of_followed(map, words, which);
    const int end = map.transposed ? geometry.columns : geometry.rows;
    if (place < 0 || place >= end) return;
    ScreenRect line{{geometry.x, geometry.y},
                    {geometry.x + geometry.width(), geometry.y + geometry.height()}};
    (map.transposed ? line.min.x : line.min.y) =
        map.transposed ? geometry.column_edge(place) : geometry.row_edge(place);
    (map.transposed ? line.max.x : line.max.y) =
        map.transposed ? geometry.column_edge(place + 1) : geometry.row_edge(place + 1);
    pen().AddRect({line.min.x - 1, line.min.y - 1}, {line.max.x + 1, line.max.y + 1}, colours().accent, 0, 0,
                  px(1.5f));
}

// The first sentence is the one at the top: a number of one of its heads is a number of the model.
std::optional<NamedCell> number_of_first(const Session& session, const PairedMap& map, const MatrixCell& at) {
    const Attention* attention = session.model().map().attention(map.path);
    if (!attention || map.map != HeadMap::one) return {};
    const int query = place_of(map.queries, at.row, of_first), key = place_of(map.keys, at.column, of_first);
    const NamedCell cell{attention->weights->path, {map.head, query, key}};
    return query >= 0 && key >= 0 && session.has(cell) ? std::optional(cell) : std::nullopt;
}

// Where the held number stands among the pairs.
std::optional<MatrixCell> held_in(const Session& session, const PairedMap& map) {
    const std::optional<NamedCell>& held = session.view().asking.held;
    if (!held || held->cell.batch != map.head) return {};
    const MatrixCell at{pair_at(map.queries, int(held->cell.row), of_first),
                        pair_at(map.keys, int(held->cell.column), of_first)};
    return at.row >= 0 && at.column >= 0 && number_of_first(session, map, at) == held ? std::optional(at)
                                                                                      : std::nullopt;
}

} // namespace

void pair_maps(const ScreenRect& rect, const Session& session, const PairedMap& map,
               const FollowedWords& words, std::optional<MatrixCell>& pointed, CommandSink& commands) {
    if (pointed && !fits(map, *pointed)) pointed.reset();
    const std::string note = notes(session, map);
    const float line = faces().body.size * 1.7f, title = faces().strong.size + px(6),
                below = line + wrapped_height(faces().caption, note, rect.width()) + px(6);
    const float gap = px(20), width = std::floor((rect.width() - 2 * gap) / 3),
                height = rect.height() - below - title;

    // Cells of one size in all three maps, beginning at one height.
    std::array<MapView, 3> maps;
    float cell = largest_cell_in(height) / theme().scale, first_row = 0;
    const std::optional<MatrixCell> brought_out = pointed ? pointed : held_in(session, map);
    for (const Which which : {of_first, of_second, of_difference}) {
        make_view(maps[which], session, map, which, brought_out);
        if (const int place = place_of_followed(map, words, which); place >= 0)
            (map.transposed ? maps[which].view.named_column : maps[which].view.named_row) = place;
        cell = std::min(cell, lay_out_heatmap(maps[which].view, {width, height}).geometry.cell_height
                                  / theme().scale);
    }
    for (MapView& map_view : maps) { // smaller cells may have their labels turned
        map_view.view.largest_cell = cell;
        first_row = std::max(first_row, lay_out_heatmap(map_view.view, {width, height}).geometry.y);
    }
    std::optional<MatrixCell> now;
    float bottom = rect.min.y;
    for (const Which which : {of_first, of_second, of_difference}) {
        const HeatmapView& view = maps[which].view;
        const float x = rect.min.x + float(which) * (width + gap);
        constexpr std::array<const char*, 3> titles = {"beside.first", "beside.second_one",
                                                       "beside.difference"};
        draw_label(pen(), faces().strong, ScreenRect::at(x, rect.min.y, width, title),
                   which == of_difference ? colours().ink : sentence_colour(theme(), which == of_second),
                   session.strings().text(titles[which]));
        const float down = first_row - lay_out_heatmap(view, {width, height}).geometry.y;
        const HeatmapResult drawn =
            heatmap(view, ScreenRect::at(x, rect.min.y + title + down, width, height - down));
        outline_followed(map, words, which, drawn.geometry);
        bottom = std::max(bottom, drawn.rect.max.y);
        if (!drawn.hovered) continue;
        const int query = map.transposed ? drawn.hovered->column : drawn.hovered->row,
                  key = map.transposed ? drawn.hovered->row : drawn.hovered->column;
        now = MatrixCell{pair_at(map.queries, query, which), pair_at(map.keys, key, which)};
        if (!drawn.clicked || which == of_second) continue;
        if (const auto number = number_of_first(session, map, *now)) {
            const bool is_held = session.view().asking.held == number;
            commands.emit(is_held ? "unselect" : select_command(*number));
        }
    }
    pointed = now;
    readout(ScreenRect::at(rect.min.x, bottom + px(6), rect.width(), line), session, map, words,
            now ? now : held_in(session, map));
    draw_wrapped(pen(), faces().caption, {rect.min.x, bottom + px(6) + line}, rect.width(),
                 colours().ink_faint, note);
}

// The way of a word in the plane: a path for each sentence, both in the same two principal components.

namespace {

using Point = PaperPoint;

// Points of the first sentence's stops, then of the second's.
std::vector<Point> points_of(const WordWay& way) {
    std::vector<Point> points;
    for (Index i = 0; i < way.projection.points.shape.rows; ++i)
        points.push_back({float(way.projection.points(0, i, 0)), float(way.projection.points(0, i, 1))});
    return points;
}

// An arrow from stop to stop.
void path(ImDrawList& list, const PlanePaper& plane, std::span<const Point> points, Colour colour) {
    for (std::size_t i = 0; i + 1 < points.size(); ++i) {
        if (!points[i].exists() || !points[i + 1].exists()) continue;
        const ImVec2 from = plane.at(points[i]), to = plane.at(points[i + 1]);
        list.AddLine(from, to, with_alpha(colour, 0.75f), px(2));
        const float dx = to.x - from.x, dy = to.y - from.y, length = std::hypot(dx, dy), size = px(5);
        if (length < px(26)) continue;
        const ImVec2 tip{from.x + dx * 0.55f, from.y + dy * 0.55f};
        const float ux = dx / length * size, uy = dy / length * size;
        list.AddTriangleFilled({tip.x + ux, tip.y + uy}, {tip.x - ux - uy, tip.y - uy + ux},
                               {tip.x - ux + uy, tip.y - uy - ux}, colour);
    }
}

// What names shall not cover: points, and the way between them.
std::vector<ScreenRect> occupied(const PlanePaper& plane, std::span<const Point> points, std::size_t stops) {
    const float half = px(4);
    std::vector<ScreenRect> taken;
    const auto take = [&](ImVec2 at) {
        taken.push_back(ScreenRect::at(at.x - half, at.y - half, 2 * half, 2 * half));
    };
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (!points[i].exists()) continue;
        const ImVec2 from = plane.at(points[i]);
        take(from);
        const bool last = i + 1 == stops || i + 1 == points.size();
        if (last || !points[i + 1].exists()) continue;
        const ImVec2 to = plane.at(points[i + 1]);
        const int parts = std::max(1, int(std::hypot(to.x - from.x, to.y - from.y) / (2 * half)));
        for (int k = 1; k < parts; ++k)
            take({std::lerp(from.x, to.x, float(k) / float(parts)),
                  std::lerp(from.y, to.y, float(k) / float(parts))});
    }
    return taken;
}

std::optional<std::size_t> stop_under_pointer(const Session& session, const WordWay& way,
                                              const PlanePaper& plane, std::span<const Point> points) {
    const float grip = px(9);
    const std::size_t stops = way.stops.size();
    std::optional<std::size_t> hovered;
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (!points[i].exists()) continue;
        const ImVec2 at = plane.at(points[i]);
        const bool second = i >= stops;
        const std::size_t stop = second ? i - stops : i;
        const std::string name = (second ? "pair.point.second." : "pair.point.first.") + std::to_string(stop);
        const ScreenRect around = ScreenRect::at(at.x - grip, at.y - grip, 2 * grip, 2 * grip);
        if (!pressable(name.c_str(), around).hovered) continue;
        hovered = stop;
        show_tooltip(
            session.strings().text("beside.point", {stop_name(session, way.stops[stop]), second ? "2" : "1",
                                                    word_of(session, way.words, second),
                                                    format_number(double(points[i].x), 4),
                                                    format_number(double(points[i].y), 4)}),
            around);
    }
    return hovered;
}

// Points with their names. Where both sentences are in one place the second is a ring around the first, and
// the name is said once.
void draw_points(ImDrawList& list, const Session& session, const WordWay& way, const PlanePaper& plane,
                 std::span<const Point> points, std::optional<std::size_t> lit) {
    const std::size_t stops = way.stops.size();
    std::vector<ScreenRect> taken = occupied(plane, points, stops);
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (!points[i].exists()) continue;
        const bool second = i >= stops;
        const std::size_t stop = second ? i - stops : i;
        const ImVec2 at = plane.at(points[i]);
        const float radius = px(lit == stop ? 7 : 5);
        const Colour colour = sentence_colour(theme(), second);
        if (second && points[stop].exists()) {
            const ImVec2 other = plane.at(points[stop]);
            if (std::hypot(at.x - other.x, at.y - other.y) < px(6)) {
                list.AddCircle(at, radius + px(2.5f), colour, 24, px(2));
                continue;
            }
        }
        list.AddCircleFilled(at, radius, colour, 24);
        const std::string label = stop_name(session, way.stops[stop]);
        const Face& face = faces().caption;
        const ScreenRect place =
            free_place(taken, at, {text_width(face, label), face.size}, plane.rect, px(12));
        if (const auto line = leader(place, at, px(12)))
            list.AddLine((*line)[0], (*line)[1], with_alpha(colour, 0.6f), px(1));
        draw_text(list, face, place.min, lit == stop ? colours().ink : colours().ink_soft, label);
        taken.push_back(place);
    }
}

} // namespace

std::optional<std::size_t> pair_plane(const ScreenRect& rect, const Session& session, const WordWay& way,
                                      std::optional<std::size_t> lit) {
    const ScreenRect inner = paper_within(rect);
    const std::vector<Point> points = points_of(way);
    const std::span<const Point> all(points);
    const PlanePaper plane = fit_plane(points, inner);
    const std::size_t stops = way.stops.size();
    widgets().record("pair.plane", inner);
    draw_paper(session, plane, way.projection.explained, rect);

    const std::optional<std::size_t> hovered = stop_under_pointer(session, way, plane, all);
    if (hovered) lit = hovered;
    for (std::size_t i = 0; i < stops; ++i) { // how far apart both are
        if (!points[i].exists() || !points[i + stops].exists()) continue;
        pen().AddLine(plane.at(points[i]), plane.at(points[i + stops]),
                      with_alpha(colours().ink, lit == i ? 0.9f : 0.22f), lit == i ? px(2) : 1);
    }
    for (const bool second : {false, true})
        path(pen(), plane, all.subspan(second ? stops : 0, stops), sentence_colour(theme(), second));
    draw_points(pen(), session, way, plane, all, lit);
    return hovered;
}

} // namespace headlight
