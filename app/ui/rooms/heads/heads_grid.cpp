// All heads at a glance: a row for each attention, or in the order of a measure.
#include "app/ui/changes/change_words.h"
#include "app/ui/rooms/heads/heads_parts.h"
#include "app/ui/rooms/heads/heads_tile.h"

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

// "Encoder", "layer 1", "Self-attention": under one another.
std::string row_name(const Session& session, const MeasuredAttention& attention) {
    constexpr std::string_view between = "  ·  ";
    std::string lines = place_words(session, attention.path);
    for (std::size_t at = lines.find(between); at != lines.npos; at = lines.find(between))
        lines.replace(at, between.size(), "\n");
    return lines;
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
        if (draw_tile(tiles[i], shape, {left + float(at) * (shape.width + gap), column.y}, session, pressed))
            hovered = {tiles[i].attention, tiles[i].head};
        if (pressed)
            commands.emit("heads open " + tiles[i].attention->path + " " + std::to_string(tiles[i].head));
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
    const std::vector<MeasuredAttention>& all = ui().memory<HeadsMemory>().data.of(session);
    const std::string& order = session.view().heads.order;
    const std::vector<HeadTile> tiles = order.empty() ? tiles_of(all) : sorted(tiles_of(all), order);
    Hovered hovered;
    ScrolledColumn scrolled("heads", rect);
    PanelColumn& column = scrolled.column;
    const float top = column.y, gap = px(5);
    legend(column, session);
    const float below = rect.height() - (column.y - top) - px(10);
    if (!order.empty()) {
        const int across = tiles_across(column.width(), px(230), tiles.size());
        const TileShape shape = shape_of(tiles, session, width_of_each(column.width(), across), px(84));
        draw_tiles(column, column.left, tiles, shape, across, session, hovered, commands);
        return hovered;
    }
    std::size_t most_heads = 1;
    float names = 0;
    for (const MeasuredAttention& attention : all) {
        most_heads = std::max(most_heads, attention.heads.size());
        const std::string name = row_name(session, attention);
        for (const std::string_view line : wrapped(faces().caption, name, px(140)))
            names = std::max(names, std::ceil(text_width(faces().caption, line)));
    }
    names += px(14);
    const float width = column.width() - names;
    const int across = tiles_across(width, px(72), most_heads);
    const int lines = int(all.size()) * int((most_heads + std::size_t(across) - 1) / std::size_t(across));
    const float height = std::floor(below / float(std::max(lines, 1)) - gap);
    const TileShape shape =
        shape_of(tiles, session, width_of_each(width, across), std::clamp(height, px(66), px(260)));
    for (const MeasuredAttention& attention : all) {
        const float row = column.y;
        std::vector<HeadTile> own;
        for (const HeadTile& tile : tiles)
            if (tile.attention == &attention) own.push_back(tile);
        draw_tiles(column, column.left + names, own, shape, across, session, hovered, commands);
        draw_row_name({{column.left, row}, {column.left + names - px(8), row + shape.height}},
                      row_name(session, attention));
    }
    column.y -= gap;
    return hovered;
}

} // namespace headlight
