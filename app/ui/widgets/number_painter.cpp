#include "app/ui/widgets/heatmap.h"

#include "app/ui/base/ui.h"
#include "app/ui/widgets/text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>

namespace headlight {

namespace {

constexpr int decimal_sign = 10, minus_sign = 11, parting_sign = 12, glyph_count = 13;
constexpr int most_glyphs = 18;

struct Glyphs {
    std::array<GlyphBox, glyph_count> boxes;
    float advance = 0; // the face is monospaced

    explicit Glyphs(const Face& face) {
        for (int digit = 0; digit < 10; ++digit)
            boxes[std::size_t(digit)] = glyph_box(face, char32_t('0' + digit));
        boxes[decimal_sign] = glyph_box(face, number_signs().decimal);
        boxes[minus_sign] = glyph_box(face, U'−');
        boxes[parting_sign] = glyph_box(face, number_signs().thousands);
        advance = boxes[0].advance;
    }
};

constexpr double powers[] = {1, 10, 100, 1e3, 1e4, 1e5, 1e6};
constexpr std::uint64_t first_parted = 10'000; // as format_whole parts thousands

// What format_fixed writes, without a text for each: the figures from the last to the first; 0 when they are
// too many.
int figures(double x, int decimals, std::array<std::uint8_t, most_glyphs>& out) {
    const double scaled = std::nearbyint(std::abs(x) * powers[decimals]);
    if (!(scaled < 1e11)) return 0;
    if (x == 0) { // exactly: a masked weight, a neuron that is silent
        out[0] = 0;
        return 1;
    }
    auto rest = std::uint64_t(scaled);
    const bool zero = rest == 0, is_parted = double(rest) >= double(first_parted) * powers[decimals];
    int count = 0;
    for (int place = 0; place <= decimals || rest > 0; ++place) {
        if (decimals > 0 && place == decimals) out[std::size_t(count++)] = decimal_sign;
        if (is_parted && place > decimals && (place - decimals) % 3 == 0)
            out[std::size_t(count++)] = parting_sign;
        out[std::size_t(count++)] = std::uint8_t(rest % 10);
        rest /= 10;
    }
    if (x < 0 && !zero) out[std::size_t(count++)] = minus_sign;
    return count;
}

// What is no number of figures: −∞, ∞, NaN, or one that is too long.
void paint_special(ImDrawList& list, const Face& face, ImVec2 centre, float x, Colour ink) {
    const Theme& t = theme();
    if (!std::isfinite(x) && !(x < 0)) { // on a quiet place of its own
        const float half = text_width(face, "NaN") / 2 + 2;
        list.AddRectFilled({centre.x - half, centre.y - face.size / 2},
                           {centre.x + half, centre.y + face.size / 2}, t.colours.alarm);
        ink = t.ink_on(t.colours.alarm);
    }
    const std::string text = format_number(x, 3);
    draw_text(list, face, {centre.x - text_width(face, text) / 2, centre.y - face.size / 2}, ink, text);
}

} // namespace

bool is_large_cell(float cell_width, float cell_height, float needed) {
    return !theme().presents() && cell_height >= px(46) && cell_width >= needed + px(16);
}

std::optional<NumberWriting> number_writing(float cell_width, float cell_height, int decimals,
                                            ValueRange range, int least_decimals) {
    const Faces& faces = theme().faces;
    decimals = std::clamp(decimals, 0, 6);
    const int sign = range.low < 0 ? 1 : 0;
    const auto room_in = [&](const Face& face) {
        if (cell_height < face.size + 1) return 0;
        return std::max(int((cell_width - px(1)) / glyph_box(face, U'0').advance), 0);
    };
    int whole = 1; // figures before the point, of the largest
    const double largest = std::max(std::abs(double(range.low)), std::abs(double(range.high)));
    for (double rest = std::min(largest, 1e12); rest >= 9.995; rest /= 10) ++whole;
    if (whole > 4) whole += (whole - 1) / 3; // and what parts them
    const auto full = [&](int with) {
        return (with > 0 ? whole + 1 + with : theme().presents() ? whole : std::max(3, whole)) + sign;
    };
    const int room = room_in(faces.mono_small);
    const int least = std::max(least_decimals, whole > 1 ? 0 : 1); // "−10.3" as "−10", never "0"
    if (theme().presents() && room < full(decimals)) {
        const int small = room_in(faces.mono_cell);
        while (decimals > least && small < full(decimals)) --decimals;
        if (small < full(decimals)) return {};
        return NumberWriting{&faces.mono_cell, decimals};
    }
    while (whole > 1 && decimals > least && room < full(decimals)) --decimals;
    if (room < full(decimals)) return {};
    if (is_large_cell(cell_width, cell_height, float(full(decimals)) * glyph_box(faces.mono, U'0').advance))
        return NumberWriting{&faces.mono, decimals};
    return NumberWriting{&faces.mono_small, decimals};
}

Colour faded_ink(Colour behind, float fade) {
    constexpr double readable = 3; // contrast, of large and plain figures
    const Colour ground = mix(behind, theme().colours.card, fade), ink = theme().ink_on(ground),
                 soft = mix(ink, ground, fade * 0.4f);
    return contrast(soft, ground) >= readable ? soft : ink;
}

std::string written(double number, const NumberWriting& writing) {
    if (number == 0) return "0"; // exactly: a masked weight, a neuron that is silent
    const std::string text = format_fixed(number, writing.decimals);
    return text.front() == ' ' ? text.substr(1) : text;
}

void paint_numbers(ImDrawList& list, const ScreenRect& clip, const HeatmapMatrix& matrix,
                   const HeatmapGeometry& g, const NumberStyle& style) {
    const Theme& t = theme();
    const std::optional<NumberWriting> writing =
        number_writing(g.cell_width, g.cell_height, style.decimals, style.range, style.least_decimals);
    if (!writing) return;
    const Face& face = *writing->face;
    const Glyphs glyphs(face);
    const bool is_small = face.size < t.faces.mono_small.size;
    const CellRange seen = g.visible(clip.min.x, clip.min.y, clip.max.x, clip.max.y);
    const float scale = 255 / std::max(style.range.high - style.range.low, 1e-30f);
    const std::vector<Colour>& palette = t.palettes[std::size_t(style.palette)];
    // Ink on each colour of the palette, lit and faded: decided once, not for each cell.
    std::array<Colour, 256> inks, pale;
    for (std::size_t i = 0; i < 256; ++i) {
        inks[i] = t.ink_on(palette[i]);
        pale[i] = faded_ink(palette[i], style.fade);
    }
    auto next_lit = style.lit ? style.lit->begin() : std::vector<MatrixCell>::const_iterator();
    std::array<std::uint8_t, most_glyphs> figure{};
    for (int row = seen.first_row; row < seen.end_row; ++row) {
        const float y = std::round((g.row_edge(row) + g.row_edge(row + 1)) / 2 - face.size / 2);
        for (int column = seen.first_column; column < seen.end_column; ++column) {
            const bool is_covered =
                std::any_of(style.covered.begin(), style.covered.end(), [&](const MatrixCell& part) {
                    return (part.row < 0 || part.row == row) && (part.column < 0 || part.column == column);
                });
            if (is_covered) continue;
            const float x = *matrix.at(row, column);
            const float middle = (g.column_edge(column) + g.column_edge(column + 1)) / 2;
            bool lit = style.fade == 0;
            if (style.lit) {
                const auto before = [&](const MatrixCell& c) {
                    return c.row < row || (c.row == row && c.column < column);
                };
                while (next_lit != style.lit->end() && before(*next_lit)) ++next_lit;
                lit = next_lit != style.lit->end() && *next_lit == MatrixCell{row, column};
            }
            const int count = std::isfinite(x) ? figures(double(x), writing->decimals, figure) : 0;
            if (count == 0) {
                paint_special(list, is_small ? face : t.faces.caption, {middle, y + face.size / 2}, x,
                              lit ? t.colours.ink_soft : t.colours.ink_faint);
                continue;
            }
            const auto place = std::size_t(std::clamp((x - style.range.low) * scale, 0.f, 255.f));
            const Colour ink = lit ? inks[place] : pale[place];
            // Centred as it is read; the sign hangs, where there is room for it.
            const bool has_room = glyphs.advance * float(count + 1) <= g.cell_width - px(2);
            const bool hangs = figure[std::size_t(count - 1)] == minus_sign && !is_small && has_room;
            const float width = glyphs.advance * float(count - (hangs ? 1 : 0));
            float pen = middle - width / 2 - (hangs ? glyphs.advance : 0);
            list.PrimReserve(6 * count, 4 * count);
            for (int i = count; i-- > 0; pen += glyphs.advance) {
                const GlyphBox& box = glyphs.boxes[figure[std::size_t(i)]];
                list.PrimRectUV({pen + box.left, y + box.top}, {pen + box.right, y + box.bottom},
                                {box.u0, box.v0}, {box.u1, box.v1}, ink);
            }
        }
    }
}

void paint_cover(ImDrawList& list, const ScreenRect& part) {
    list.AddRectFilled(part.min, part.max, colours().raised);
    list.AddRect(part.min, part.max, colours().accent, 0, 0, px(1.5f));
    if (part.height() >= faces().mono_small.size * 0.9f)
        draw_text_in(list, faces().mono_small, part, colours().accent, "?", Align::centre);
}

} // namespace headlight
