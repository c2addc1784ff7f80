#include "app/ui/panels/changes/change_words.h"
#include "app/ui/panels/heads/heads_parts.h"
#include "app/ui/panels/scrolled_column.h"
#include "app/ui/ui.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/heatmap.h"
#include "app/ui/widgets/text.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>

namespace headlight {

namespace {

struct Tile {
    const MeasuredAttention* attention;
    Index head;
};

float map_height() { return theme().px(96); }
float tile_height() {
    const Theme& t = theme();
    return map_height() + t.faces.strong.size * 1.4f + t.faces.caption.size * 1.5f + t.px(14);
}

// The map alone, as large as fits.
void small_map(const Tile& tile, const ScreenRect& rect, unsigned long version) {
    const Tensor& w = tile.attention->weights->value;
    const float cell = std::min(rect.width() / float(w.columns()), rect.height() / float(w.rows()));
    const float wide = std::min(rect.width() / float(w.columns()), cell * 2);
    const HeatmapGeometry geometry{std::round(rect.min.x), std::round(rect.min.y), wide, cell,
                                   int(w.rows()),          int(w.columns())};
    const HeatmapMatrix matrix{w.matrix(tile.head),
                               int(w.rows()),
                               int(w.columns()),
                               w.columns(),
                               heatmap_id(tile.attention->weights->path, int(tile.head)),
                               version};
    ui().display().heatmaps().add(*ImGui::GetWindowDrawList(), matrix, geometry,
                                  {int(Palette::sequential), 0, 1});
}

bool draw_tile(const Tile& tile, const ScreenRect& rect, const Session& session, bool with_place,
               CommandSink& commands) {
    const Theme& t = theme();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const std::string name = "grid." + tile.attention->path + "." + std::to_string(tile.head);
    const Pressable p = pressable(name.c_str(), rect);
    std::string title = session.strings().text("story.head_number", {std::to_string(tile.head + 1)});
    std::string caption_text = head_label(session, tile.attention->heads[std::size_t(tile.head)]);
    if (with_place) { // sorted: the number beside the name, and where the head is
        title += "  ·  " + caption_text;
        caption_text = place_words(session, tile.attention->path);
    }
    list.AddRectFilled(rect.min, rect.max, p.hovered ? t.colours.hovered : t.colours.raised, t.px(7));
    const ScreenRect inner = rect.inset(t.px(7));
    const float strong = t.faces.strong.size * 1.4f, caption = t.faces.caption.size * 1.5f;
    draw_label(list, t.faces.strong,
               ScreenRect::at(inner.min.x, inner.min.y - t.px(2), inner.width(), strong), t.colours.ink,
               title);
    draw_label(list, t.faces.caption,
               ScreenRect::at(inner.min.x, inner.min.y + strong - t.px(4), inner.width(), caption),
               t.colours.ink_soft, caption_text);
    small_map(tile, {{inner.min.x, inner.min.y + strong + caption}, inner.max}, session.version());
    if (p.pressed) commands.emit("heads open " + tile.attention->path + " " + std::to_string(tile.head));
    return p.hovered;
}

std::vector<Tile> sorted(const std::vector<MeasuredAttention>& all, const std::string& order) {
    std::vector<Tile> tiles;
    for (const MeasuredAttention& attention : all)
        for (Index h = 0; h < Index(attention.heads.size()); ++h) tiles.push_back({&attention, h});
    const auto key = [&](const Tile& tile) {
        return measure_of(tile.attention->heads[std::size_t(tile.head)], order).value_or(-1);
    };
    std::stable_sort(tiles.begin(), tiles.end(),
                     [&](const Tile& a, const Tile& b) { return key(a) > key(b); });
    return tiles;
}

} // namespace

std::string head_label(const Session& session, const MeasuredHead& head) {
    const Strings& s = session.strings();
    const std::string& order = session.state().heads.order;
    if (!order.empty()) { // the measure that is asked for
        const std::optional<double> value = measure_of(head, order);
        return s.text("heads." + order) + "  " + (value ? format_number(*value, 2) : "–");
    }
    const std::string label = head.label();
    const auto strongest = head.strongest();
    const std::string& name = s.text(label);
    if (label == "heads.spread" || label == "heads.mixed" || !strongest) return name;
    return name + "  " + format_number(*head.value[std::size_t(*strongest)], 2);
}

std::optional<std::pair<const MeasuredAttention*, Index>>
heads_grid(const ScreenRect& rect, const Session& session, HeadsRoom& room, CommandSink& commands) {
    const Theme& t = theme();
    const std::vector<MeasuredAttention>& all = room.data.of(session);
    std::optional<std::pair<const MeasuredAttention*, Index>> hovered;
    ScrolledColumn scrolled("heads", rect);
    PanelColumn& column = scrolled.column;
    const float gap = t.px(10), least = t.px(150);
    const int across = std::max(1, int((column.width() + gap) / (least + gap)));
    const auto draw = [&](const std::vector<Tile>& tiles, int columns, bool with_place) {
        const float width = std::floor((column.width() - gap * float(columns - 1)) / float(columns));
        for (std::size_t i = 0; i < tiles.size(); ++i) {
            const int at = int(i) % columns;
            const ScreenRect place =
                ScreenRect::at(column.left + float(at) * (width + gap), column.y, width, tile_height());
            if (draw_tile(tiles[i], place, session, with_place, commands))
                hovered = {tiles[i].attention, tiles[i].head};
            if (at + 1 == columns || i + 1 == tiles.size()) column.skip(tile_height() + gap);
        }
    };
    if (!session.state().heads.order.empty()) {
        draw(sorted(all, session.state().heads.order),
             std::max(1, int((column.width() + gap) / (t.px(300) + gap))), true);
        return hovered;
    }
    for (const MeasuredAttention& attention : all) {
        column_caption(column, place_words(session, attention.path));
        std::vector<Tile> tiles;
        for (Index h = 0; h < Index(attention.heads.size()); ++h) tiles.push_back({&attention, h});
        draw(tiles, std::min(across, int(tiles.size())), false);
        column.skip(t.px(6));
    }
    return hovered;
}

} // namespace headlight
