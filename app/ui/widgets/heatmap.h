#pragma once

#include "app/platform/heatmap_renderer.h"
#include "app/ui/base/theme.h"
#include "app/ui/base/widget_registry.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

struct MatrixFacts {
    float low = 0, high = 0; // among finite numbers; 0, 0 when there are none
    float largest_magnitude = 0;
    long finite = 0, minus_infinite = 0, broken = 0; // broken: NaN and +∞
};

MatrixFacts find_facts(const HeatmapMatrix& matrix);

// The same, remembered by (id, version) while the matrix is in use.
const MatrixFacts& facts_of(const HeatmapMatrix& matrix);

// A matrix to be read: coloured cells with their numbers where there is room, row and column labels, named
// axes, its shape, a legend of the range that the data really has, and the number under the pointer.

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

// A number in every cell that is large enough. Thousands of them a frame: digits are put on the draw list
// glyph by glyph, without a text for each.

struct NumberStyle {
    Palette palette = Palette::diverging;
    ValueRange range;
    int decimals = 2;
    float fade = 0;                               // of cells that are not lit
    const std::vector<MatrixCell>* lit = nullptr; // in order of rows
    int least_decimals = 0; // what has no room for these is not written: numbers that are to add up
    std::span<const MatrixCell> covered = {}; // as in HeatmapView: nothing is written there
};

// How the numbers of a matrix are written, all alike: with as many decimals as they deserve; at a projector,
// whose type is large, in small type before there are fewer, and with fewer before there is nothing.
struct NumberWriting {
    const Face* face = nullptr;
    int decimals = 2;
};
// So much room that numbers may stand in it in larger type. `needed`: the width of the longest in that type.
bool is_large_cell(float cell_width, float cell_height, float needed);
// Nothing where no way has room. `range`: that of the numbers.
std::optional<NumberWriting> number_writing(float cell_width, float cell_height, int decimals,
                                            ValueRange range, int least_decimals = 0);
// Of a number in a cell that is not lit: it can still be read on the cell's faded colour.
Colour faded_ink(Colour behind, float fade);
std::string written(double number, const NumberWriting& writing);

// Draws nothing where cells are too small.
void paint_numbers(ImDrawList& list, const ScreenRect& clip, const HeatmapMatrix& matrix,
                   const HeatmapGeometry& geometry, const NumberStyle& style);

// A part of a matrix that is not to be seen yet: a question mark on a plain ground.
void paint_cover(ImDrawList& list, const ScreenRect& part);

// What a legend says about a matrix, found once a version: legends are derived from the data, never stated.

// Where the parts of a heatmap widget go: decided before anything is drawn, so that nothing overlaps.

enum class ColumnLabels { none, level, turned };

struct HeatmapLayout {
    HeatmapGeometry geometry; // relative to the widget's top left corner
    ColumnLabels column_labels = ColumnLabels::none;
    int label_every_row = 0,
        label_every_column = 0; // 0: none; 1: all; k: every k-th, as the rest would overlap
    std::string shape;
    float row_label_width = 0, column_label_length = 0;
    bool title = false, caption_beside_title = false, caption_below = false;
    bool axes = false, legend = false, range_behind_bar = false, readout_below = false;
    std::optional<NumberWriting> numbers; // how they are written
    const Face* label = nullptr;          // of rows, columns and axes
    float title_y = 0, caption_y = 0, axis_y = 0, legend_y = 0, readout_y = 0;
    float bar_left = 0, bar_width = 0, readout_x = 0, readout_end = 0;
    float width = 0, height = 0;
};

HeatmapLayout lay_out_heatmap(const HeatmapView& view, ImVec2 available);

constexpr float turned_degrees = 48; // of column labels that do not fit level

} // namespace headlight
