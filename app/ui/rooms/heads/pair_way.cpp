#include "app/session/step_text.h"
#include "app/ui/rooms/heads/pair_parts.h"
#include "app/ui/widgets/bar_list.h"
#include "app/ui/widgets/table.h"

#include <algorithm>
#include <cmath>

namespace headlight {

namespace {

// Which word it is and what comes of it.
std::string about(const Session& session, const FollowedWords& words) {
    const Strings& s = session.strings();
    const Sentence &first = session.sentence(), &second = *session.what_if().second();
    const std::string word = both_words(session, words);
    const ModelMap& map = session.model().map();
    const Stream& stream = *map.stream(words.stream);
    const std::string side = side_name(session, stream.name);
    if (stream.tokens != map.output.tokens) return s.text("beside.about.read", {word, side});
    const std::string &one = first.chosen_labels[std::size_t(words.first)],
                      &other = second.chosen_labels[std::size_t(words.second)];
    return one == other ? s.text("beside.about.said_same", {word, side, one})
                        : s.text("beside.about.said", {word, side, one, other});
}

} // namespace

std::string stop_name(const Session& session, const StreamStop& stop) {
    constexpr const char* names[] = {"beside.stop.embedding", "beside.stop.positions", "beside.stop.layer",
                                     "beside.stop.norm"};
    return session.strings().text(names[int(stop.kind)], {std::to_string(stop.layer + 1)});
}

namespace {

// How far apart the two are at each stop: a bar for the distance, and the cosine beside it. Returns the stop
// under the pointer.
std::optional<std::size_t> distances(PanelColumn& column, const Session& session, const WordWay& way) {
    const Strings& s = session.strings();
    double farthest = 1e-9;
    for (const WayStop& stop : way.stops)
        if (std::isfinite(stop.distance)) farthest = std::max(farthest, stop.distance);
    Table table{.columns = {{.align = Align::left},
                            {.heading = {s.text("beside.distance")},
                             .align = Align::left,
                             .least = px(40),
                             .share = 1},
                            {},
                            {.heading = {s.text("beside.cosine")}}},
                .line = bar_list_height(1)};
    for (const WayStop& stop : way.stops)
        table.rows.push_back({.cells = {{stop_name(session, stop)},
                                        {.bar = float(stop.distance / farthest)},
                                        {format_fixed(stop.distance, 2)},
                                        {format_fixed(stop.cosine, 2), colours().ink_soft}},
                              .name = "pair.distance." + std::to_string(table.rows.size())});
    const TableResult drawn = draw_table(table, column);
    column.skip(px(12));
    return drawn.hovered;
}

// What is said of the way; returns the stop under the pointer.
std::optional<std::size_t> about_way(PanelColumn& column, const Session& session, const WordWay& way) {
    const Strings& s = session.strings();
    column_text(column, faces().strong, colours().ink, about(session, way.words));
    column.skip(px(12));
    const std::optional<std::size_t> lit = distances(column, session, way);
    const double shown = way.projection.explained[0] + way.projection.explained[1];
    column_text(column, faces().caption, colours().ink_faint,
                s.text("beside.pca", {std::to_string(2 * way.stops.size()),
                                      std::to_string(way.stops.front().first.size()), percent_text(shown)}));
    if (way.projection.left_out > 0)
        column_text(column, faces().caption, colours().warning,
                    s.text("beside.left_out", {std::to_string(way.projection.left_out)}));
    return lit;
}

} // namespace

void pair_way(PanelColumn& column, float height, const Session& session, const WordWay& way) {
    if (column.width() < px(850)) { // too narrow for both beside each other
        const ScreenRect plane = column.take(std::max(height, px(240)));
        column.skip(px(12));
        const std::optional<std::size_t> lit = about_way(column, session, way);
        (void)pair_plane(plane, session, way, lit);
        return;
    }
    const ScreenRect rect = column.take(std::max(height, px(240)));
    const float gap = px(24), side = std::clamp(rect.width() * 0.34f, px(280), px(440));
    std::optional<std::size_t> lit;
    {
        ScrolledColumn scrolled("pair.side", {{rect.max.x - side, rect.min.y}, rect.max});
        lit = about_way(scrolled.column, session, way);
    }
    (void)pair_plane({rect.min, {rect.max.x - side - gap, rect.max.y}}, session, way, lit);
}

} // namespace headlight
