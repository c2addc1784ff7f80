#include "app/ui/canvas/figure_painter.h"

#include "app/ui/base/ui.h"
#include "app/ui/canvas/figure_parts.h"
#include "app/ui/widgets/text.h"

#include <algorithm>
#include <array>

namespace headlight {

void paint_figure_legend(CanvasScene& scene) {
    const CanvasLayout& layout = scene.canvas.layout();
    if (scene.canvas.nearness() > 0.3 || layout.sides.empty()) return;
    const Strings& s = scene.session.strings();
    const ScreenRect first = scene.on_screen(layout.sides.front().rect), all = scene.on_screen(layout.bounds);
    ScreenRect room = layout.sides.size() > 1
                          ? ScreenRect{{scene.rect.min.x + px(16), scene.rect.min.y + px(58)},
                                       {first.max.x, first.min.y - px(4)}}
                          : ScreenRect{{all.max.x + px(24), scene.rect.min.y + px(58)},
                                       {scene.rect.max.x - px(20), scene.rect.max.y - px(20)}};
    for (const FigureLine& one : layout.lines) // what they carry is written above their way across
        if (one.kind == FigureLineKind::memory && layout.sides.size() > 1)
            room.max.y =
                std::min(room.max.y, scene.on_screen(one.points[1]).y - faces().strong.size * 1.25f - px(8));
    const Face& face = faces().body;
    const float line = face.size * 1.5f, mark = px(34);
    const auto has = [&](FigureLineKind kind) {
        return std::any_of(layout.lines.begin(), layout.lines.end(),
                           [&](const FigureLine& l) { return l.kind == kind; });
    };
    const std::string& sentence = s.text(layout.sides.size() > 1 ? "figure.sentence" : "figure.sentence_one");
    const float sentence_height = wrapped_height(face, sentence, room.width());
    if (room.width() < px(180) || room.height() < sentence_height) return;
    float y =
        room.min.y + draw_wrapped(scene.list, face, room.min, room.width(), colours().ink, sentence) + px(10);
    widgets().record("canvas.legend", room);
    const auto entry = [&](std::string_view key, auto draw) {
        const std::string& text = s.text(key);
        if (y + line > room.max.y || text_width(face, text) > room.width() - mark) return;
        draw(ScreenRect::at(room.min.x, y, mark - px(8), face.size));
        draw_text(scene.list, face, {room.min.x + mark, y}, colours().ink_soft, text);
        y += line;
    };
    for (const auto& [kind, key] : {std::pair{FigureLineKind::spine, "figure.spine"},
                                    {FigureLineKind::residual, "figure.residual"},
                                    {FigureLineKind::memory, "figure.memory"}})
        if (has(kind))
            entry(key, [&, kind = kind](const ScreenRect& r) {
                const ImVec2 ends[] = {{r.min.x, r.centre().y}, {r.max.x, r.centre().y}};
                draw_figure_line(scene.list, kind, ends);
            });
    const auto scale = [&](Palette palette) {
        return [&, palette](const ScreenRect& r) {
            constexpr int steps = 12;
            const float height = px(9);
            for (int i = 0; i < steps; ++i) {
                const float step = r.width() / steps;
                const Colour a = theme().palette_colour(palette, float(i) / steps),
                             b = theme().palette_colour(palette, float(i + 1) / steps);
                scene.list.AddRectFilledMultiColor({r.min.x + step * float(i), r.centre().y - height / 2},
                                                   {r.min.x + step * float(i + 1), r.centre().y + height / 2},
                                                   a, b, b, a);
            }
        };
    };
    if (scene.session.view().backward.on) return; // gradients have other colours; the strip names them
    entry("figure.shares", scale(Palette::sequential));
    entry("figure.numbers", scale(Palette::diverging));
}

} // namespace headlight
