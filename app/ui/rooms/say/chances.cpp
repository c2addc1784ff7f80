// The model's distribution at one place beside the one that was drawn from: what was cut off stays, at zero.
#include "app/ui/rooms/say/say_parts.h"

#include <algorithm>
#include <cmath>

namespace headlight {

namespace {

void bar(const ScreenRect& track, double p, Colour colour) {
    pen().AddRectFilled(track.min, track.max, colours().raised, px(2));
    const float width = track.width() * float(std::clamp(p, 0.0, 1.0));
    if (width > 0.5f) pen().AddRectFilled(track.min, {track.min.x + width, track.max.y}, colour, px(2));
}

void chance_row(SayContext& say, PanelColumn& column, Index place, const WordChance& chance, bool is_said,
                bool draws, std::size_t number) {
    const float line = std::ceil(faces().body.size * (draws ? 2.1f : 1.6f));
    const ScreenRect row = column.take(line);
    const std::string name = "saying.chance." + std::to_string(number);
    const Pressable p = pressable(name.c_str(), row);
    const bool ends = say.session.model().map().target()->is_end(chance.word);
    if (p.hovered && !is_said && !ends) pen().AddRectFilled(row.min, row.max, colours().hovered, px(4));
    if (p.pressed && !is_said && !ends)
        say.commands.emit("say choose " + std::to_string(place + 1) + " " + std::to_string(chance.word));
    tooltip_when_resting(name, row, p.hovered,
                         say.text(is_said ? "say.chance.said.tip"
                                  : ends  ? "say.chance.end.tip"
                                          : "say.chance.tip"));
    const float label = std::min(px(120), column.width() * 0.34f), number_width = px(50);
    const bool is_cut = draws && chance.drawn == 0;
    draw_label(pen(), is_said ? faces().strong : faces().body, {row.min, {row.min.x + label, row.max.y}},
               is_cut ? colours().ink_faint : colours().ink, say.label(chance.word));
    const float left = row.min.x + label + px(6), right = row.max.x - number_width - px(4);
    const float thick = px(9), middle = row.centre().y;
    const float of_model = draws ? middle - thick - px(1) : middle - thick / 2;
    const Face& face = faces().mono_small;
    bar({{left, of_model}, {right, of_model + thick}}, chance.probability, colours().probability);
    const float half = draws ? line / 2 : line;
    draw_text_in(pen(), face, {{right + px(4), row.min.y}, {row.max.x, row.min.y + half}}, colours().ink,
                 say.share(chance.probability), Align::right);
    if (!draws) return;
    bar({{left, middle + px(1)}, {right, middle + px(1) + thick}}, chance.drawn, colours().accent);
    draw_text_in(pen(), face, {{right + px(4), row.min.y + half}, row.max},
                 is_cut ? colours().ink_faint : colours().accent, say.share(chance.drawn), Align::right);
}

// What is left for all words that are not told.
void others(SayContext& say, PanelColumn& column, const SaidPlace& place, bool draws) {
    double probability = 1, drawn = 1;
    for (const WordChance& chance : place.chances) probability -= chance.probability, drawn -= chance.drawn;
    const Index words = say.session.model().map().target()->vocabulary_size - Index(place.chances.size());
    if (words <= 0) return;
    probability = std::max(probability, 0.0), drawn = drawn < 1e-9 ? 0 : drawn;
    const std::string p = say.share(probability), d = say.share(drawn);
    column_text(column, faces().caption, colours().ink_soft,
                draws ? say.text("say.chances.others.drawn", {format_whole(words), p, d})
                      : say.text("say.chances.others", {format_whole(words), p}));
}

} // namespace

void chances(SayContext& say, PanelColumn& outer, Index at) {
    const SaidPlace& place = say.answer().places[std::size_t(at)];
    const bool draws = say.settings().method == SayingMethod::draw;
    const float top = outer.y;
    PanelColumn column{outer.left + px(30), outer.right, outer.y + px(4)};
    column_text(column, faces().caption, colours().ink, say.text("say.chances.choose"));
    if (const PassCost& cost = place.cost; cost.rows > 0 && !say.is_low())
        column_text(
            column, faces().caption, colours().ink_soft,
            say.text(say.saying.is_cached ? "say.chances.cost" : "say.chances.cost.whole",
                     {format_whole(cost.rows), format_whole(Index(say.saying.fed.size()) + at - cost.rows),
                      format_number(cost.seconds * 1e3, 2)}));
    const Sampling& sampling = say.settings().sampling;
    if (draws) {
        const bool cuts = sampling.top_k > 0 || sampling.top_p < 1;
        column_text(column, faces().caption, colours().probability, say.text("say.chances.model"));
        column_text(column, faces().caption, colours().accent,
                    say.text(cuts ? "say.chances.drawn.cut" : "say.chances.drawn"));
    }
    column.skip(px(3));
    for (std::size_t i = 0; i < place.chances.size(); ++i)
        chance_row(say, column, at, place.chances[i], place.chances[i].word == place.said.word, draws, i);
    others(say, column, place, draws);
    pen().AddLine({outer.left + px(12), top + px(2)}, {outer.left + px(12), column.y}, colours().accent,
                  px(2));
    outer.y = column.y + px(10);
}

} // namespace headlight
