#include "app/ui/canvas/figure_painter.h"

#include "app/session/training/training_view.h"
#include "app/ui/base/ui.h"
#include "app/ui/canvas/card_painter.h"
#include "app/ui/canvas/figure_painter.h"
#include "app/ui/widgets/text.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>
#include <vector>

namespace headlight {

namespace {

struct LegendEntry {
    std::string text;
    int need = 0; // of entries for which there is no room the least needed goes first
    std::function<void(const ScreenRect&)> draw;
};

// The corner that the shorter column leaves free.
ScreenRect room_for_legend(const CanvasScene& scene) {
    const CanvasLayout& layout = scene.canvas.layout();
    const float top =
        scene.rect.min.y + float(covered(scene.session, scene.rect).top) + px(6); // below the tools
    if (layout.sides.size() == 1)
        return {{scene.on_screen(layout.bounds).max.x + px(24), top},
                {scene.rect.max.x - px(20), scene.rect.max.y - px(20)}};
    const ScreenRect first = scene.on_screen(layout.sides.front().rect);
    ScreenRect room{{scene.rect.min.x + px(16), top}, {first.max.x, first.min.y - px(4)}};
    if (theme().presents()) room.max.x = scene.on_screen(layout.sides[1].rect).min.x + px(10);
    for (const FigureLine& one : layout.lines) // what they carry is written above their way across
        if (one.kind == FigureLineKind::memory)
            room.max.y =
                std::min(room.max.y, scene.on_screen(one.points[1]).y - faces().strong.size * 1.25f - px(8));
    return room;
}

// What the boxes' pictures are coloured by.
std::set<Palette> palettes_in_boxes(CanvasScene& scene) {
    std::set<Palette> palettes;
    for (const CanvasGroup& block : scene.canvas.layout().blocks) {
        const Card* card = block.picture ? scene.canvas.layout().find(block.picture) : nullptr;
        if (card && card->kind != CardKind::words && scene.looks.has_time_for(scene.session, *card))
            palettes.insert(scene.looks.of(scene.session, *card).palette);
    }
    return palettes;
}

void draw_scale(ImDrawList& list, Palette palette, const ScreenRect& r) {
    constexpr int steps = 12;
    const float height = px(9), step = r.width() / steps;
    for (int i = 0; i < steps; ++i) {
        const Colour a = theme().palette_colour(palette, float(i) / steps),
                     b = theme().palette_colour(palette, float(i + 1) / steps);
        list.AddRectFilledMultiColor({r.min.x + step * float(i), r.centre().y - height / 2},
                                     {r.min.x + step * float(i + 1), r.centre().y + height / 2}, a, b, b, a);
    }
}

// All that is drawn and does not name itself.
std::vector<LegendEntry> legend_entries(CanvasScene& scene) {
    const Session& session = scene.session;
    const Strings& s = session.strings();
    ImDrawList& list = scene.list;
    const auto& lines = scene.canvas.layout().lines;
    std::vector<LegendEntry> entries;
    const auto of_lines = [&](FigureLineKind kind, const char* key, int need) {
        if (std::any_of(lines.begin(), lines.end(), [&](const FigureLine& l) { return l.kind == kind; }))
            entries.push_back({s.text(key), need, [&list, kind](const ScreenRect& r) {
                                   const ImVec2 ends[] = {{r.min.x, r.centre().y}, {r.max.x, r.centre().y}};
                                   draw_figure_line(list, kind, ends);
                               }});
    };
    of_lines(FigureLineKind::spine, "figure.spine", 1);
    of_lines(FigureLineKind::residual, "figure.residual", 3);
    of_lines(FigureLineKind::memory, "figure.memory", 2); // "K, V" stands beside it
    const std::set<Palette> palettes = palettes_in_boxes(scene);
    const bool differs =
        session.training().difference || (session.view().against_baseline && session.what_if().comparison());
    if (palettes.contains(Palette::sequential))
        entries.push_back({s.text("figure.shares"), 6,
                           [&list](const ScreenRect& r) { draw_scale(list, Palette::sequential, r); }});
    if (palettes.contains(Palette::diverging))
        entries.push_back({s.text(differs ? "figure.differences" : "figure.numbers"), 7,
                           [&list](const ScreenRect& r) { draw_scale(list, Palette::diverging, r); }});
    if (palettes.contains(Palette::gradient))
        entries.push_back({s.text("figure.gradients"), 8,
                           [&list](const ScreenRect& r) { draw_scale(list, Palette::gradient, r); }});
    const auto box = [&list](const ScreenRect& r, Colour fill, Colour frame, float thickness) {
        const ScreenRect part{{r.min.x, r.centre().y - px(6)}, {r.max.x, r.centre().y + px(6)}};
        list.AddRectFilled(part.min, part.max, fill, px(3));
        list.AddRect(part.min, part.max, frame, px(3), 0, thickness);
    };
    if (scene.costs)
        entries.push_back(
            {s.text("figure.times", {time_text(*scene.costs->profile, scene.costs->longest_box)}), 9,
             [&list](const ScreenRect& r) { draw_cost_scale(list, r); }});
    if (!scene.changed.empty())
        entries.push_back({s.text("figure.changed"), 5, [box](const ScreenRect& r) {
                               box(r, changed_colour(colours().raised), colours().frame, px(1));
                           }});
    entries.push_back({s.text("figure.here"), 4,
                       [box](const ScreenRect& r) { box(r, colours().raised, colours().accent, px(2.5f)); }});
    return entries;
}

} // namespace

void paint_figure_legend(CanvasScene& scene) {
    const CanvasLayout& layout = scene.canvas.layout();
    if (scene.canvas.nearness() > 0.3 || layout.sides.empty()) return;
    const Strings& s = scene.session.strings();
    const ScreenRect room = room_for_legend(scene);
    if (room.width() < px(150) || room.height() < faces().caption.size) return;
    const std::string& sentence = s.text(layout.sides.size() > 1 ? "figure.sentence" : "figure.sentence_one");
    std::vector<LegendEntry> entries = legend_entries(scene);
    const float mark = px(34);
    const auto height = [&](const Face& face, bool with_sentence) {
        float sum = with_sentence ? wrapped_height(face, sentence, room.width()) + px(10) : 0;
        for (const LegendEntry& entry : entries)
            sum += wrapped_height(face, entry.text, room.width() - mark) + px(2);
        return sum;
    };
    // Smaller type comes before fewer words, and the sentence before the least needed of the entries.
    const Face* face = &faces().body;
    bool with_sentence = true;
    if (height(*face, true) > room.height()) face = &faces().caption;
    if (height(*face, true) > room.height()) with_sentence = false;
    while (!entries.empty() && height(*face, with_sentence) > room.height())
        entries.erase(
            std::min_element(entries.begin(), entries.end(),
                             [](const LegendEntry& a, const LegendEntry& b) { return a.need < b.need; }));
    if (entries.empty()) return;
    float y = room.min.y;
    if (with_sentence)
        y += draw_wrapped(scene.list, *face, room.min, room.width(), colours().ink, sentence) + px(10);
    for (const LegendEntry& entry : entries) {
        const float line = std::round(face->size * line_spacing);
        entry.draw(ScreenRect::at(room.min.x, y + (line - face->size) / 2, mark - px(8), face->size));
        y += draw_wrapped(scene.list, *face, {room.min.x + mark, y}, room.width() - mark, colours().ink_soft,
                          entry.text)
             + px(2);
    }
    widgets().record("canvas.legend", {room.min, {room.max.x, y}});
}

} // namespace headlight
