#include "app/ui/panels/heads/pair_parts.h"
#include "app/ui/panels/scrolled_column.h"
#include "app/ui/ui.h"
#include "app/ui/widgets/bar_list.h"
#include "app/ui/widgets/text.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>

namespace headlight {

namespace {

std::string after(const Sentence& sentence, Index place) {
    return sentence.chosen_labels[std::size_t(place)];
}

// Which word it is and what comes of it.
std::string about(const Session& session, const FollowedWords& words) {
    const Strings& s = session.strings();
    const Sentence &first = session.sentence(), &second = *session.what_if().second();
    const std::string word = both_words(session, words);
    if (!words.in_decoder) return s.text("pair.about.encoder", {word});
    const std::string one = after(first, words.first), other = after(second, words.second);
    return one == other ? s.text("pair.about.decoder_same", {word, one})
                        : s.text("pair.about.decoder", {word, one, other});
}

} // namespace

std::string stop_name(const Session& session, const WayStop& stop) {
    constexpr const char* names[] = {"pair.stop.embedding", "pair.stop.positions", "pair.stop.layer",
                                     "pair.stop.norm"};
    return session.strings().text(names[int(stop.kind)], {std::to_string(stop.layer + 1)});
}

void pair_way(const ScreenRect& rect, const Session& session, const WordWay& way) {
    const Theme& t = theme();
    const Strings& s = session.strings();
    const float gap = t.px(24), side = std::clamp(rect.width() * 0.34f, t.px(280), t.px(440));
    const ScreenRect left{rect.min, {rect.max.x - side - gap, rect.max.y}};

    std::optional<std::size_t> lit;
    {
        ScrolledColumn scrolled("pair.distances", {{rect.max.x - side, rect.min.y}, rect.max});
        PanelColumn& column = scrolled.column;
        column_text(column, t.faces.strong, t.colours.ink, about(session, way.words));
        column.skip(t.px(10));
        std::vector<Bar> distances, cosines;
        float farthest = 0;
        for (const WayStop& stop : way.stops) {
            distances.push_back({stop_name(session, stop), float(stop.distance)});
            cosines.push_back({stop_name(session, stop), float(stop.cosine)});
            if (std::isfinite(stop.distance)) farthest = std::max(farthest, float(stop.distance));
        }
        const auto bars = [&](const char* name, const char* caption, const std::vector<Bar>& list,
                              float full) {
            column_caption(column, s.text(caption));
            ImGui::SetCursorScreenPos({column.left, column.y});
            const BarListResult drawn =
                bar_list({.name = name, .bars = list, .full = full, .decimals = 2, .width = column.width()});
            if (drawn.hovered) lit = std::size_t(*drawn.hovered);
            column.skip(bar_list_height(int(list.size())) + t.px(12));
        };
        bars("pair.distance", "pair.distance", distances, farthest > 0 ? farthest : 1);
        bars("pair.cosine", "pair.cosine", cosines, 1);
        const auto vectors = std::to_string(2 * way.stops.size()),
                   width = std::to_string(way.stops.front().first.size());
        column_text(
            column, t.faces.caption, t.colours.ink_faint,
            s.text("pair.pca",
                   {vectors, width,
                    format_number(100 * (way.projection.explained[0] + way.projection.explained[1]), 3)}));
        if (way.projection.left_out > 0)
            column_text(column, t.faces.caption, t.colours.warning,
                        s.text("pair.left_out", {std::to_string(way.projection.left_out)}));
    }
    (void)pair_plane(left, session, way, lit);
}

} // namespace headlight
