#include "app/picture/picture.h"

#include "app/picture/font_file.h"
#include "app/picture/font_outline.h"

#include <algorithm>

namespace headlight {

namespace {

constexpr float overlap = 0.4f; // of neighbouring cells: no ground shines through between them

using Kind = PathStep::Kind;

void add_rect(std::vector<PathStep>& path, const PictureRect& r) {
    path.push_back({Kind::move, {r.left, r.top}});
    path.push_back({Kind::line, {r.right, r.top}});
    path.push_back({Kind::line, {r.right, r.bottom}});
    path.push_back({Kind::line, {r.left, r.bottom}});
    path.push_back({Kind::close});
}

void add_points(std::vector<PathStep>& path, const std::vector<ImVec2>& points, bool closed) {
    for (std::size_t i = 0; i < points.size(); ++i)
        path.push_back({i == 0 ? Kind::move : Kind::line, points[i]});
    if (closed && !points.empty()) path.push_back({Kind::close});
}

// A quadratic curve as the cubic one that it is.
PathStep quadratic(ImVec2 from, ImVec2 control, ImVec2 to) {
    const auto between = [&](ImVec2 end) {
        return ImVec2(end.x + (control.x - end.x) * 2 / 3, end.y + (control.y - end.y) * 2 / 3);
    };
    return {Kind::curve, to, between(from), between(to)};
}

void add_text(std::vector<PathStep>& path, const TextRun& run) {
    const stbtt_fontinfo& info = run.font->face()->info;
    const float scale = stbtt_ScaleForMappingEmToPixels(&info, run.size);
    for (std::size_t i = 0; i < run.text.size(); ++i) {
        stbtt_vertex* outline = nullptr;
        const int count = stbtt_GetGlyphShape(&info, int(run.font->glyph(run.text[i])), &outline);
        const auto placed = [&](int x, int y) {
            const float along = run.places[i] + float(x) * scale, down = float(-y) * scale;
            return ImVec2(run.origin.x + run.along.x * along + run.down.x * down,
                          run.origin.y + run.along.y * along + run.down.y * down);
        };
        ImVec2 pen;
        for (int v = 0; v < count; ++v) {
            const stbtt_vertex& step = outline[v];
            const ImVec2 to = placed(step.x, step.y);
            if (step.type == STBTT_vmove)
                path.push_back({Kind::move, to});
            else if (step.type == STBTT_vline)
                path.push_back({Kind::line, to});
            else if (step.type == STBTT_vcurve)
                path.push_back(quadratic(pen, placed(step.cx, step.cy), to));
            else
                path.push_back({Kind::curve, to, placed(step.cx, step.cy), placed(step.cx1, step.cy1)});
            pen = to;
        }
        stbtt_FreeShape(&info, outline);
    }
}

} // namespace

void outline(const Picture& picture, const std::function<void(const OutlinedPath&)>& draw) {
    OutlinedPath ground;
    add_rect(ground.steps, {0, 0, picture.width, picture.height});
    ground.colour = picture.ground;
    draw(ground);
    for (const PictureItem& item : picture.items) {
        OutlinedPath path;
        path.clip = item.clip;
        if (const auto* grid = std::get_if<CellGrid>(&item.shape)) {
            const PictureRect whole = grid->rect();
            for (std::size_t row = 0; row < grid->down(); ++row)
                for (std::size_t column = 0; column < grid->across(); ++column) {
                    path.steps.clear();
                    path.colour = grid->colours[row * grid->across() + column];
                    add_rect(path.steps, {grid->columns[column], grid->rows[row],
                                          std::min(grid->columns[column + 1] + overlap, whole.right),
                                          std::min(grid->rows[row + 1] + overlap, whole.bottom)});
                    draw(path);
                }
            continue;
        }
        if (const auto* rect = std::get_if<FilledRect>(&item.shape)) {
            add_rect(path.steps, rect->rect);
            path.colour = rect->colour;
        } else if (const auto* polygon = std::get_if<FilledPolygon>(&item.shape)) {
            add_points(path.steps, polygon->points, true);
            path.colour = polygon->colour;
        } else if (const auto* stroke = std::get_if<Stroke>(&item.shape)) {
            add_points(path.steps, stroke->points, stroke->closed);
            path.colour = stroke->colour;
            path.thickness = stroke->thickness;
        } else if (const auto* run = std::get_if<TextRun>(&item.shape)) {
            add_text(path.steps, *run);
            path.colour = run->colour;
        }
        if (!path.steps.empty()) draw(path);
    }
}

} // namespace headlight
