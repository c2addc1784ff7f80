#pragma once

#include "app/look/colour.h"
#include "app/picture/font_file.h"
#include "app/platform/image.h"
#include "engine/base/result.h"

#include <functional>
#include <imgui.h>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace headlight {

// What a frame shows, as shapes and words rather than pixels: rectangles, polygons, strokes, text, grids of
// cells. Files of every format are written from it (picture.h, picture.h).

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

// A picture as paths alone: its rectangles, polygons and strokes, and text as the outlines of its glyphs.

struct PathStep {
    enum class Kind { move, line, curve, close };
    Kind kind = Kind::move;
    ImVec2 to{0, 0}, first{0, 0}, second{0, 0}; // curve: cubic, its control points
};

struct OutlinedPath {
    std::vector<PathStep> steps;
    Colour colour = 0;
    float thickness = 0; // 0: filled
    std::optional<PictureRect> clip;
};

// From behind to before; the ground is the first.
void outline(const Picture& picture, const std::function<void(const OutlinedPath&)>& draw);

// What files of markup are written with: SVG, HTML.

// For text and attributes; what XML cannot say is left out.
std::string xml_escaped(std::string_view text);
std::string base64(std::string_view bytes);

// A picture as SVG 1.1: text is text, in the window's faces by name, a rectangle a cell.

// `title` tells what it shows to whoever does not see it. `scale`: the size at which it is first shown.
std::string svg_text(const Picture& picture, const std::string& title, int scale = 1);

// Pictures as pages of a PDF, text as text with its fonts inside; and as pixels, at any scale.

// One page a picture. The bytes of the file. Fails with error.picture_not_made {reason}.
Result<std::string> pdf_bytes(std::span<const Picture> pages, const std::string& title);

// `scale` pixels for a unit.
Result<Image> pixels_of(const Picture& picture, float scale);

} // namespace headlight
