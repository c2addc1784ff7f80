// What the loop costs: which rows each pass computes and which it only reads again, counted and measured.
#include "app/ui/rooms/say/say_parts.h"
#include "app/ui/widgets/table.h"

#include <algorithm>
#include <cmath>

namespace headlight {

namespace {

PassCost sum_of(const std::vector<PassCost>& costs) {
    PassCost sum;
    for (const PassCost& cost : costs) {
        sum.rows += cost.rows, sum.scores += cost.scores;
        sum.multiplications += cost.multiplications;
        sum.seconds += cost.seconds;
    }
    return sum;
}

std::vector<PassCost> costs_of(const SaidAnswer& answer) {
    std::vector<PassCost> costs;
    for (const SaidPlace& place : answer.places)
        if (place.cost.rows > 0) costs.push_back(place.cost);
    return costs;
}

// A row a pass, a column a word: computed in it, or only read again.
void triangle(SayContext& say, const ScreenRect& rect, const std::vector<PassCost>& costs, Index first_length,
              const char* title, Index shown, const char* name) {
    const float line = std::ceil(faces().body.size * 1.6f);
    draw_text_in(pen(), faces().strong, ScreenRect::at(rect.min.x, rect.min.y, rect.width(), line),
                 colours().ink, say.text(title));
    const ScreenRect picture{{rect.min.x + px(30), rect.min.y + line + px(18)}, rect.max};
    const auto passes = Index(costs.size());
    const Index longest = first_length + passes - 1;
    if (passes == 0) return;
    const float cell =
        std::floor(std::min({picture.width() / float(longest), picture.height() / float(passes), px(40)}));
    if (cell < 2) return;
    widgets().record(
        name, ScreenRect::at(picture.min.x, picture.min.y, cell * float(longest), cell * float(passes)));
    draw_text_in(pen(), faces().caption,
                 ScreenRect::at(picture.min.x, picture.min.y - px(18), picture.width(), px(16)),
                 colours().ink_faint, say.text("say.cost.words"));
    const float gap = cell > px(8) ? px(2) : cell > 4 ? 1.f : 0.f;
    const Index every = std::max<Index>(1, Index(std::ceil(faces().caption.size * 1.2f / cell)));
    for (Index p = 0; p < passes; ++p) {
        const Index length = first_length + p, fresh = std::min(costs[std::size_t(p)].rows, length);
        const float y = picture.min.y + float(p) * cell;
        if (p % every == 0)
            draw_text_in(pen(), faces().caption, ScreenRect::at(rect.min.x, y, px(24), cell),
                         colours().ink_faint, std::to_string(p + 1), Align::right);
        for (Index c = 0; c < length; ++c) {
            const ScreenRect square =
                ScreenRect::at(picture.min.x + float(c) * cell, y, cell - gap, cell - gap);
            const bool is_kept = c < length - fresh;
            const Colour fill = is_kept ? with_alpha(colours().key, 0.16f) : colours().key;
            pen().AddRectFilled(square.min, square.max, fill, px(2));
            if (is_kept && cell > px(10)) // read again: struck through once
                pen().AddLine({square.min.x + px(3), square.max.y - px(3)},
                              {square.max.x - px(3), square.min.y + px(3)}, with_alpha(colours().key, 0.6f),
                              px(1));
        }
        if (p + 1 == shown)
            pen().AddRect({picture.min.x - px(2), y - px(1)},
                          {picture.min.x + float(length) * cell, y + cell - gap + px(1)}, colours().accent,
                          px(3), 0, px(2));
    }
}

std::string in_thousands(double number) {
    if (number < 1e6) return format_whole(number);
    return number < 1e9 ? format_number(number / 1e6, 3) + " M" : format_number(number / 1e9, 3) + " G";
}

} // namespace

void cost_view(SayContext& say, const ScreenRect& rect) {
    const std::vector<PassCost> costs = costs_of(say.answer());
    const Index first = Index(say.generation.fed.size() + say.answer().begun.size());
    std::vector<PassCost> whole; // what there would be to compute if nothing were kept
    for (std::size_t p = 0; p < costs.size(); ++p) whole.push_back({.rows = first + Index(p)});
    const float gap = px(24), width = (rect.width() - gap) / 2;
    const Index shown = say.pass();
    triangle(say, ScreenRect::at(rect.min.x, rect.min.y, width, rect.height()), costs, first,
             say.generation.is_cached ? "say.cost.with" : "say.cost.not_kept", shown, "saying.kept");
    triangle(say, ScreenRect::at(rect.min.x + width + gap, rect.min.y, width, rect.height()), whole, first,
             "say.cost.without", shown, "saying.anew");
}

void cost_side(SayContext& say, PanelColumn& column) {
    const std::vector<PassCost> costs = costs_of(say.answer());
    const PassCost with = sum_of(costs), without = sum_of(say.generation.anew);
    column_paragraph(column,
                     say.text(say.generation.is_cached                      ? "say.cost.text"
                              : say.session.model().graph().edits().empty() ? "say.cost.text.not_kept"
                                                                            : "say.cost.text.changed"));
    const bool measured = !say.generation.anew.empty() && say.settings().branch == 0
                          && say.settings().method != GenerationMethod::beam;
    Table table{
        .columns = {{.heading = {say.text("say.cost.of", {std::to_string(costs.size())})},
                     .align = Align::left,
                     .face = &faces().caption,
                     .share = 1},
                    {{say.text(say.generation.is_cached ? "say.cost.head.with" : "say.cost.head.now")}},
                    {{say.text("say.cost.head.without")}},
                    {{say.text("say.cost.head.less")}}}};
    const auto row = [&](const char* what, double kept, double anew, const auto& write) {
        table.rows.push_back({{{say.text(what), colours().ink_soft},
                               {write(kept)},
                               {measured ? write(anew) : "–"},
                               {measured && kept > 0 ? format_number(anew / kept, 2) + " ×" : "–"}}});
    };
    const auto count = [&](double number) { return format_whole(number); };
    row("say.cost.rows", double(with.rows), double(without.rows), count);
    row("say.cost.scores", double(with.scores), double(without.scores), count);
    row("say.cost.multiplications", double(with.multiplications), double(without.multiplications),
        in_thousands);
    row("say.cost.seconds", with.seconds, without.seconds,
        [](double seconds) { return format_number(seconds * 1e3, 3) + " ms"; });
    draw_table(table, column);
    column.skip(px(8));
    if (say.generation.anew.empty()) {
        if (column_chip(column, "saying.measure", {say.text("say.measure"), say.text("say.measure.tip")}))
            say.commands.emit("say measure");
    }
    column_note(column, say.text("say.cost.counted"));
    column_line(column);
    const double n = 64;
    column_text(
        column, faces().body, colours().ink,
        say.text(say.generation.is_cached ? "say.cost.long" : "say.cost.long.would",
                 {format_whole(n), format_whole(n * (n + 1) / 2), format_whole(n * (n + 1) * (n + 2) / 6)}));
}

} // namespace headlight
