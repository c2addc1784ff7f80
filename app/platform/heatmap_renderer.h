// Matrices as coloured cells, drawn by a shader from textures of their own numbers. A matrix is uploaded when
// its version changes, not when it is drawn; a hundred of them a frame are cheap.
#pragma once

#include "app/platform/heatmap_geometry.h"
#include "engine/base/result.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

struct ImDrawCmd;
struct ImDrawList;

namespace headlight {

// rows × columns floats in the caller's memory, rows `stride` floats apart and columns `column_stride`: a
// transposed one is the same memory read the other way. Its id is its own and not 0; the numbers of one (id,
// version) never change; they need to live until the call returns.
struct HeatmapMatrix {
    const float* values = nullptr;
    int rows = 0, columns = 0;
    std::ptrdiff_t stride = 0;
    std::uint64_t id = 0, version = 0;
    std::ptrdiff_t column_stride = 1;

    const float* at(int row, int column) const { return values + row * stride + column * column_stride; }
};

// Which colours the numbers take. −∞ is hatched and NaN and +∞ shine in the alarm colour in every palette.
struct HeatmapColouring {
    int palette = 0;          // row of the palettes given to set_palettes
    float low = -1, high = 1; // numbers at the palette's two ends; numbers beyond take the ends' colours
    float dimming = 0;        // 0 as it is … 1 faded into the background
};

// Colours that do not come from a palette: 0xAABBGGRR, as everywhere in Dear ImGui.
struct HeatmapInks {
    std::uint32_t background = 0, hatch = 0, grid = 0, alarm = 0;
};

// What was drawn of a matrix, for pictures that are made of shapes: the colour of each of its cells in sight.
// Cells of which several share a pixel are pooled as on the screen.
struct DrawnHeatmap {
    enum class Mark : std::uint8_t { none, masked, not_a_number }; // hatched; crossed out

    std::vector<float> columns, rows;             // edges in interface units, one more than there are cells
    std::vector<std::uint32_t> colours;           // a row behind the other
    std::vector<Mark> marks;                      // empty where no cell has one
    std::uint32_t hatch = 0, cross = 0, grid = 0; // grid: of the lines between cells; 0 where there are none
};

class HeatmapRenderer {
public:
    static Result<std::unique_ptr<HeatmapRenderer>> create();
    ~HeatmapRenderer();

    // `colours`: 256 colours a palette, one palette after the other.
    void set_palettes(std::span<const std::uint32_t> colours, const HeatmapInks& inks);

    // Forgets the last frame's drawings, and textures that nobody has drawn for long.
    void begin_frame();

    // Adds the matrix to the draw list, under its current clip rectangle. Only `part` of the cells is drawn
    // when one is given. Cells that share a pixel show their largest magnitude.
    void add(ImDrawList& list, const HeatmapMatrix& matrix, const HeatmapGeometry& geometry,
             const HeatmapColouring& colouring, const CellRange* part = nullptr);

    // From now on what is drawn is kept for drawn(), and nothing waits for a later frame.
    void record(bool on);
    // Of a command of the draw lists of the last frame; null for commands that are not of heatmaps.
    const DrawnHeatmap* drawn(const ImDrawCmd& command) const;

    int uploads() const; // textures uploaded since begin_frame
    // True when a large matrix waits for a later frame, drawn coarser, finer or not at all until then: a
    // frame prepares so many cells of large matrices and no more, so that none takes long.
    bool postponed() const;

private:
    struct State;
    explicit HeatmapRenderer(std::unique_ptr<State> state);

    std::unique_ptr<State> state_;
};

} // namespace headlight
