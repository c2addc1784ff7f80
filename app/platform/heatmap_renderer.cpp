#include "app/platform/heatmap_renderer.h"

#include "app/platform/gl.h"
#include "app/platform/gl_program.h"
#include "app/platform/gl_texture.h"
#include "app/platform/heatmap_geometry.h"
#include "engine/base/check.h"
#include "shaders.h" // made by the build from shaders/heatmap.*

#include <imgui.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <deque>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

namespace headlight {
namespace {

constexpr int palette_size = 256;
constexpr int largest_texture = 4096; // cells a side; every GL 3.3 has this
constexpr int frames_kept = 600;      // a texture that nobody draws for so long is freed
constexpr std::size_t bytes_kept = 512u << 20;
constexpr long large_matrix = 1 << 15; // cells; smaller ones are always prepared at once
constexpr long cells_a_frame =
    3 << 17; // of large ones that are uploaded; CardLooks has such a limit for ranges
constexpr long huge_matrix = 4 * cells_a_frame; // cells; such are pooled over several frames

// What one texture holds: a matrix, pooled by levels (0: as it is), and of a very large one only a part.
struct TextureKey {
    std::uint64_t id;
    int row_level, column_level;
    int first_row, first_column;

    bool operator==(const TextureKey&) const = default;
};

struct TextureKeyHash {
    std::size_t operator()(const TextureKey& key) const {
        std::uint64_t hash = key.id;
        for (const int part : {key.row_level, key.column_level, key.first_row, key.first_column})
            hash = (hash ^ std::uint64_t(unsigned(part))) * 0x9E3779B97F4A7C15ull + (hash >> 29);
        return std::size_t(hash);
    }
};

struct CachedTexture {
    GlTexture texture;
    std::uint64_t version = 0;
    int rows = 0, columns = 0; // of the matrix part, before pooling
    std::int64_t last_frame = 0;
};

// Of a matrix that is not pooled within one frame. It is kept: coarser levels are made of it.
struct KeptPooling {
    std::uint64_t version = 0;
    int rows = 0, columns = 0;
    GradualPooling pooling;
    std::int64_t last_frame = 0;
};

struct Uniforms {
    int rectangle, picture, origin, cell, range, palette, dimming, background, hatch, alarm, grid;
};

// One drawing of one matrix, kept until the frame is drawn.
struct Drawing {
    void* renderer_state;
    const CachedTexture* texture;
    HeatmapColouring colouring;
    float rectangle[4]; // the drawn part: left, top, right, bottom, in interface units
    float origin[2];    // of the texture's first cell
    float cell[2];      // of one texel
    int record = -1;    // of State::records
};

// How often cells of this size must be halved in number until no more than two begin in one pixel.
int pooling_level(float cell_pixels) {
    if (cell_pixels >= 0.5f) return 0;
    return std::clamp(int(std::floor(-std::log2(cell_pixels))), 0, 24);
}

void set_colour(int uniform, std::uint32_t colour) {
    glUniform3f(uniform, float(colour & 255) / 255, float(colour >> 8 & 255) / 255,
                float(colour >> 16 & 255) / 255);
}

} // namespace

struct HeatmapRenderer::State {
    GlProgram program;
    Uniforms uniforms{};
    GlTexture palettes;
    int palette_count = 1;
    std::vector<std::uint32_t> palette_colours;
    HeatmapInks inks;
    bool recording = false;
    std::deque<DrawnHeatmap> records; // of this frame
    unsigned vertex_array = 0;
    // Usually one texture a key; more while versions of one matrix are drawn side by side in a frame.
    std::unordered_map<TextureKey, std::vector<std::unique_ptr<CachedTexture>>, TextureKeyHash> textures;
    std::unordered_map<TextureKey, KeptPooling, TextureKeyHash> poolings;
    std::deque<Drawing> drawings; // addresses stay valid while it grows
    std::int64_t frame = 0;
    int uploads = 0;
    long cells_prepared = 0; // of large matrices, in this frame
    bool postponed = false;

    explicit State(GlProgram linked) : program(std::move(linked)) {}
    ~State() {
        if (vertex_array) glDeleteVertexArrays(1, &vertex_array);
    }

    CachedTexture* find(const HeatmapMatrix& matrix, const TextureKey& key, int rows, int columns);
    // `pooled`: already, by the key's levels.
    const CachedTexture& texture_of(const HeatmapMatrix& matrix, const TextureKey& key, int rows, int columns,
                                    const std::vector<float>* pooled = nullptr);
    // Of a huge matrix; null while it is not pooled so far.
    const CachedTexture* pooled_texture(const HeatmapMatrix& matrix, const TextureKey& key, int rows,
                                        int columns);
    // The texture, or while there is no time to make it, the same matrix pooled otherwise; `key` is then that
    // one's. Null when there is none yet.
    const CachedTexture* texture_or_coarser(const HeatmapMatrix& matrix, TextureKey& key, int rows,
                                            int columns);
    void draw(const Drawing& drawing, const ImDrawCmd& command) const;
    DrawnHeatmap as_shapes(const HeatmapMatrix& matrix, const HeatmapGeometry& geometry,
                           const HeatmapColouring& colouring, const CellRange& cells) const;
    static void draw_callback(const ImDrawList*, const ImDrawCmd* command) {
        const auto& drawing = *static_cast<const Drawing*>(command->UserCallbackData);
        static_cast<const State*>(drawing.renderer_state)->draw(drawing, *command);
    }
};

Result<std::unique_ptr<HeatmapRenderer>> HeatmapRenderer::create() {
    auto program = GlProgram::build("heatmap", heatmap_vertex_shader, heatmap_fragment_shader);
    if (!program) return program.error();
    auto state = std::make_unique<State>(*std::move(program));
    const GlProgram& linked = state->program;
    state->uniforms = {linked.uniform("rectangle"), linked.uniform("picture"),    linked.uniform("origin"),
                       linked.uniform("cell"),      linked.uniform("range"),      linked.uniform("palette"),
                       linked.uniform("dimming"),   linked.uniform("background"), linked.uniform("hatch"),
                       linked.uniform("alarm"),     linked.uniform("grid")};
    linked.use();
    glUniform1i(linked.uniform("values"), 0);
    glUniform1i(linked.uniform("palettes"), 1);
    glGenVertexArrays(1, &state->vertex_array); // a core context draws nothing without one, even an empty one
    return std::unique_ptr<HeatmapRenderer>(new HeatmapRenderer(std::move(state)));
}

HeatmapRenderer::HeatmapRenderer(std::unique_ptr<State> state) : state_(std::move(state)) {}

HeatmapRenderer::~HeatmapRenderer() = default;

void HeatmapRenderer::set_palettes(std::span<const std::uint32_t> colours, const HeatmapInks& inks) {
    HEADLIGHT_CHECK(!colours.empty() && colours.size() % palette_size == 0,
                    "palettes of " + std::to_string(colours.size()) + " colours");
    state_->palette_count = int(colours.size()) / palette_size;
    state_->palettes.upload_colours(reinterpret_cast<const std::uint8_t*>(colours.data()), palette_size,
                                    state_->palette_count);
    state_->palette_colours.assign(colours.begin(), colours.end());
    state_->inks = inks;
}

void HeatmapRenderer::begin_frame() {
    State& state = *state_;
    state.drawings.clear();
    state.records.clear();
    state.uploads = 0;
    state.cells_prepared = 0;
    state.postponed = false;
    ++state.frame;
    std::size_t bytes = 0;
    for (const auto& [key, versions] : state.textures)
        for (const auto& cached : versions) bytes += cached->texture.bytes();
    for (const auto& [key, kept] : state.poolings) bytes += kept.pooling.pooled().size() * sizeof(float);
    const std::int64_t oldest = state.frame - (bytes > bytes_kept ? 2 : frames_kept);
    for (auto entry = state.textures.begin(); entry != state.textures.end();) {
        std::erase_if(entry->second, [&](const auto& cached) { return cached->last_frame < oldest; });
        entry = entry->second.empty() ? state.textures.erase(entry) : std::next(entry);
    }
    std::erase_if(state.poolings, [&](const auto& kept) { return kept.second.last_frame < oldest; });
}

int HeatmapRenderer::uploads() const { return state_->uploads; }
bool HeatmapRenderer::postponed() const { return state_->postponed; }

CachedTexture* HeatmapRenderer::State::find(const HeatmapMatrix& matrix, const TextureKey& key, int rows,
                                            int columns) {
    const auto versions = textures.find(key);
    if (versions == textures.end()) return nullptr;
    for (const auto& candidate : versions->second)
        if (candidate->version == matrix.version && candidate->rows == rows && candidate->columns == columns)
            return candidate.get();
    return nullptr;
}

const CachedTexture* HeatmapRenderer::State::texture_or_coarser(const HeatmapMatrix& matrix, TextureKey& key,
                                                                int rows, int columns) {
    const long cells = long(rows) * columns;
    if (recording || cells < large_matrix || find(matrix, key, rows, columns))
        return &texture_of(matrix, key, rows, columns);
    const bool is_pooled = key.row_level > 0 || key.column_level > 0;
    if (is_pooled && cells > huge_matrix) {
        if (const CachedTexture* pooled = pooled_texture(matrix, key, rows, columns)) return pooled;
    } else if (cells_prepared == 0 || cells_prepared + cells <= cells_a_frame) {
        cells_prepared += cells;
        return &texture_of(matrix, key, rows, columns);
    }
    postponed = true;
    if (key.first_row > 0 || key.first_column > 0) return nullptr;
    for (int distance = 1; distance <= 6; ++distance)
        for (const int step : {-distance, distance}) {
            const TextureKey other{key.id, std::max(key.row_level + step, 0),
                                   std::max(key.column_level + step, 0), 0, 0};
            if (CachedTexture* found = find(matrix, other, rows, columns)) {
                found->last_frame = frame;
                key = other;
                return found;
            }
        }
    return nullptr;
}

const CachedTexture* HeatmapRenderer::State::pooled_texture(const HeatmapMatrix& matrix,
                                                            const TextureKey& key, int rows, int columns) {
    const auto is_of = [&](const KeptPooling& kept) {
        return kept.version == matrix.version && kept.rows == rows && kept.columns == columns;
    };
    // Blocks of blocks are blocks: what is pooled finer is pooled on.
    for (auto& [finer, kept] : poolings) {
        const int row_steps = key.row_level - finer.row_level,
                  column_steps = key.column_level - finer.column_level;
        if (finer.id != key.id || finer.first_row != key.first_row || finer.first_column != key.first_column
            || row_steps < 0 || column_steps < 0 || !is_of(kept) || !kept.pooling.is_done())
            continue;
        kept.last_frame = frame;
        const long cells = long(kept.pooling.pooled_rows()) * kept.pooling.pooled_columns();
        if (cells > huge_matrix || (cells_prepared > 0 && cells_prepared + cells > cells_a_frame)) continue;
        cells_prepared += cells;
        const std::vector<float> pooled = pool_strongest(
            kept.pooling.pooled().data(), kept.pooling.pooled_rows(), kept.pooling.pooled_columns(),
            {kept.pooling.pooled_columns(), 1}, row_steps, column_steps);
        return &texture_of(matrix, key, rows, columns, &pooled);
    }
    if (cells_prepared >= cells_a_frame) return nullptr;
    auto place = poolings.find(key);
    if (place == poolings.end() || !is_of(place->second)) {
        poolings.erase(key);
        place = poolings
                    .emplace(key, KeptPooling{matrix.version, rows, columns,
                                              GradualPooling(rows, columns, key.row_level, key.column_level)})
                    .first;
    }
    place->second.last_frame = frame;
    const long left = cells_a_frame - cells_prepared;
    cells_prepared = cells_a_frame;
    GradualPooling& pooling = place->second.pooling;
    if (!pooling.advance(matrix.at(key.first_row, key.first_column), {matrix.stride, matrix.column_stride},
                         left))
        return nullptr;
    return &texture_of(matrix, key, rows, columns, &pooling.pooled());
}

const CachedTexture& HeatmapRenderer::State::texture_of(const HeatmapMatrix& matrix, const TextureKey& key,
                                                        int rows, int columns,
                                                        const std::vector<float>* pooled) {
    if (CachedTexture* known = find(matrix, key, rows, columns)) {
        known->last_frame = frame;
        return *known;
    }
    auto& versions = textures[key];
    CachedTexture* reusable = nullptr;
    for (const auto& candidate : versions) // no drawing of this frame needs it
        if (candidate->last_frame < frame) reusable = candidate.get();
    if (!reusable) reusable = versions.emplace_back(std::make_unique<CachedTexture>()).get();
    CachedTexture& cached = *reusable;
    cached.last_frame = frame;
    cached.version = matrix.version;
    cached.rows = rows;
    cached.columns = columns;
    ++uploads;
    const float* values = matrix.at(key.first_row, key.first_column);
    if (!pooled && key.row_level == 0 && key.column_level == 0 && matrix.column_stride == 1) {
        cached.texture.upload_floats(values, columns, rows, matrix.stride);
        return cached;
    }
    std::vector<float> now;
    if (!pooled)
        now = pool_strongest(values, rows, columns, {matrix.stride, matrix.column_stride}, key.row_level,
                             key.column_level);
    const int width = pooled_size(columns, key.column_level);
    cached.texture.upload_floats((pooled ? *pooled : now).data(), width, pooled_size(rows, key.row_level),
                                 width);
    return cached;
}

void HeatmapRenderer::add(ImDrawList& list, const HeatmapMatrix& matrix, const HeatmapGeometry& geometry,
                          const HeatmapColouring& colouring, const CellRange* part) {
    HEADLIGHT_CHECK(geometry.rows == matrix.rows && geometry.columns == matrix.columns,
                    "a heatmap's geometry must be that of its matrix");
    // Without one, two matrices would share a texture and one would show the other's numbers.
    HEADLIGHT_CHECK(matrix.id != 0, "a heatmap needs an identity of its own");
    CellRange cells = part ? *part : CellRange{0, matrix.rows, 0, matrix.columns};
    const ImVec2 clip_low = list.GetClipRectMin(), clip_high = list.GetClipRectMax();
    const CellRange seen = geometry.visible(clip_low.x, clip_low.y, clip_high.x, clip_high.y);
    cells = {std::max(cells.first_row, seen.first_row), std::min(cells.end_row, seen.end_row),
             std::max(cells.first_column, seen.first_column), std::min(cells.end_column, seen.end_column)};
    if (cells.first_row >= cells.end_row || cells.first_column >= cells.end_column) return;

    // A matrix larger than a texture, seen so close that pooling does not make it fit: the part in sight, in
    // steps, so that scrolling does not upload in every frame.
    const float pixels = ImGui::GetIO().DisplayFramebufferScale.x;
    TextureKey key{matrix.id, pooling_level(geometry.cell_height * pixels),
                   pooling_level(geometry.cell_width * pixels), 0, 0};
    const auto take = [](int level, int size, int first, int end, int& start) {
        if (pooled_size(size, level) <= largest_texture) return size;
        const int step = 512 << level;
        start = first / step * step;
        return std::min((end - start + step - 1) / step * step, size - start);
    };
    const int rows = take(key.row_level, matrix.rows, cells.first_row, cells.end_row, key.first_row);
    const int columns =
        take(key.column_level, matrix.columns, cells.first_column, cells.end_column, key.first_column);

    const CachedTexture* texture = state_->texture_or_coarser(matrix, key, rows, columns);
    if (!texture) return;
    Drawing drawing{state_.get(), texture, colouring, {}, {}, {}};
    if (state_->recording) {
        drawing.record = int(state_->records.size());
        state_->records.push_back(state_->as_shapes(matrix, geometry, colouring, cells));
    }
    drawing.rectangle[0] = geometry.column_edge(cells.first_column);
    drawing.rectangle[1] = geometry.row_edge(cells.first_row);
    drawing.rectangle[2] = geometry.column_edge(cells.end_column);
    drawing.rectangle[3] = geometry.row_edge(cells.end_row);
    drawing.origin[0] = geometry.x + float(key.first_column) * geometry.cell_width;
    drawing.origin[1] = geometry.y + float(key.first_row) * geometry.cell_height;
    drawing.cell[0] = geometry.cell_width * float(1 << key.column_level);
    drawing.cell[1] = geometry.cell_height * float(1 << key.row_level);
    state_->drawings.push_back(drawing);

    // Of several heatmaps in a row only the last needs to hand the GL state back.
    auto& commands = list.CmdBuffer;
    if (commands.Size >= 2 && commands.back().ElemCount == 0 && !commands.back().UserCallback
        && commands[commands.Size - 2].UserCallback == ImDrawCallback_ResetRenderState) {
        commands.erase(commands.Data + commands.Size - 2);
    }
    list.AddCallback(State::draw_callback, &state_->drawings.back());
    list.AddCallback(ImDrawCallback_ResetRenderState, nullptr);
}

void HeatmapRenderer::record(bool on) { state_->recording = on; }

const DrawnHeatmap* HeatmapRenderer::drawn(const ImDrawCmd& command) const {
    if (command.UserCallback != State::draw_callback) return nullptr;
    const int record = static_cast<const Drawing*>(command.UserCallbackData)->record;
    return record < 0 ? nullptr : &state_->records[std::size_t(record)];
}

// The rules of shaders/heatmap.frag.
DrawnHeatmap HeatmapRenderer::State::as_shapes(const HeatmapMatrix& matrix, const HeatmapGeometry& geometry,
                                               const HeatmapColouring& colouring,
                                               const CellRange& cells) const {
    constexpr float smallest_cell_with_grid = 8;
    DrawnHeatmap drawn;
    const int row_level = pooling_level(geometry.cell_height),
              column_level = pooling_level(geometry.cell_width);
    const auto edges = [](int first, int end, int level, auto edge) {
        std::vector<float> all;
        const int step = 1 << level;
        for (int at = first / step * step; at < end; at += step) all.push_back(edge(std::max(at, first)));
        all.push_back(edge(end));
        return all;
    };
    drawn.columns = edges(cells.first_column, cells.end_column, column_level,
                          [&](int column) { return geometry.column_edge(column); });
    drawn.rows =
        edges(cells.first_row, cells.end_row, row_level, [&](int row) { return geometry.row_edge(row); });
    // From the first whole block on, so that blocks are those of the screen.
    const int row_step = 1 << row_level, column_step = 1 << column_level;
    const int first_row = cells.first_row / row_step * row_step;
    const int first_column = cells.first_column / column_step * column_step;
    const std::vector<float> values = pool_strongest(
        matrix.at(first_row, first_column), cells.end_row - first_row, cells.end_column - first_column,
        {matrix.stride, matrix.column_stride}, row_level, column_level);

    const auto channel = [](std::uint32_t colour, int shift) { return float(colour >> shift & 255); };
    const auto faded = [&](std::uint32_t colour) {
        std::uint32_t result = 0xFF000000u;
        for (const int shift : {0, 8, 16})
            result |= std::uint32_t(std::lround(std::lerp(
                          channel(colour, shift), channel(inks.background, shift), colouring.dimming)))
                      << shift;
        return result;
    };
    const float high = colouring.high > colouring.low ? colouring.high : colouring.low + 1;
    const auto colour_of = [&](float value) {
        if (std::isnan(value) || (std::isinf(value) && value > 0)) return inks.alarm;
        if (std::isinf(value)) return inks.background;
        const float place = std::clamp((value - colouring.low) / (high - colouring.low), 0.0f, 1.0f);
        return palette_colours[std::size_t(colouring.palette * palette_size + std::lround(place * 255))];
    };
    for (const float value : values) drawn.colours.push_back(faded(colour_of(value)));

    const float smallest = std::min(geometry.cell_width, geometry.cell_height);
    const auto mark_of = [&](float value) {
        if (std::isnan(value) && smallest >= 6) return DrawnHeatmap::Mark::not_a_number;
        return std::isinf(value) && value < 0 ? DrawnHeatmap::Mark::masked : DrawnHeatmap::Mark::none;
    };
    if (std::any_of(values.begin(), values.end(),
                    [&](float value) { return mark_of(value) != DrawnHeatmap::Mark::none; }))
        for (const float value : values) drawn.marks.push_back(mark_of(value));
    drawn.hatch = faded(inks.hatch);
    drawn.cross = faded(inks.background);
    if (smallest >= smallest_cell_with_grid) drawn.grid = inks.grid;
    return drawn;
}

void HeatmapRenderer::State::draw(const Drawing& drawing, const ImDrawCmd& command) const {
    const ImDrawData& data = *ImGui::GetDrawData();
    const float pixels = data.FramebufferScale.x;
    const float width = data.DisplaySize.x * pixels, height = data.DisplaySize.y * pixels;
    const auto to_pixels = [&](float value, float corner) { return (value - corner) * pixels; };
    const float left = std::max(to_pixels(command.ClipRect.x, data.DisplayPos.x), 0.0f);
    const float top = std::max(to_pixels(command.ClipRect.y, data.DisplayPos.y), 0.0f);
    const float right = std::min(to_pixels(command.ClipRect.z, data.DisplayPos.x), width);
    const float bottom = std::min(to_pixels(command.ClipRect.w, data.DisplayPos.y), height);
    if (right <= left || bottom <= top) return;
    glEnable(GL_SCISSOR_TEST);
    glScissor(int(left), int(height - bottom), int(right - left), int(bottom - top));
    glDisable(GL_BLEND);

    program.use();
    glBindVertexArray(vertex_array);
    palettes.bind(1);
    drawing.texture->texture.bind(0);
    const float* rectangle = drawing.rectangle;
    glUniform4f(uniforms.rectangle, to_pixels(rectangle[0], data.DisplayPos.x),
                to_pixels(rectangle[1], data.DisplayPos.y), to_pixels(rectangle[2], data.DisplayPos.x),
                to_pixels(rectangle[3], data.DisplayPos.y));
    glUniform2f(uniforms.picture, width, height);
    glUniform2f(uniforms.origin, to_pixels(drawing.origin[0], data.DisplayPos.x),
                to_pixels(drawing.origin[1], data.DisplayPos.y));
    glUniform2f(uniforms.cell, drawing.cell[0] * pixels, drawing.cell[1] * pixels);
    const HeatmapColouring& colouring = drawing.colouring;
    const float high = colouring.high > colouring.low ? colouring.high : colouring.low + 1;
    glUniform2f(uniforms.range, colouring.low, high);
    glUniform1f(uniforms.palette, (float(colouring.palette) + 0.5f) / float(palette_count));
    glUniform1f(uniforms.dimming, colouring.dimming);
    set_colour(uniforms.background, inks.background);
    set_colour(uniforms.hatch, inks.hatch);
    set_colour(uniforms.alarm, inks.alarm);
    glUniform4f(uniforms.grid, float(inks.grid & 255) / 255, float(inks.grid >> 8 & 255) / 255,
                float(inks.grid >> 16 & 255) / 255, float(inks.grid >> 24) / 255);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

} // namespace headlight
