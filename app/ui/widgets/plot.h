#pragma once

#include "app/look/colour.h"
#include "app/ui/base/widget_registry.h"

#include <array>
#include <imgui.h>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

// Curves over an axis: losses over steps, probabilities over positions. Each curve is named at its end, with
// its last number or the one under the pointer. Where many numbers share a column of pixels the line is their
// mean, and the band around it reaches from their smallest to their largest.

struct PlotSeries {
    std::string_view label{};
    std::span<const float> y{};
    std::span<const float> x{};   // ascending, as many as y; or none: 0, 1, 2, …
    Colour colour = 0;            // 0: the theme's, in order
    bool has_points = false;      // each number is a point, which can be pointed at
    bool is_guide = false;        // a line to compare with: broken, without numbers
    bool is_behind = false;       // to be compared with: faint, and not named at its end
    bool is_named_beside = false; // a single point with its name beside it
};

struct PlotView {
    std::string_view name{};
    std::string_view title{}, x_axis{}, y_axis{};
    std::span<const PlotSeries> series{};
    bool log_y = false;                     // numbers that are not above zero are left out
    bool log_x = false;                     // all x are above zero
    bool snaps = false;                     // what is pointed at is the nearest of the ticks
    std::span<const float> ticks_x{};       // instead of round numbers
    std::optional<float> low_y{}, high_y{}; // instead of where the data ends
    std::span<const std::string> x_names{}; // of the places 0, 1, 2, …, where they are not told by number
    bool dots = false;                      // few points, each of them marked
    std::optional<float> marker_x{};        // a place that is looked at: the step of the time machine
};

struct PlotPoint {
    std::size_t series = 0, index = 0;
    ScreenRect place{}; // about the point
};

struct PlotResult {
    std::optional<PlotPoint> hovered_point{}; // the nearest that is near the pointer
    std::optional<float> hovered_x{};         // of the data
    std::optional<float> clicked_x{};         // while the button is held: drags scrub
};

PlotResult plot(const PlotView& view, const ScreenRect& rect);

// --- what it is made of -------------------------------------------------------------------------------

// One column of pixels of a curve: its numbers lie between low and high.
struct PlotColumn {
    int pixel = 0;
    float low = 0, high = 0, mean = 0;
    bool after_gap = false; // numbers are missing (NaN, infinite) since the column before
};

// A curve of any length as at most one entry a pixel of [0, pixels): no peak is lost. `x` may be empty.
std::vector<PlotColumn> decimated(std::span<const float> x, std::span<const float> y, float low_x,
                                  float high_x, int pixels);

// Round numbers (1, 2, 5 times a power of ten) in [low, high], at most `most` of them.
std::vector<float> round_ticks(float low, float high, int most);
// As few figures as tell ticks apart that lie `step` from one another.
std::string tick_text(float value, float step);

// Lines along which numbers over a plane have one height.

// Pieces of the line where the grid is at `level`, each from one point to another: x from 0 at the middle of
// the first column to columns − 1 at that of the last, y likewise over the rows. What is not finite has no
// line.
std::vector<std::array<ImVec2, 2>> contour(std::span<const float> grid, int columns, int rows, float level);

// A plane of vectors on the screen: x to the right, y upwards.

struct PlaneView {
    ImVec2 origin;
    float unit; // pixels

    ImVec2 at(double x, double y) const { return {origin.x + float(x) * unit, origin.y - float(y) * unit}; }
};

// Where the name of a point in a plane goes.

// A place `gap` beside the point, inside `within`, where a label of that size covers none of what is taken
// and is close to nothing else; where there is none, farther away; to its right where there is no room at
// all.
ScreenRect free_place(std::span<const ScreenRect> taken, ImVec2 at, ImVec2 size, const ScreenRect& within,
                      float gap);

// The line that leads from a point to its name where that is not beside it.
std::optional<std::array<ImVec2, 2>> leader(const ScreenRect& place, ImVec2 at, float gap);

} // namespace headlight
