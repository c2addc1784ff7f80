// A matrix to be read: coloured cells with their numbers where there is room, row and column labels, named
// axes, its shape, a legend of the range that the data really has, and the number under the pointer.
#pragma once

#include "app/platform/heatmap_renderer.h"
#include "app/ui/base/screen_rect.h"
#include "app/ui/base/theme.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace headlight {

struct MatrixCell {
    int row = 0, column = 0;
    bool operator==(const MatrixCell&) const = default;
};

struct ValueRange {
    float low = 0, high = 0;
};

struct HeatmapView {
    std::string_view name{}; // in the registry of widgets
    HeatmapMatrix matrix{};  // numbers, shape, identity and version
    std::string_view title{};
    std::optional<Colour> title_colour{}; // query's, key's, value's; plain ink otherwise
    std::string_view units{}; // behind the shape: "positions × d_k" gives "[12 × 16] positions × d_k"
    std::span<const std::string> row_labels{}, column_labels{}; // one each, or none
    std::span<const int> row_words{},
        column_words{};                         // whose tokens they are, −1 for none: words are bracketed
    std::string_view row_axis{}, column_axis{}; // "query ↓", "key →"
    Palette palette = Palette::diverging;
    std::optional<ValueRange> range{}; // where the palette ends, instead of where the data ends
    bool show_title = true, show_shape = true, show_labels = true, show_legend = true, show_numbers = true;
    bool show_readout = true;       // of the cell under the pointer, beside the legend
    bool show_column_labels = true; // not, where so many columns say nothing: the pointer still names its own
    float largest_cell = 0;   // height of a cell at scale 1 when there is more room; 0: as that room has it
    float cell_aspect = 1.9f; // at most so many times as wide as high
    float tallest_row = 16;   // a labelled row is at most so many times as high as its cells are wide
    // Lit parts stay as they are while the rest fades; with nothing lit nothing fades.
    std::span<const int> lit_rows{}, lit_columns{};
    std::span<const MatrixCell> lit_cells{};
    std::optional<MatrixCell> selected{};
    // Parts that are not to be seen yet; a row or column of −1 is all of them.
    std::span<const MatrixCell> covered{};
    // Cells that the person has changed: marked in their corner.
    std::span<const MatrixCell> edited{};
    // Labels that stand out from the others, in a colour of their own.
    std::span<const int> marked_rows{}, marked_columns{};
    // Named even where there is no room for every label, as the only one that is lit is, and the selected
    // cell's.
    std::optional<int> named_row{}, named_column{};
    Colour marked = 0;
    bool hides_ends = false; // the smallest and the largest number may be what is covered
    bool blanks = false;     // −∞ says that there is no number: hatched, and nothing written
};

// The height of the largest cells that are comfortable to read in so much height.
float largest_cell_in(float height);

struct HeatmapResult {
    std::optional<MatrixCell> hovered{}, clicked{};
    ScreenRect rect{};          // all that was drawn
    HeatmapGeometry geometry{}; // where the cells are
};

// Draws as large as `available` allows, from its top left corner, and answers the pointer.
HeatmapResult heatmap(const HeatmapView& view, const ScreenRect& available);

// The size it would take if it may take anything up to `limit`.
ImVec2 heatmap_size(const HeatmapView& view, ImVec2 limit);

// An identity for a value named by path, of one head or −1.
std::uint64_t heatmap_id(std::string_view path, int head = -1);

} // namespace headlight
