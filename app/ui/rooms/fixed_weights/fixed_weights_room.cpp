// A weight for each place beside attention: two columns of the same sentences.
#include "app/ui/asking/asked.h"
#include "app/ui/rooms/page_frame.h"
#include "app/ui/rooms/rooms.h"
#include "app/ui/widgets/formula.h"
#include "app/ui/widgets/plot.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace headlight {

namespace {

constexpr const char* fixed_weights[] = {"fruta",
                                         "roupa"}; // the words are Portuguese, whatever is spoken around

// How much a word counts, upwards or downwards.
void weight_bar(const ScreenRect& room, float weight, float most, Colour colour, bool is_signed) {
    const float ground = is_signed ? room.centre().y : room.max.y;
    const float reach = (is_signed ? room.height() / 2 : room.height()) - px(2);
    const float tip = ground - reach * std::clamp(weight / std::max(most, 1e-6f), -1.f, 1.f);
    pen().AddLine({room.min.x, ground}, {room.max.x, ground}, colours().frame);
    pen().AddRectFilled({room.min.x + px(4), std::min(tip, ground)},
                        {room.max.x - px(4), std::max(tip, ground)}, colour, px(2));
}

// p of both senses, the larger one said aloud.
void verdict(const ScreenRect& rect, const SensePass& pass, const Session& session, CommandSink& commands) {
    const Tensor& p = pass.probabilities->value;
    const float half = rect.width() / 2;
    for (Index sense = 0; sense < 2; ++sense) {
        const ScreenRect part =
            ScreenRect::at(rect.min.x + half * float(sense), rect.min.y, half - px(6), rect.height());
        const float share = float(p(0, 0, sense));
        const bool is_said = share > 0.5f;
        const ScreenRect track{{part.min.x, part.max.y - px(4)}, part.max};
        pen().AddRectFilled(track.min, track.max, colours().line, px(2));
        pen().AddRectFilled(track.min, {track.min.x + track.width() * share, track.max.y},
                            colours().probability, px(2));
        const Face& face = is_said ? faces().strong : faces().body;
        const float number = text_width(faces().mono, "0.00") + px(12);
        draw_label(pen(), face, {part.min, {part.max.x - number, track.min.y}},
                   is_said ? colours().ink : colours().ink_soft, fixed_weights[sense]);
        page_cell({pass.probabilities,
                   0,
                   sense,
                   {{part.max.x - number, part.min.y + px(1)}, {part.max.x, track.min.y - px(2)}},
                   &faces().mono,
                   colours().window},
                  session, commands);
    }
}

// One sentence in one of the networks: above each word how much it counts.
void sentence_block(const ScreenRect& rect, Mixing mixing, Index sentence, const Session& session,
                    CommandSink& commands) {
    const FixedWeights& learned = *session.small_pages().fixed_weights_learned;
    const SensePass& pass = learned.pass(mixing, sentence);
    const std::vector<std::string>& words = learned.words(sentence);
    const bool is_signed = mixing == Mixing::fixed;
    const Tensor& weights = pass.weights->value;
    float most = is_signed ? 0.f : 1.f;
    // Fixed weights have one measure for all sentences, so that a bar is as high wherever it stands.
    for (Index other = 0; is_signed && other < FixedWeights::sentences; ++other) {
        const Tensor& all = learned.pass(mixing, other).weights->value;
        for (Index i = 0; i < all.columns(); ++i) most = std::max(most, std::abs(float(all(0, 0, i))));
    }
    const float word_height = faces().body.size * 1.7f, cell = faces().mono_small.size * 1.7f,
                said = control_height();
    const float width = std::min(rect.width() / float(words.size()), px(110));
    // Where words have no room beside one another they stand upright, and numbers give way to bars.
    float widest = 0;
    for (const std::string& word : words) widest = std::max(widest, text_width(faces().body, word));
    const bool is_narrow = widest + px(4) > width;
    const bool has_numbers = text_width(faces().mono_small, "−0.00") + px(4) <= width;
    const float upright = std::min(widest + px(8), rect.height() * 0.44f);
    const float below_bars = (is_narrow ? upright : word_height) + (has_numbers ? cell : 0) + said + px(10);
    const ScreenRect bars{rect.min, {rect.max.x, rect.max.y - below_bars}};
    for (std::size_t i = 0; i < words.size(); ++i) {
        const float x = rect.min.x + width * float(i);
        const float weight = float(weights(0, 0, Index(i)));
        weight_bar({{x, bars.min.y}, {x + width, bars.max.y}}, weight, most,
                   weight < 0  ? colours().negative
                   : is_signed ? colours().positive
                               : colours().probability,
                   is_signed);
        const ScreenRect number = has_numbers
                                      ? ScreenRect::at(x + px(2), bars.max.y + px(2), width - px(4), cell)
                                      : ScreenRect{{x + px(2), bars.min.y}, {x + width - px(2), bars.max.y}};
        if (has_numbers)
            page_cell({pass.weights, 0, Index(i), number, &faces().mono_small, colours().window}, session,
                      commands);
        const bool is_known = learned.is_known(sentence, Index(i)), is_asked = words[i] == "manga";
        const Colour ink = is_asked ? colours().accent : is_known ? colours().ink : colours().ink_faint;
        const Face& face = is_asked ? faces().strong : faces().body;
        const float top = bars.max.y + (has_numbers ? cell : 0) + px(2);
        if (is_narrow)
            draw_turned_label(pen(), faces().body, {x + width / 2, top + upright - px(4)}, 90,
                              upright - px(6), ink, words[i]);
        else
            draw_label(pen(), face, ScreenRect::at(x + px(2), top, width - px(4), word_height), ink, words[i],
                       Align::centre);
    }
    verdict(ScreenRect::at(rect.min.x, rect.max.y - said, std::min(rect.width(), px(380)), said), pass,
            session, commands);
    widgets().record(std::string(is_signed ? "places.fixed." : "places.attention.") + std::to_string(sentence)
                         + ".block",
                     rect);
}

void network_column(const ScreenRect& rect, Mixing mixing, const Session& session, CommandSink& commands) {
    const Strings& s = session.strings();
    const bool is_fixed = mixing == Mixing::fixed;
    draw_label(pen(), faces().heading,
               ScreenRect::at(rect.min.x, rect.min.y, rect.width(), faces().heading.size * 1.4f),
               colours().ink, s.text(is_fixed ? "fixed_weights.fixed" : "fixed_weights.attention"));
    const float formula_top = rect.min.y + faces().heading.size * 1.4f + px(4);
    const std::string tex = is_fixed ? "y = \\sum_t a_t\\,x_t"
                                     : "y = \\sum_t \\mathrm{softmax}\\left(\\color{query}{q}\\,"
                                       "\\color{key}{K}^T / \\sqrt{d}\\right)_t x_t";
    const FormulaStyle style{MathSize::small, colours().ink_soft};
    const FormulaExtent extent = measure_formula(tex, style);
    draw_formula(pen(), {rect.min.x, formula_top + extent.ascent}, tex, style);
    const float top = formula_top + extent.height() + px(12);
    // At a projector two of them, and large; the own one in the place of the second once it was typed.
    const float gap = px(18), lowest = px(170);
    const bool has_room = (rect.max.y - top - 2 * gap) / 3 >= lowest;
    const bool is_typed = session.small_pages().fixed_weights.own != FixedWeightsSetting().own;
    std::vector<Index> shown = {0, 1, 2};
    if (!has_room) shown.erase(shown.begin() + (is_typed ? 1 : 2));
    const float count = float(shown.size()), height = (rect.max.y - top - (count - 1) * gap) / count;
    for (std::size_t i = 0; i < shown.size(); ++i)
        sentence_block(ScreenRect::at(rect.min.x, top + float(i) * (height + gap), rect.width(), height),
                       mixing, shown[i], session, commands);
}

void side_of_places(const ScreenRect& rect, const Session& session, CommandSink& commands) {
    const Strings& s = session.strings();
    const FixedWeightsSetting& setting = session.small_pages().fixed_weights;
    ScrolledColumn scrolled("placesside", rect);
    PanelColumn& column = scrolled.column;
    const auto words = [&] {
        if (session.view().teaching.on) return;
        column_heading(column, s.text("fixed_weights.title"));
        column_paragraph(column, s.text("fixed_weights.text"));
    };
    const bool controls_first = theme().presents();
    if (!controls_first) words();
    float front = float(setting.in_front);
    if (ControlRow(column).slider("places.front", s.text("fixed_weights.front"), front, 0,
                                  float(most_in_front),
                                  {.tooltip = s.text("fixed_weights.front.tip"), .step = 1}))
        commands.emit("drag places front " + std::to_string(std::lround(front)));
    struct Typed {
        std::string text, was;
    };
    Typed& typed = ui().state<Typed>();
    if (typed.was != setting.own) typed = {setting.own, setting.own}; // undone, or of a session
    column_caption(column, s.text("fixed_weights.own"));
    if (ControlRow(column).field(
            "places.own", typed.text,
            {.tooltip = s.text("fixed_weights.own.tip"), .hint = s.text("fixed_weights.own")})
        != FieldEvent::none)
        if (typed.text != typed.was) {
            typed.was = typed.text;
            commands.emit("drag places sentence " + typed.text);
        }
    column.skip(px(4));
    float epochs = float(setting.epochs);
    if (ControlRow(column).slider("places.epochs", s.text("fixed_weights.epochs"), epochs, 0,
                                  float(FixedWeightsSetting().epochs),
                                  {.tooltip = s.text("fixed_weights.epochs.tip"), .step = 1}))
        commands.emit("drag places epochs " + std::to_string(std::lround(epochs)));
    const bool plays = session.view().places_play;
    const std::array<Chip, 2> training = {
        Chip{s.text(plays ? "ground.pause" : "fixed_weights.train"), s.text("fixed_weights.train.tip"),
             plays},
        Chip{s.text("fixed_weights.seed"), s.text("fixed_weights.seed.tip")}};
    if (const auto pressed = column_chips(column, "places.training", training))
        commands.emit(*pressed == 1 ? "places seed " + std::to_string(setting.seed + 1)
                      : plays       ? std::string("places pause")
                                    : std::string("places play"));
    const FixedWeights& learned = *session.small_pages().fixed_weights_learned;
    const auto shown = [&](Mixing mixing) { // to where one looks
        const std::vector<float>& all = learned.losses(mixing);
        return std::span<const float>(all).first(
            std::min(all.size(), std::size_t(FixedWeightsSetting().epochs) + 1));
    };
    const PlotSeries series[] = {
        {s.text("fixed_weights.fixed"), shown(Mixing::fixed), {}, colours().series[1]},
        {s.text("fixed_weights.attention"), shown(Mixing::attention), {}, colours().series[0]}};
    const PlotResult curve = plot({.name = "places.losses",
                                   .title = s.text("fixed_weights.losses"),
                                   .x_axis = s.text("fixed_weights.epochs"),
                                   .series = series,
                                   .low_y = 0.f,
                                   .marker_x = float(setting.epochs)},
                                  column.take(px(150)));
    if (curve.clicked_x)
        commands.emit("drag places epochs "
                      + std::to_string(std::clamp<long>(std::lround(*curve.clicked_x), 0,
                                                        long(FixedWeightsSetting().epochs))));
    column.skip(px(10));
    if (column_chip(column, "places.reset", {s.text("plain.reset"), s.text("fixed_weights.reset.tip")}))
        commands.emit("places reset");
    if (controls_first) words();
}

} // namespace

void fixed_weights_room(const ScreenRect& body, const Session& session, CommandSink& commands) {
    small_page_asking().begin_frame();
    const PageFrame frame = page_frame(body, session);
    if (!session.small_pages().fixed_weights_learned) return; // until the next command
    const float gap = px(28), half = std::floor((frame.main.width() - gap) / 2);
    network_column({frame.main.min, {frame.main.min.x + half, frame.main.max.y}}, Mixing::fixed, session,
                   commands);
    network_column({{frame.main.min.x + half + gap, frame.main.min.y}, frame.main.max}, Mixing::attention,
                   session, commands);
    const float middle = frame.main.min.x + half + gap / 2;
    pen().AddLine({middle, frame.main.min.y}, {middle, frame.main.max.y}, colours().line);
    if (!page_answer(frame, session, commands) && frame.has_side)
        side_of_places(frame.side, session, commands);
    if (ImGui::IsMouseReleased(0)) commands.emit("drag end");
}

} // namespace headlight
