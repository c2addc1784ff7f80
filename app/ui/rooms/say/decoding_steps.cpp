// The loop, walked: a row for each pass of the decoder, and the word that it chose on its way to the next.
#include "app/ui/rooms/say/say_parts.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace headlight {

namespace {

constexpr float flight = 0.55f; // of the time of a pass

struct Row {
    ScreenRect whole, number, fed, said, share;
};

Row row_at(const PanelColumn& column, float height) {
    Row row;
    row.whole = {{column.left, column.y}, {column.right, column.y + height}};
    const float number = px(30), share = std::min(px(124), column.width() * 0.28f), arrow = px(20);
    const float word = (column.width() - number - share - arrow - px(8)) / 2;
    float x = column.left;
    const auto next = [&](float width) {
        const ScreenRect place = ScreenRect::at(x, column.y, width, height);
        x += width;
        return place;
    };
    x += px(4);
    row.number = next(number - px(4));
    row.fed = next(word);
    x += arrow;
    row.said = next(word);
    x += px(8);
    row.share = next(share - px(6));
    return row;
}

void draw_arrow(ImVec2 from, ImVec2 to, Colour colour) {
    pen().AddLine(from, to, colour, px(1.5f));
    const float dx = to.x - from.x, dy = to.y - from.y, length = std::max(std::hypot(dx, dy), 1.f);
    const float s = px(5);
    const ImVec2 along{dx / length * s, dy / length * s}, across{-along.y * 0.5f, along.x * 0.5f};
    pen().AddTriangleFilled(to, {to.x - along.x + across.x, to.y - along.y + across.y},
                            {to.x - along.x - across.x, to.y - along.y - across.y}, colour);
}

void draw_share(const SayContext& say, const ScreenRect& place, double p, Colour colour, Colour ink) {
    const float number = px(48);
    const float half = std::min(px(5), place.height() / 2 - px(2));
    const ScreenRect track{{place.min.x, place.centre().y - half},
                           {place.max.x - number, place.centre().y + half}};
    if (track.width() > px(16)) {
        pen().AddRectFilled(track.min, track.max, colours().raised, px(3));
        pen().AddRectFilled(track.min, {track.min.x + track.width() * float(p), track.max.y}, colour, px(3));
    }
    draw_text_in(pen(), faces().mono_small, {{place.max.x - number, place.min.y}, place.max}, ink,
                 say.share(p), Align::right);
}

// Words are drawn from something else than what the model finds.
bool is_tempered(const SayContext& say) {
    const Sampling& sampling = say.settings().sampling;
    return say.settings().method == GenerationMethod::draw
           && (sampling.temperature != 1 || sampling.top_k > 0 || sampling.top_p < 1);
}

// With what probability the word that was said was drawn.
double drawn_share(const SaidPlace& place) {
    for (const WordChance& chance : place.chances)
        if (chance.word == place.said.word) return chance.drawn;
    return 0;
}

// The model's own probability; above that of the draw, where they are two.
void shares(const SayContext& say, const ScreenRect& place, const SaidPlace& said) {
    const double own = std::exp(said.said.log_probability);
    if (!is_tempered(say)) return draw_share(say, place, own, colours().probability, colours().ink);
    const float middle = place.centre().y;
    draw_share(say, {place.min, {place.max.x, middle}}, own, colours().probability, colours().ink);
    draw_share(say, {{place.min.x, middle}, place.max}, drawn_share(said), colours().accent,
               colours().accent);
}

// "probability", or the names of both, one above the other.
void title_of_shares(const SayContext& say, const ScreenRect& place) {
    const Face& face = faces().caption;
    const std::string& own = say.text("say.column.p");
    const bool fits = text_width(face, own) < place.width();
    if (!is_tempered(say)) {
        draw_text_in(pen(), face, place, colours().ink_faint, fits ? own : "p", Align::right);
        return;
    }
    const float middle = place.centre().y;
    draw_label(pen(), face, {place.min, {place.max.x, middle}}, colours().probability,
               say.text("say.column.p.model"), Align::right);
    const Sampling& sampling = say.settings().sampling;
    const bool cuts = sampling.top_k > 0 || sampling.top_p < 1;
    draw_label(
        pen(), face, {{place.min.x, middle}, place.max}, colours().accent,
        say.text(cuts ? "say.column.p.cut" : "say.column.p.drawn", {format_number(sampling.temperature, 3)}),
        Align::right);
}

// When another pass is shown, its row comes into sight.
void keep_in_view(const SayContext& say, const ScreenRect& row) {
    struct Shown {
        Index pass = 0;
    };
    Index& shown = ui().state<Shown>().pass;
    if (std::exchange(shown, say.settings().pass) == say.settings().pass) return;
    ImGui::SetScrollFromPosY(row.centre().y - ImGui::GetWindowPos().y, 0.3f);
}

} // namespace

void pass_told(SayContext& say, PanelColumn& column) {
    const GenerationSettings& settings = say.settings();
    const Index last = Index(say.answer().places.size());
    const std::string told =
        settings.opened >= 0 ? say.text("say.at.branch")
        : settings.pass == 0 ? say.text(say.answer().has_ended ? "say.at.all" : "say.at.all.full",
                                        {std::to_string(last - Index(say.answer().has_ended))})
                             : say.text("say.at.pass", {std::to_string(say.pass()), std::to_string(last)});
    // So high that what is below stays where it is, whichever pass is told.
    const float two_lines = say.is_low() ? 0 : 2 * faces().body.size * line_spacing, top = column.y;
    column_text(column, faces().body, colours().ink, told);
    column.y = std::max(column.y, top + two_lines);
    column.skip(px(6));
}

void passes(SayContext& say, PanelColumn& column) {
    const GenerationSettings& settings = say.settings();
    const SaidAnswer& answer = say.answer();
    const Index last = Index(answer.places.size()), shown = say.pass() == 0 ? last : say.pass();
    const float height = std::ceil(faces().body.size * (is_tempered(say) ? 2.1f : 1.6f));
    if (say.session.model().map().source() && !say.is_low()) {
        const std::string told =
            say.text("say.encoder_once", {std::to_string(say.session.sentence().source_ids.size()),
                                          format_number(say.generation.encoder_seconds * 1e3, 2)})
            + (say.generation.is_cached ? "" : " " + say.text("say.encoder_once.whole"));
        const float width = column.width() - px(18);
        const ScreenRect stamp = column.take(wrapped_height(faces().body, told, width) + px(8));
        pen().AddRectFilled(stamp.min, stamp.max, colours().raised, px(6));
        pen().AddRectFilled(stamp.min, {stamp.min.x + px(4), stamp.max.y}, colours().accent, px(2));
        draw_wrapped(pen(), faces().body, {stamp.min.x + px(12), stamp.min.y + px(4)}, width, colours().ink,
                     told);
        column.skip(px(6));
    }
    PanelColumn head = column;
    const Row titles = row_at(head, std::ceil(faces().caption.size * (is_tempered(say) ? 2.7f : 1.5f)));
    draw_text_in(pen(), faces().caption, titles.fed, colours().ink_faint, say.text("say.column.fed"));
    draw_text_in(pen(), faces().caption, titles.said, colours().ink_faint, say.text("say.column.said"));
    title_of_shares(say, titles.share);
    column.skip(titles.whole.height());

    if (say.pass() == 0) keep_in_view(say, titles.whole);
    std::optional<Row> before;
    for (Index t = 0; t < last; ++t) {
        const SaidPlace& place = answer.places[std::size_t(t)];
        const Row row = row_at(column, height);
        column.skip(height);
        const bool is_shown = say.pass() == t + 1, is_to_come = t >= shown;
        const std::string name = "saying.pass." + std::to_string(t + 1);
        const Pressable p = pressable(name.c_str(), row.whole);
        if (is_shown || p.hovered)
            pen().AddRectFilled(row.whole.min, row.whole.max,
                                is_shown ? colours().accent_soft : colours().hovered, px(5));
        if (p.pressed) say.commands.emit("say pass " + std::to_string(t + 1));
        tooltip_when_resting(name, row.whole, p.hovered, say.text("say.pass.tip"));
        const Colour ink = is_to_come ? colours().ink_faint : colours().ink;
        const bool is_begun = t < Index(answer.begun.size());
        draw_text_in(pen(), faces().mono_small, row.number, colours().ink_faint, std::to_string(t + 1));
        const TokenId fed =
            t == 0 ? say.generation.fed.back() : say.fed_after(answer.places[std::size_t(t - 1)].said.word);
        if (before && !is_to_come)
            draw_arrow({before->said.min.x - px(2), before->said.centre().y + px(5)},
                       {row.fed.max.x + px(2), row.fed.centre().y - px(4)},
                       with_alpha(colours().accent, 0.6f));
        const auto& view = say.session.view().generation;
        const float flown = float(view.clock / seconds_a_pass) / flight;
        if (view.playing && is_shown && before && flown < 1) { // on its way to be fed
            const float eased = flown * flown * (3 - 2 * flown);
            const ScreenRect from = before->said, to = row.fed;
            const ImVec2 at{from.min.x + (to.min.x - from.min.x) * eased,
                            from.min.y + (to.min.y - from.min.y) * eased};
            draw_text_in(pen(), faces().strong, ScreenRect::at(at.x, at.y, to.width(), height),
                         colours().accent, say.label(fed));
        } else if (!is_to_come || !view.playing) {
            draw_label(pen(), faces().body, row.fed, ink, say.label(fed));
        }
        if (is_to_come && view.playing) continue; // it is not said yet
        const bool is_chosen = is_begun && t + 1 == Index(answer.begun.size());
        draw_label(pen(), is_to_come ? faces().body : faces().strong, row.said,
                   is_to_come  ? colours().ink_faint
                   : is_chosen ? colours().key
                               : colours().ink,
                   say.label(place.said.word));
        if (is_to_come) continue;
        shares(say, row.share, place);
        before = row;
        if (!is_shown) continue;
        keep_in_view(say, row.whole);
        chances(say, column, t);
    }
    column.skip(px(4));
    if (!answer.has_ended && settings.pass == 0)
        column_text(column, faces().caption, colours().ink_soft,
                    say.text(say.session.experiment().looked() ? "say.full.not_yet"
                             : say.generation.cut_after > 0    ? "say.full.stopped"
                                                               : "say.full"));
    column_note(column, say.text("say.sum", {format_number(answer.log_probability, 4),
                                             format_number(std::exp(answer.log_probability), 3)}));
}

} // namespace headlight
