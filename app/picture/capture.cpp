#include "app/picture/capture.h"

#include "app/picture/capture.h"
#include "app/platform/imgui_compat.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace headlight {

namespace {

constexpr std::size_t most_cells_of_a_grid = 20'000, most_cells_of_a_picture = 60'000;
constexpr float near = 0.02f; // points so near are one

ImVec2 minus(ImVec2 a, ImVec2 b) { return {a.x - b.x, a.y - b.y}; }
float length_of(ImVec2 v) { return std::hypot(v.x, v.y); }
bool are_near(ImVec2 a, ImVec2 b) { return length_of(minus(a, b)) < near; }
ImVec2 middle(ImVec2 a, ImVec2 b) { return {(a.x + b.x) / 2, (a.y + b.y) / 2}; }

// --- shapes -----------------------------------------------------------------------------------------------

// A fan of triangles, as Dear ImGui draws every convex shape.
struct Fan {
    std::vector<ImDrawVert> corners;
};

bool is_white(const ImDrawVert& vertex, ImVec2 white) {
    return std::abs(vertex.uv.x - white.x) < 1e-6f && std::abs(vertex.uv.y - white.y) < 1e-6f;
}

bool is_upright(const Fan& fan) {
    const auto& c = fan.corners;
    return c.size() == 4 && c[0].pos.y == c[1].pos.y && c[1].pos.x == c[2].pos.x && c[2].pos.y == c[3].pos.y
           && c[3].pos.x == c[0].pos.x;
}

class Reader {
public:
    Reader(const HeatmapRenderer& heatmaps, const ImFontAtlas& atlas, FontFiles& fonts, Picture& picture)
        : heatmaps_(heatmaps), white_(atlas.TexUvWhitePixel), glyphs_(atlas, fonts), picture_(picture) {}

    void read(const ImDrawList& list) {
        for (const ImDrawCmd& command : list.CmdBuffer) {
            clip_ = PictureRect{std::max(command.ClipRect.x, 0.f), std::max(command.ClipRect.y, 0.f),
                                std::min(command.ClipRect.z, picture_.width),
                                std::min(command.ClipRect.w, picture_.height)};
            if (clip_.width() <= 0 || clip_.height() <= 0) continue;
            if (command.UserCallback) {
                finish();
                if (const DrawnHeatmap* drawn = heatmaps_.drawn(command)) heatmap(*drawn);
            } else {
                triangles(list, command);
            }
        }
        finish();
    }

private:
    // --- what is put into the picture

    void put(PictureShape shape) {
        const PictureRect bounds = bounds_of(shape);
        if (!bounds.touches(clip_)) return;
        PictureItem item{std::move(shape), {}};
        if (!clip_.contains(bounds)) {
            if (auto* rect = std::get_if<FilledRect>(&item.shape))
                rect->rect = rect->rect.cut_to(clip_);
            else
                item.clip = clip_;
        }
        picture_.items.push_back(std::move(item));
    }

    void finish() {
        finish_run();
        finish_stroke();
    }

    // --- triangles

    void triangles(const ImDrawList& list, const ImDrawCmd& command) {
        const ImDrawIdx* indices = list.IdxBuffer.Data + command.IdxOffset;
        const ImDrawVert* vertices = list.VtxBuffer.Data + command.VtxOffset;
        for (unsigned i = 0; i + 2 < command.ElemCount;) {
            Fan fan{{vertices[indices[i]], vertices[indices[i + 1]], vertices[indices[i + 2]]}};
            const ImDrawIdx first = indices[i];
            ImDrawIdx last = indices[i + 2];
            for (i += 3; i + 2 < command.ElemCount && indices[i] == first && indices[i + 1] == last; i += 3) {
                last = indices[i + 2];
                fan.corners.push_back(vertices[last]);
            }
            take(fan);
        }
    }

    void take(const Fan& fan) {
        const auto& corners = fan.corners;
        const bool solid = std::all_of(corners.begin(), corners.end(),
                                       [&](const ImDrawVert& v) { return is_white(v, white_); });
        if (!solid) {
            if (corners.size() == 4) glyph(fan);
            return;
        }
        const bool one_colour = std::all_of(corners.begin(), corners.end(),
                                            [&](const ImDrawVert& v) { return v.col == corners[0].col; });
        if (!one_colour) {
            finish();
            shaded(fan);
            return;
        }
        if ((corners[0].col >> 24) == 0) return;
        if (corners.size() == 4 && continue_stroke(fan)) return;
        finish();
        if (is_upright(fan)) {
            if (begins_stroke(fan)) return;
            const ImVec2 a = corners[0].pos, b = corners[2].pos;
            put(FilledRect{{std::min(a.x, b.x), std::min(a.y, b.y), std::max(a.x, b.x), std::max(a.y, b.y)},
                           corners[0].col});
            return;
        }
        if (corners.size() == 4 && begins_stroke(fan)) return;
        FilledPolygon polygon{{}, corners[0].col};
        for (const ImDrawVert& corner : corners) polygon.points.push_back(corner.pos);
        put(std::move(polygon));
    }

    // From one side to another: slices of one colour each.
    void shaded(const Fan& fan) {
        const auto& c = fan.corners;
        if (c.size() != 4) {
            FilledPolygon polygon{{}, c[0].col};
            for (const ImDrawVert& corner : c) polygon.points.push_back(corner.pos);
            put(std::move(polygon));
            return;
        }
        // Each reaches under those that follow, so that no ground shines through between them.
        const float left = c[0].pos.x, right = c[1].pos.x;
        const Colour from = mix(c[0].col, c[3].col, 0.5f), to = mix(c[1].col, c[2].col, 0.5f);
        const bool opaque = (from >> 24) == 255 && (to >> 24) == 255;
        const int slices = std::clamp(int(std::ceil(std::abs(right - left) / 3)), 1, 32);
        for (int i = 0; i < slices; ++i) {
            const float begin = float(i) / float(slices), end = float(i + 1) / float(slices);
            const float reach = opaque ? right + 0.5f : std::lerp(left, right, end);
            put(FilledRect{{std::lerp(left, right, begin), c[0].pos.y, reach, c[2].pos.y},
                           mix(from, to, (begin + end) / 2)});
        }
    }

    // --- strokes: without smoothing a line is a quad a piece, from the middle of one side to that of another

    struct Piece {
        ImVec2 from, to;
        float thickness;
        Colour colour;
    };

    static std::optional<Piece> piece_of(const Fan& fan) {
        const auto& c = fan.corners;
        const Piece piece{middle(c[0].pos, c[3].pos), middle(c[1].pos, c[2].pos),
                          length_of(minus(c[0].pos, c[3].pos)), c[0].col};
        const ImVec2 across = minus(c[0].pos, c[3].pos), along = minus(piece.to, piece.from);
        const bool square = std::abs(across.x * along.x + across.y * along.y)
                            <= 0.01f * std::max(length_of(across) * length_of(along), 1e-6f);
        const bool even = are_near(minus(c[0].pos, c[3].pos), minus(c[1].pos, c[2].pos));
        if (!square || !even || length_of(along) < 1e-4f) return {};
        return piece;
    }

    bool begins_stroke(const Fan& fan) {
        const auto piece = piece_of(fan);
        if (!piece || piece->thickness > 12) return false; // bars and areas are no lines
        stroke_ = {fan, *piece, Stroke{{piece->from, piece->to}, piece->colour, piece->thickness, false}};
        return true;
    }

    bool continue_stroke(const Fan& fan) {
        if (!stroke_) return false;
        const auto piece = piece_of(fan);
        Stroke& stroke = stroke_->stroke;
        if (!piece || piece->colour != stroke.colour || !are_near(piece->from, stroke.points.back())
            || std::abs(piece->thickness - stroke.thickness) > near)
            return false;
        finish_run();
        stroke.points.push_back(piece->to);
        return true;
    }

    void finish_stroke() {
        if (!stroke_) return;
        auto [fan, piece, stroke] = *std::exchange(stroke_, {});
        if (stroke.points.size() == 2 && is_upright(fan)) { // a rectangle, after all
            const ImVec2 a = fan.corners[0].pos, b = fan.corners[2].pos;
            put(FilledRect{{std::min(a.x, b.x), std::min(a.y, b.y), std::max(a.x, b.x), std::max(a.y, b.y)},
                           stroke.colour});
            return;
        }
        if (stroke.points.size() > 3 && are_near(stroke.points.front(), stroke.points.back())) {
            stroke.points.pop_back();
            stroke.closed = true;
        }
        put(std::move(stroke));
    }

    // --- text

    void glyph(const Fan& fan) {
        const auto& c = fan.corners;
        const ImVec2 uv0{std::min(c[0].uv.x, c[2].uv.x), std::min(c[0].uv.y, c[2].uv.y)};
        const ImVec2 uv1{std::max(c[0].uv.x, c[2].uv.x), std::max(c[0].uv.y, c[2].uv.y)};
        KnownGlyph* known = glyphs_.find(uv0, uv1);
        if (!known || (c[0].col >> 24) == 0) return;
        finish_stroke();
        const AtlasGlyph& glyph = known->glyph;
        const GlyphBox& box = glyph.box;
        // Units of the face as it lies in the atlas, on the screen.
        const float across = box.u1 - box.u0, down_uv = box.v1 - box.v0;
        const float drawn_width = (c[1].uv.x - c[0].uv.x) / across * (box.right - box.left);
        const float drawn_height = (c[3].uv.y - c[0].uv.y) / down_uv * (box.bottom - box.top);
        if (drawn_width <= 0 || drawn_height <= 0) return;
        const ImVec2 right = minus(c[1].pos, c[0].pos), below = minus(c[3].pos, c[0].pos);
        const ImVec2 along{right.x / drawn_width, right.y / drawn_width};
        const ImVec2 down{below.x / drawn_height, below.y / drawn_height};
        // From the quad's corner back to the pen on the baseline.
        const float x = box.left + (c[0].uv.x - box.u0) / across * (box.right - box.left);
        const float y = box.top + (c[0].uv.y - box.v0) / down_uv * (box.bottom - box.top) - glyph.baseline;
        const ImVec2 pen{c[0].pos.x - along.x * x - down.x * y, c[0].pos.y - along.y * x - down.y * y};
        const float advance = box.advance;

        if (run_ && continues_run(*known, pen, along, down, c[0].col)) {
            run_->run.text.push_back(glyph.character);
            run_->run.places.push_back(place_in_run(pen));
        } else {
            finish_run();
            // Text that is as large as it is meant to be stands straight, whatever was rounded on the way.
            const float scale = length_of(along);
            const bool plain = std::abs(along.y) < 1e-4f && std::abs(down.x) < 1e-4f
                               && std::abs(down.y - along.x) < 0.02f * scale;
            TextRun run{known->file, glyph.size * known->file->em_of_height(), c[0].col, pen, along,
                        down,        std::u32string(1, glyph.character),       {0},      0};
            if (plain) {
                run.size *= scale;
                run.along = {1, 0}, run.down = {0, 1};
            }
            run_ = OpenRun{std::move(run), glyph.font, along, down, scale, plain, 0, clip_};
        }
        run_->end = run_->run.places.back() + advance * (run_->plain ? run_->scale : 1);
    }

    struct OpenRun {
        TextRun run;
        const ImFont* font;
        ImVec2 along, down;
        float scale;
        bool plain;
        float end; // of what is there, along the baseline
        PictureRect clip;
    };

    float place_in_run(ImVec2 pen) const {
        const ImVec2 from = minus(pen, run_->run.origin);
        const ImVec2 along = run_->run.along;
        return (from.x * along.x + from.y * along.y) / (along.x * along.x + along.y * along.y);
    }

    // Right behind what is there, or so many spaces behind it, which are then written.
    bool continues_run(const KnownGlyph& known, ImVec2 pen, ImVec2 along, ImVec2 down, Colour colour) {
        TextRun& run = run_->run;
        if (run_->font != known.glyph.font || run.font != known.file || run.colour != colour
            || !(clip_ == run_->clip) || length_of(minus(along, run_->along)) > 0.02f
            || length_of(minus(down, run_->down)) > 0.02f)
            return false;
        const ImVec2 from = minus(pen, run.origin);
        const float off = std::abs(from.x * -run.along.y + from.y * run.along.x) / length_of(run.along);
        if (off > 0.3f) return false;
        const float place = place_in_run(pen), gap = place - run_->end;
        const float unit = run_->plain ? run_->scale : 1, space = glyphs_.space_of(known.glyph.font) * unit;
        const float tolerance = 0.06f * known.glyph.size * unit;
        if (std::abs(gap) <= tolerance) return true;
        if (space <= 0 || gap < 0) return false;
        const long spaces = std::lround(gap / space);
        if (spaces < 1 || spaces > 4 || std::abs(gap - float(spaces) * space) > tolerance) return false;
        for (long i = 0; i < spaces; ++i) {
            run.text.push_back(U' ');
            run.places.push_back(run_->end + float(i) * space);
        }
        return true;
    }

    void finish_run() {
        if (!run_) return;
        OpenRun open = *std::exchange(run_, {});
        open.run.width = open.end;
        const PictureRect clip = std::exchange(clip_, open.clip);
        put(std::move(open.run));
        clip_ = clip;
    }

    // --- heatmaps

    void heatmap(const DrawnHeatmap& drawn) {
        CellGrid grid{drawn.columns, drawn.rows, drawn.colours, false};
        const std::size_t cells = grid.colours.size();
        const auto is_thin = [](const std::vector<float>& edges) {
            for (std::size_t i = 1; i < edges.size(); ++i)
                if (edges[i] - edges[i - 1] < 0.5f) return true;
            return false;
        };
        grid.as_image = cells > most_cells_of_a_grid || cells_ + cells > most_cells_of_a_picture
                        || is_thin(grid.columns) || is_thin(grid.rows);
        if (!grid.as_image) cells_ += cells;
        const PictureRect rect = grid.rect();
        put(std::move(grid));
        for (PictureShape& shape : shapes_over(drawn, rect)) put(std::move(shape));
    }

    struct OpenStroke {
        Fan fan;
        Piece piece;
        Stroke stroke;
    };

    const HeatmapRenderer& heatmaps_;
    ImVec2 white_;
    GlyphFinder glyphs_;
    Picture& picture_;
    PictureRect clip_;
    std::optional<OpenRun> run_;
    std::optional<OpenStroke> stroke_;
    std::size_t cells_ = 0; // of grids that are no images
};

} // namespace

CaptureMode::CaptureMode(HeatmapRenderer& heatmaps) : heatmaps_(heatmaps) {
    ImGuiStyle& style = ImGui::GetStyle();
    lines_ = std::exchange(style.AntiAliasedLines, false);
    textured_lines_ = std::exchange(style.AntiAliasedLinesUseTex, false);
    fills_ = std::exchange(style.AntiAliasedFill, false);
    curves_ = std::exchange(style.CurveTessellationTol, 0.2f);
    circles_ = std::exchange(style.CircleTessellationMaxError, 0.1f);
    heatmaps_.record(true);
}

CaptureMode::~CaptureMode() {
    heatmaps_.record(false);
    ImGuiStyle& style = ImGui::GetStyle();
    style.AntiAliasedLines = lines_;
    style.AntiAliasedLinesUseTex = textured_lines_;
    style.AntiAliasedFill = fills_;
    style.CurveTessellationTol = curves_;
    style.CircleTessellationMaxError = circles_;
}

Picture capture_picture(const HeatmapRenderer& heatmaps, FontFiles& fonts, Colour ground) {
    const ImDrawData& data = *ImGui::GetDrawData();
    Picture picture{data.DisplaySize.x, data.DisplaySize.y, ground, {}};
    Reader reader(heatmaps, *ImGui::GetIO().Fonts, fonts, picture);
    for (int i = 0; i < data.CmdListsCount; ++i) reader.read(*data.CmdLists[i]);
    return picture;
}

} // namespace headlight
