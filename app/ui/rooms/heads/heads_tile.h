// One head of the grid: its map as large as fits, and beside or below it what it does, measured.
#pragma once

#include "app/ui/base/screen_rect.h"
#include "app/ui/rooms/heads/heads_data.h"

#include <span>
#include <string>

namespace headlight {

struct HeadTile {
    const MeasuredAttention* attention = nullptr;
    Index head = 0; // or mean_of_all
};
constexpr Index mean_of_all = -1;

// "head 3", "Word before", "0.82": the strongest measure. Where none stands out, the nearest to it, and that
// the head is mixed: "0.17 · mixed". Where the grid is sorted, the measure that it is sorted by, and the
// place.
struct HeadWords {
    std::string title, does, more;
    bool stands_out = false;
};
HeadWords head_words(const Session& session, const HeadTile& tile);

// How all tiles of a grid are cut: of one size, the maps in one place, the words in another.
struct TileShape {
    float width = 0, height = 0;
    ScreenRect map, words; // from the tile's corner
};

// A map and no words: those are told when one points at it.
TileShape map_alone(float width, float height);

// Tiles of that width, as high as allowed, but never less than their words and a map that can be seen.
TileShape shape_of(std::span<const HeadTile> tiles, const Session& session, float width, float height);

// True while the pointer is over it; `pressed` when it was pressed and let go.
bool draw_tile(const HeadTile& tile, const TileShape& shape, ImVec2 corner, const Session& session,
               bool& pressed);

} // namespace headlight
