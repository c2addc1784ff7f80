// All heads at a glance: a row for each attention, or in the order of a measure. So many that words have no
// room beside them are a wall of maps: a row for each layer, a column for each head.
#include "app/ui/changes/changes.h"
#include "app/ui/rooms/heads/heads_data.h"
#include "app/ui/rooms/heads/heads_parts.h"

#include <algorithm>
#include <cmath>

namespace headlight {

namespace {

using Hovered = std::optional<std::pair<const MeasuredAttention*, Index>>;

// Which way round every map is, and what its colours mean.
void legend(PanelColumn& column, const Session& session) {
    const Strings& s = session.strings();
    const Face &face = faces().caption, &number = faces().mono_small;
    const ScreenRect line = column.take(face.size * 1.5f);
    const std::string axes = s.text("story.axis.query") + " ↓     " + s.text("story.axis.key") + " →";
    draw_text_in(pen(), face, line, colours().ink_faint, axes);
    float x = line.min.x + std::ceil(text_width(face, axes)) + px(28);
    const auto end = [&](const char* text) {
        const float width = std::ceil(text_width(number, text));
        draw_text_in(pen(), number, ScreenRect::at(x, line.min.y, width + 1, line.height()),
                     colours().ink_soft, text);
        x += width + px(7);
    };
    end("0");
    const ScreenRect bar = ScreenRect::at(x, line.centre().y - px(4), px(72), px(8));
    constexpr int steps = 24;
    for (int i = 0; i < steps; ++i) {
        const float from = float(i) / steps, to = float(i + 1) / steps;
        const Colour left = theme().palette_colour(Palette::sequential, from),
                     right = theme().palette_colour(Palette::sequential, to);
        pen().AddRectFilledMultiColor({bar.min.x + from * bar.width(), bar.min.y},
                                      {bar.min.x + to * bar.width(), bar.max.y}, left, right, right, left);
    }
    x = bar.max.x + px(7);
    end("1");
    column.skip(px(6));
}

std::vector<HeadTile> tiles_of(const std::vector<MeasuredAttention>& all) {
    std::vector<HeadTile> tiles;
    for (const MeasuredAttention& attention : all)
        for (Index h = 0; h < Index(attention.heads.size()); ++h) tiles.push_back({&attention, h});
    return tiles;
}

std::vector<HeadTile> sorted(std::vector<HeadTile> tiles, const std::string& order) {
    const auto key = [&](const HeadTile& tile) {
        return measure_of(tile.attention->heads[std::size_t(tile.head)], order).value_or(-1);
    };
    std::stable_sort(tiles.begin(), tiles.end(),
                     [&](const HeadTile& a, const HeadTile& b) { return key(a) > key(b); });
    return tiles;
}

// Those of which the measure is large enough. Nothing is left out in secret: see `left_out`.
std::vector<HeadTile> filtered(std::vector<HeadTile> tiles, const HeadsFilter& filter) {
    if (filter.measure.empty()) return tiles;
    std::erase_if(tiles, [&](const HeadTile& tile) {
        const auto value = measure_of(tile.attention->heads[std::size_t(tile.head)], filter.measure);
        return !value || *value < filter.least;
    });
    return tiles;
}

// "12 of 144 heads: Induction ≥ 0.2", and the way back to all.
void left_out(PanelColumn& column, const Session& session, std::size_t shown, std::size_t all,
              CommandSink& commands) {
    const Strings& s = session.strings();
    const HeadsFilter& filter = session.view().heads.filter;
    if (column_chip(
            column, "filter.off",
            {s.text("board.filter.shown", {std::to_string(shown), std::to_string(all),
                                           s.text("heads." + filter.measure), format_number(filter.least, 2)})
                 + "  ×",
             s.text("board.filter.off"), true}))
        commands.emit("heads filter off");
}

constexpr std::size_t most_with_words = 40; // heads
constexpr float lowest_on_wall = 26, highest_on_wall = 110;

// "Encoder", "layer 1", "Self-attention".
std::vector<std::string> parts_of_name(const Session& session, const MeasuredAttention& attention) {
    constexpr std::string_view between = "  ·  ";
    const std::string name = place_words(session, attention.path);
    std::vector<std::string> parts;
    for (std::size_t begin = 0;;) {
        const std::size_t end = name.find(between, begin);
        parts.push_back(name.substr(begin, end == name.npos ? name.npos : end - begin));
        if (end == name.npos) return parts;
        begin = end + between.size();
    }
}

// Of every row: its parts under one another; on a wall in one line those in which rows differ.
std::vector<std::string> row_names(const Session& session, const std::vector<MeasuredAttention>& all,
                                   bool is_wall) {
    std::vector<std::vector<std::string>> parts;
    for (const MeasuredAttention& attention : all) parts.push_back(parts_of_name(session, attention));
    std::vector<std::string> names;
    for (const std::vector<std::string>& own : parts) {
        std::string name;
        for (std::size_t i = 0; i < own.size(); ++i) {
            const bool alike = std::all_of(parts.begin(), parts.end(), [&](const auto& other) {
                return i < other.size() && other[i] == own[i];
            });
            if (is_wall && alike) continue;
            name += (name.empty() ? "" : is_wall ? "  ·  " : "\n") + own[i];
        }
        names.push_back(std::move(name));
    }
    return names;
}

// "1", "2", … above the columns of a wall, and above the last what all of them are together.
void head_numbers(PanelColumn& column, float left, float width, std::size_t count, const std::string& mean) {
    const ScreenRect line = column.take(faces().caption.size * 1.3f);
    for (std::size_t h = 0; h < count; ++h)
        draw_text_in(pen(), faces().caption,
                     ScreenRect::at(left + float(h) * (width + px(5)), line.min.y, width, line.height()),
                     colours().ink_soft, h + 1 < count ? std::to_string(h + 1) : mean, Align::centre);
}

void draw_row_name(const ScreenRect& rect, const std::string& name) {
    const float height = wrapped_height(faces().caption, name, rect.width());
    draw_wrapped(pen(), faces().caption, {rect.min.x, rect.centre().y - std::min(height, rect.height()) / 2},
                 rect.width(), colours().ink_soft, name);
}

// Tiles side by side from `left` on, in as many lines as it takes.
void draw_tiles(PanelColumn& column, float left, std::span<const HeadTile> tiles, const TileShape& shape,
                int across, const Session& session, Hovered& hovered, CommandSink& commands) {
    const float gap = px(5);
    for (std::size_t i = 0; i < tiles.size(); ++i) {
        const int at = int(i) % across;
        bool pressed = false;
        const bool is_mean = tiles[i].head == mean_of_all;
        if (draw_tile(tiles[i], shape, {left + float(at) * (shape.width + gap), column.y}, session, pressed)
            && !is_mean)
            hovered = {tiles[i].attention, tiles[i].head};
        if (pressed)
            commands.emit("heads open " + tiles[i].attention->path + " "
                          + (is_mean ? "mean" : std::to_string(tiles[i].head)));
        if (at + 1 == across || i + 1 == tiles.size()) column.skip(shape.height + gap);
    }
}

// As many as fit, no more than there are.
int tiles_across(float width, float least, std::size_t count) {
    const float gap = px(5);
    return std::clamp(int((width + gap) / (least + gap)), 1, std::max(1, int(count)));
}

float width_of_each(float width, int across) {
    return std::floor((width - px(5) * float(across - 1)) / float(across));
}

} // namespace

Hovered heads_grid(const ScreenRect& rect, const Session& session, CommandSink& commands) {
    const std::vector<MeasuredAttention>& all = ui().state<HeadsState>().data.of(session);
    const std::string& order = session.view().heads.order;
    const HeadsFilter& filter = session.view().heads.filter;
    const std::vector<HeadTile> kept = filtered(tiles_of(all), filter);
    const std::vector<HeadTile> tiles = order.empty() ? kept : sorted(kept, order);
    Hovered hovered;
    ScrolledColumn scrolled("heads", rect);
    PanelColumn& column = scrolled.column;
    const float top = column.y, gap = px(5);
    legend(column, session);
    if (!filter.measure.empty()) left_out(column, session, tiles.size(), tiles_of(all).size(), commands);
    if (tiles.empty()) return hovered;
    const float below = rect.height() - (column.y - top) - px(10);
    if (!order.empty() || !filter.measure.empty()) {
        const int across = tiles_across(column.width(), px(230), tiles.size());
        const TileShape shape = shape_of(tiles, session, width_of_each(column.width(), across), px(84));
        draw_tiles(column, column.left, tiles, shape, across, session, hovered, commands);
        return hovered;
    }
    const bool is_wall = tiles.size() > most_with_words;
    const std::vector<std::string> named = row_names(session, all, is_wall);
    std::size_t most_heads = 1;
    float names = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
        most_heads = std::max(most_heads, all[i].heads.size());
        for (const std::string_view line : wrapped(faces().caption, named[i], px(is_wall ? 240 : 140)))
            names = std::max(names, std::ceil(text_width(faces().caption, line)));
    }
    if (is_wall) ++most_heads; // their mean stands behind them
    names += px(14);
    const float width = column.width() - names;
    const int across = tiles_across(width, px(is_wall ? 24 : 72), most_heads);
    if (is_wall)
        head_numbers(column, column.left + names, width_of_each(width, across), std::size_t(across),
                     std::size_t(across) == most_heads ? session.strings().text("beside.mean")
                                                       : std::to_string(across));
    const int lines = int(all.size()) * int((most_heads + std::size_t(across) - 1) / std::size_t(across));
    const float height = std::floor(below / float(std::max(lines, 1)) - gap);
    const float each = width_of_each(width, across);
    const TileShape shape =
        is_wall ? map_alone(each, std::clamp(std::min(height, each), px(lowest_on_wall), px(highest_on_wall)))
                : shape_of(tiles, session, each, std::clamp(height, px(66), px(260)));
    for (std::size_t i = 0; i < all.size(); ++i) {
        const MeasuredAttention& attention = all[i];
        const float row = column.y;
        std::vector<HeadTile> own;
        for (const HeadTile& tile : tiles)
            if (tile.attention == &attention) own.push_back(tile);
        if (is_wall && attention.heads.size() + 1 == most_heads) own.push_back({&attention, mean_of_all});
        draw_tiles(column, column.left + names, own, shape, across, session, hovered, commands);
        draw_row_name({{column.left, row}, {column.left + names - px(8), row + shape.height}}, named[i]);
    }
    column.y -= gap;
    return hovered;
}

} // namespace headlight
