#include "app/picture/picture.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace headlight {

namespace {

constexpr float endless = std::numeric_limits<float>::infinity();

PictureRect around_points(const std::vector<ImVec2>& points, float margin) {
    PictureRect rect{endless, endless, -endless, -endless};
    for (const ImVec2 point : points) rect.include(point);
    return {rect.left - margin, rect.top - margin, rect.right + margin, rect.bottom + margin};
}

struct Bounds {
    PictureRect operator()(const FilledRect& shape) const { return shape.rect; }
    PictureRect operator()(const FilledPolygon& shape) const { return around_points(shape.points, 0); }
    PictureRect operator()(const Stroke& shape) const {
        return around_points(shape.points, shape.thickness / 2);
    }
    PictureRect operator()(const TextRun& run) const {
        const auto at = [&](float x, float y) {
            return ImVec2{run.origin.x + run.along.x * x + run.down.x * y,
                          run.origin.y + run.along.y * x + run.down.y * y};
        };
        const float above = -run.size * 0.95f, below = run.size * 0.28f;
        return around_points({at(0, above), at(run.width, above), at(run.width, below), at(0, below)}, 0);
    }
    PictureRect operator()(const CellGrid& grid) const { return grid.rect(); }
};

struct Move {
    float x, y;

    void operator()(FilledRect& shape) const {
        shape.rect = {shape.rect.left + x, shape.rect.top + y, shape.rect.right + x, shape.rect.bottom + y};
    }
    void operator()(FilledPolygon& shape) const { points(shape.points); }
    void operator()(Stroke& shape) const { points(shape.points); }
    void operator()(TextRun& run) const { run.origin = {run.origin.x + x, run.origin.y + y}; }
    void operator()(CellGrid& grid) const {
        for (float& edge : grid.columns) edge += x;
        for (float& edge : grid.rows) edge += y;
    }
    void points(std::vector<ImVec2>& all) const {
        for (ImVec2& point : all) point = {point.x + x, point.y + y};
    }
};

} // namespace

bool PictureRect::contains(const PictureRect& other) const {
    return left <= other.left && top <= other.top && right >= other.right && bottom >= other.bottom;
}

bool PictureRect::touches(const PictureRect& other) const {
    return left < other.right && other.left < right && top < other.bottom && other.top < bottom;
}

PictureRect PictureRect::cut_to(const PictureRect& other) const {
    return {std::max(left, other.left), std::max(top, other.top), std::min(right, other.right),
            std::min(bottom, other.bottom)};
}

void PictureRect::include(ImVec2 point) {
    left = std::min(left, point.x), right = std::max(right, point.x);
    top = std::min(top, point.y), bottom = std::max(bottom, point.y);
}

PictureRect bounds_of(const PictureShape& shape) { return std::visit(Bounds{}, shape); }

Picture Picture::part(const PictureRect& rect) const {
    Picture result{std::ceil(rect.width()), std::ceil(rect.height()), ground, {}};
    const Move move{-rect.left, -rect.top};
    for (const PictureItem& item : items) {
        const PictureRect bounds = bounds_of(item.shape);
        const PictureRect seen = item.clip ? bounds.cut_to(*item.clip) : bounds;
        if (!seen.touches(rect)) continue;
        PictureItem moved = item;
        std::visit(move, moved.shape);
        if (!rect.contains(seen)) moved.clip = item.clip ? item.clip->cut_to(rect) : rect;
        if (moved.clip) {
            FilledRect clip{*moved.clip, 0};
            move(clip);
            moved.clip = clip.rect;
        }
        result.items.push_back(std::move(moved));
    }
    return result;
}

Image image_of(const CellGrid& grid) {
    Image image{int(grid.across()), int(grid.down()), std::vector<std::uint8_t>(grid.colours.size() * 4)};
    for (std::size_t i = 0; i < grid.colours.size(); ++i)
        for (std::size_t channel = 0; channel < 4; ++channel)
            image.rgba[i * 4 + channel] = std::uint8_t(grid.colours[i] >> (8 * channel));
    return image;
}

std::string utf8_of(std::u32string_view text) {
    std::string bytes;
    for (const char32_t c : text) {
        if (c < 0x80) {
            bytes += char(c);
        } else if (c < 0x800) {
            bytes += char(0xC0 | (c >> 6));
            bytes += char(0x80 | (c & 63));
        } else if (c < 0x10000) {
            bytes += char(0xE0 | (c >> 12));
            bytes += char(0x80 | (c >> 6 & 63));
            bytes += char(0x80 | (c & 63));
        } else {
            bytes += char(0xF0 | (c >> 18));
            bytes += char(0x80 | (c >> 12 & 63));
            bytes += char(0x80 | (c >> 6 & 63));
            bytes += char(0x80 | (c & 63));
        }
    }
    return bytes;
}

} // namespace headlight
