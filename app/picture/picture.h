// What a frame shows, as shapes and words rather than pixels: rectangles, polygons, strokes, text, grids of
// cells. Files of every format are written from it (svg.h, pdf.h).
#pragma once

#include "app/look/colour.h"
#include "app/picture/font_file.h"
#include "app/platform/image.h"

#include <imgui.h>

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace headlight {

struct PictureRect {
    float left = 0, top = 0, right = 0, bottom = 0;

    float width() const { return right - left; }
    float height() const { return bottom - top; }
    bool contains(const PictureRect& other) const;
    bool touches(const PictureRect& other) const;
    PictureRect cut_to(const PictureRect& other) const;
    void include(ImVec2 point);
    bool operator==(const PictureRect&) const = default;
};

struct FilledRect {
    PictureRect rect;
    Colour colour = 0;
};

struct FilledPolygon {
    std::vector<ImVec2> points;
    Colour colour = 0;
};

struct Stroke {
    std::vector<ImVec2> points;
    Colour colour = 0;
    float thickness = 1;
    bool closed = false;
};

// A line of text, or a part of one, in one face and colour. Glyphs stand on the baseline, which begins at the
// origin and runs along `along`; `down` is the glyphs' own downwards: (1, 0) and (0, 1) where text is
// upright.
struct TextRun {
    std::shared_ptr<const FontFile> font;
    float size = 0; // of the em
    Colour colour = 0;
    ImVec2 origin{0, 0}, along{1, 0}, down{0, 1};
    std::u32string text;
    std::vector<float> places; // of each character, along the baseline
    float width = 0;           // to the end of the last one
};

// Cells side by side; those of a row stand between two neighbours of `columns`.
struct CellGrid {
    std::vector<float> columns, rows; // edges, one more than there are cells
    std::vector<Colour> colours;      // a row behind the other
    bool as_image = false;            // so many that a picture of them serves better

    PictureRect rect() const { return {columns.front(), rows.front(), columns.back(), rows.back()}; }
    std::size_t across() const { return columns.size() - 1; }
    std::size_t down() const { return rows.size() - 1; }
};

using PictureShape = std::variant<FilledRect, FilledPolygon, Stroke, TextRun, CellGrid>;

struct PictureItem {
    PictureShape shape;
    std::optional<PictureRect> clip; // where it reaches over the edge of what it lies in
};

struct Picture {
    float width = 0, height = 0;
    Colour ground = 0xFFFFFFFF;
    std::vector<PictureItem> items; // from behind to before

    // The part of it in a rectangle.
    Picture part(const PictureRect& rect) const;
};

PictureRect bounds_of(const PictureShape& shape);
// One pixel a cell.
Image image_of(const CellGrid& grid);
std::string utf8_of(std::u32string_view text);

} // namespace headlight
