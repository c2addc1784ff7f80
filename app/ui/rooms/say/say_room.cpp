// The model's distribution at one place beside the one that was drawn from: what was cut off stays, at zero.
#include "app/ui/closeup/closeups.h"
#include "app/ui/rooms/rooms.h"
#include "app/ui/rooms/say/say_parts.h"
#include "app/ui/widgets/menu.h"

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
    const bool draws = say.settings().method == GenerationMethod::draw;
    const float top = outer.y;
    PanelColumn column{outer.left + px(30), outer.right, outer.y + px(4)};
    column_text(column, faces().caption, colours().ink, say.text("say.chances.choose"));
    if (const PassCost& cost = place.cost; cost.rows > 0 && !say.is_low())
        column_text(column, faces().caption, colours().ink_soft,
                    say.text(say.generation.is_cached ? "say.chances.cost" : "say.chances.cost.whole",
                             {format_whole(cost.rows),
                              format_whole(Index(say.generation.fed.size()) + at - cost.rows),
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

// How the words are chosen, and the branches that a person made.

namespace {

struct Setting {
    const char* name; // of the command, and of its texts
    float now, low, high, step;
    int digits = 2;
};

void setting(SayContext& say, PanelColumn& column, const Setting& which) {
    float value = which.now;
    const std::string name = which.name;
    const bool is_off = (name == "top-k" && which.now == 0) || (name == "top-p" && which.now == 1);
    if (ControlRow(column).slider(
            "saying." + name, say.text("say." + name) + (is_off ? " " + say.text("say.off") : ""), value,
            which.low, which.high,
            {.tooltip = say.text("say." + name + ".tip"), .step = which.step, .digits = which.digits})
        && value != which.now)
        say.commands.emit("say " + name + " "
                          + (which.step == 1 ? std::to_string(std::lround(value))
                                             : exactly(std::round(double(value) * 100) / 100)));
}

void drawing(SayContext& say, PanelColumn& column) {
    const Sampling& sampling = say.settings().sampling;
    setting(say, column, {"temperature", float(sampling.temperature), 0, 3, 0, 3});
    setting(say, column, {"top-k", float(std::min<Index>(sampling.top_k, 20)), 0, 20, 1});
    setting(say, column, {"top-p", float(sampling.top_p), 0, 1, 0, 3});
    const std::string seed = std::to_string(say.settings().seed);
    if (column_chip(column, "saying.seed", {say.text("say.seed", {seed}), say.text("say.seed.tip")}))
        say.commands.emit("say seed " + std::to_string(say.settings().seed % 1'000'000 + 1));
}

void searching(SayContext& say, PanelColumn& column) {
    setting(say, column, {"width", float(say.settings().width), 1, float(widest_beam), 1});
    setting(say, column, {"penalty", float(say.settings().length_penalty), 0, 3, 0, 3});
}

void branches(SayContext& say, PanelColumn& column) {
    const GenerationSettings& settings = say.settings();
    if (settings.branches.empty()) return;
    column_caption(column, say.text("say.branches"));
    std::vector<std::string> labels{say.text("say.branch.own")};
    for (const std::vector<TokenId>& begun : settings.branches)
        labels.push_back(say.text("say.branch", {std::to_string(begun.size()), say.label(begun.back())}));
    std::vector<Chip> choices;
    for (std::size_t i = 0; i < labels.size(); ++i)
        choices.push_back({labels[i], say.text("say.branch.tip"), settings.branch == Index(i)});
    if (const auto pressed = column_chips(column, "saying.branch", choices))
        say.commands.emit("say branch " + std::to_string(*pressed));
    if (column_chip(column, "saying.forget", {say.text("say.forget"), say.text("say.forget.tip")}))
        say.commands.emit("say forget all");
}

} // namespace

void ways(SayContext& say, PanelColumn& column) {
    branches(say, column);
    if (!say.is_low()) column_caption(column, say.text("say.method"));
    std::vector<Chip> methods;
    for (std::size_t i = 0; i < std::size(generation_method_names); ++i) {
        const std::string name(generation_method_names[i]);
        methods.push_back({say.text("say.method." + name), say.text("say.method." + name + ".tip"),
                           say.settings().method == GenerationMethod(i)});
    }
    if (const auto pressed = column_chips(column, "saying.method", methods))
        say.commands.emit("say " + std::string(generation_method_names[std::size_t(*pressed)]));
    if (!say.session.model().map().source() && say.settings().method != GenerationMethod::beam) {
        bool endless = say.settings().is_endless;
        if (ControlRow(column).toggle("saying.endless", say.text("say.endless"), endless,
                                      say.text("say.endless.tip")))
            say.commands.emit(endless ? "say endless on" : "say endless off");
    }
    if (say.settings().method == GenerationMethod::draw) drawing(say, column);
    if (say.settings().method == GenerationMethod::beam) searching(say, column);
}

namespace {

// Word by word is looked at in three ways; beams are a page of their own.
void page_choice(SayContext& say, PanelColumn& column) {
    constexpr GenerationPage pages[] = {GenerationPage::words, GenerationPage::lanes, GenerationPage::cost};
    const GenerationPage here = say.session.view().generation.page;
    if (here == GenerationPage::beams) return;
    const auto name = [](GenerationPage page) {
        return std::string(generation_page_names[std::size_t(page)]);
    };
    std::vector<Chip> choices;
    for (const GenerationPage page : pages)
        choices.push_back({say.text("say.page." + name(page)), {}, here == page});
    if (const auto pressed = chips_or_list("saying.page", choices, say.text("say.page.tip"), column))
        say.commands.emit("say " + name(pages[*pressed]));
    column.skip(px(10));
}

} // namespace

std::string SayContext::label(TokenId word) const {
    return said_label(session.model().files, session.model().map(), word);
}

TokenId SayContext::fed_after(TokenId said) const {
    return fed_of_texts(std::span(&said, 1), *session.model().map().target()).front();
}

std::string SayContext::share(double p) const {
    return p == 0 ? "0" : p < 0.0005 ? "<" + exact_text(0.001) : format_fixed(p, 3);
}

void say_room(const ScreenRect& body, const Session& session, CanvasView& canvas, CommandSink& commands) {
    const GenerationPage page = session.view().generation.page;
    const bool shows_canvas = page == GenerationPage::words;
    if (!shows_canvas) canvas.hide();
    const Generation* generation = session.generation();
    const bool says = generation && !generation->answers.empty();
    if (session.view().alone && (shows_canvas || !says)) {
        canvas.hinted.reset();
        return canvas_or_closeup(body, session, canvas, commands);
    }
    const bool alone = session.view().alone;
    const float gap = px(12);
    const float width = alone ? -gap : std::clamp(body.width() * 0.36f, px(330), px(520));
    const ScreenRect main{body.min, {body.max.x - width - gap, body.max.y}};
    const ScreenRect side{{main.max.x + gap, body.min.y}, body.max};
    if (!alone) pen().AddRectFilled(side.min, side.max, colours().card, px(10));
    const ScreenRect inner{{side.min.x + px(16), side.min.y + px(14)},
                           {side.max.x - px(6), side.max.y - px(10)}};
    if (!says) {
        canvas.hinted.reset();
        canvas_or_closeup(main, session, canvas, commands);
        PanelColumn column{inner.min.x, inner.max.x - px(10), inner.min.y};
        const bool writes = session.model().map().target() != nullptr;
        return column_text(column, faces().body, colours().ink_soft,
                           session.strings().text(writes ? "say.none" : "say.writes_nothing"));
    }
    SayContext say{session, commands, *generation};
    if (shows_canvas) {
        canvas.hinted.reset();
        canvas_or_closeup(main, session, canvas, commands);
    } else {
        pen().AddRectFilled(main.min, main.max, colours().card, px(10));
        const ScreenRect picture{{main.min.x + px(16), main.min.y + px(14)},
                                 {main.max.x - px(10), main.max.y - px(10)}};
        if (page == GenerationPage::beams) beams_tree(say, picture);
        if (page == GenerationPage::lanes) lanes_view(say, picture);
        if (page == GenerationPage::cost) cost_view(say, picture);
    }
    if (alone) return;
    PanelColumn top{inner.min.x, inner.max.x - px(10), inner.min.y};
    page_choice(say, top);
    if (page == GenerationPage::words || page == GenerationPage::cost) pass_told(say, top);
    // The sliders stay where they are while the bars that follow them scroll; a low window scrolls all.
    const bool keeps_ways = page == GenerationPage::words && inner.height() > px(620);
    if (keeps_ways) ways(say, top);
    // Each page begins at its own beginning.
    const std::string own = "saying.side." + std::to_string(int(page));
    ScrolledColumn scrolled(own.c_str(), {{inner.min.x, top.y}, inner.max});
    PanelColumn& column = scrolled.column;
    switch (page) {
    case GenerationPage::words:
        if (!keeps_ways) ways(say, column);
        passes(say, column);
        break;
    case GenerationPage::beams:
        beams_side(say, column);
        break;
    case GenerationPage::lanes:
        lanes_side(say, column);
        break;
    case GenerationPage::cost:
        cost_side(say, column);
        break;
    }
}

} // namespace headlight
