#include "app/picture/heatmap_shapes.h"

#include <algorithm>
#include <cmath>

namespace headlight {

namespace {

constexpr float hatch_period = 6, hatch_thickness = 1.25f, cross_thickness = 1.6f;

using Shapes = std::vector<PictureShape>;

void stroke_between(Shapes& shapes, ImVec2 from, ImVec2 to, Colour colour, float thickness) {
    shapes.push_back(Stroke{{from, to}, colour, thickness, false});
}

// Lines upwards to the right, the same on the whole picture: x + y = 3, 9, 15, …
void hatch(Shapes& shapes, const PictureRect& place, Colour colour) {
    const float first = std::ceil((place.left + place.top) / hatch_period - 0.5f);
    for (float k = first; (k + 0.5f) * hatch_period < place.right + place.bottom; ++k) {
        const float sum = (k + 0.5f) * hatch_period;
        const float left = std::max(place.left, sum - place.bottom),
                    right = std::min(place.right, sum - place.top);
        if (right > left)
            stroke_between(shapes, {left, sum - left}, {right, sum - right}, colour, hatch_thickness);
    }
}

void cross(Shapes& shapes, const PictureRect& place, Colour colour) {
    stroke_between(shapes, {place.left, place.top}, {place.right, place.bottom}, colour, cross_thickness);
    stroke_between(shapes, {place.left, place.bottom}, {place.right, place.top}, colour, cross_thickness);
}

// Of masked neighbours in a row together.
void marks(Shapes& shapes, const DrawnHeatmap& drawn) {
    const std::size_t across = drawn.columns.size() - 1;
    for (std::size_t row = 0; row + 1 < drawn.rows.size(); ++row)
        for (std::size_t column = 0; column < across;) {
            const auto mark = drawn.marks[row * across + column];
            std::size_t end = column + 1;
            if (mark == DrawnHeatmap::Mark::masked)
                while (end < across && drawn.marks[row * across + end] == mark) ++end;
            const PictureRect place{drawn.columns[column], drawn.rows[row], drawn.columns[end],
                                    drawn.rows[row + 1]};
            if (mark == DrawnHeatmap::Mark::masked) hatch(shapes, place, drawn.hatch);
            if (mark == DrawnHeatmap::Mark::not_a_number) cross(shapes, place, drawn.cross);
            column = end;
        }
}

void lines_between(Shapes& shapes, const DrawnHeatmap& drawn, const PictureRect& rect) {
    for (std::size_t i = 1; i + 1 < drawn.columns.size(); ++i)
        shapes.push_back(
            FilledRect{{drawn.columns[i], rect.top, drawn.columns[i] + 1, rect.bottom}, drawn.grid});
    for (std::size_t i = 1; i + 1 < drawn.rows.size(); ++i)
        shapes.push_back(FilledRect{{rect.left, drawn.rows[i], rect.right, drawn.rows[i] + 1}, drawn.grid});
}

} // namespace

std::vector<PictureShape> shapes_over(const DrawnHeatmap& drawn, const PictureRect& rect) {
    Shapes shapes;
    if (!drawn.marks.empty()) marks(shapes, drawn);
    if (drawn.grid >> 24) lines_between(shapes, drawn, rect);
    return shapes;
}

} // namespace headlight
