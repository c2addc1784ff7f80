#include "app/ui/closeup/closeups.h"

#include "app/ui/closeup/closeup_parts.h"
#include "app/ui/closeup/frame.h"

#include "engine/text/unicode.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace headlight {

namespace {

constexpr std::size_t most_signs_shown = 4000, most_words_shown = 2000;

// Cut again only when the text, the side or the model is another.
const TextCut& kept_cut_text(const Session& session) {
    struct Kept {
        std::string typed;
        CutSide side = CutSide::source;
        unsigned long model = 0;
        TextCut text;
    };
    Kept& kept = ui().state<Kept>();
    const CutSide side = present_cut_side(session);
    const std::string typed = typed_on(session, side).value_or("");
    const unsigned long model = session.experiment().model_version();
    if (kept.model != model || kept.side != side || kept.typed != typed || !kept.text.stream)
        kept = {typed, side, model, present_cut_text(session)};
    return kept.text;
}

// A stage of the way: its number and name, and what is to be said of it.
void cut_stage(PanelColumn& column, int number, const std::string& name, const std::string& remark) {
    const std::string title = std::to_string(number) + "  " + name;
    const float line = faces().strong.size * 1.45f,
                width = std::ceil(text_width(faces().strong, title)) + px(14);
    draw_label(pen(), faces().strong, {{column.left, column.y}, {column.right, column.y + line}},
               colours().ink, title);
    const float room = column.width() - width;
    if (!remark.empty() && room > px(120) && text_width(faces().caption, remark) <= room) {
        draw_text_in(pen(), faces().caption,
                     {{column.left + width, column.y}, {column.right, column.y + line}}, colours().ink_faint,
                     remark);
        column.skip(line + px(3));
        return;
    }
    column.skip(line);
    // At a projector the numbers and the film need the room more.
    if (!remark.empty() && !theme().presents())
        column_text(column, faces().caption, colours().ink_faint, remark);
    column.skip(px(3));
}

struct ShownSign {
    std::string label;
    bool is_hidden = false, is_marked = false;
};

// Sign by sign; what is marked has a surface of its own, or, where it is lost, a line through it.
void draw_signs(PanelColumn& column, const CutPlace& place, const std::vector<ShownSign>& signs, bool lost) {
    const Face& face = faces().body;
    const Colours& c = colours();
    const float line = face.size * 1.55f;
    float x = column.left;
    for (std::size_t i = 0; i < std::min(signs.size(), most_signs_shown); ++i) {
        const ShownSign& sign = signs[i];
        const Face& own = sign.is_hidden ? faces().mono_small : face;
        const float width = text_width(own, sign.label) + (sign.is_marked || sign.is_hidden ? px(3) : 0);
        if (x + width > column.right) {
            x = column.left;
            column.skip(line);
        }
        const ScreenRect rect = ScreenRect::at(x, column.y, width + 1, line);
        x += width;
        if (!ImGui::IsRectVisible(rect.min, rect.max)) continue;
        if (sign.is_marked && !lost)
            pen().AddRectFilled({rect.min.x, rect.min.y + px(1)}, {rect.max.x, rect.max.y - px(2)},
                                c.accent_soft, px(3));
        const Colour ink = sign.is_marked      ? lost ? c.warning : c.accent
                           : sign.is_hidden    ? c.warning
                           : sign.label == "␣" ? c.ink_faint
                                               : c.ink;
        draw_text_in(pen(), own, rect, ink, sign.label, Align::centre);
        if (sign.is_marked && lost)
            pen().AddLine({rect.min.x, rect.centre().y}, {rect.max.x, rect.centre().y}, c.warning, px(1.5f));
    }
    column.skip(line);
    if (signs.size() > most_signs_shown)
        column_text(column, faces().caption, colours().ink_faint,
                    place.strings().text("tokens.more", {std::to_string(signs.size() - most_signs_shown)}));
    column.skip(px(6));
}

bool is_kept(const TypedRange& sign, const std::vector<TypedRange>& covered) {
    const auto after =
        std::upper_bound(covered.begin(), covered.end(), sign.begin,
                         [](std::size_t at, const TypedRange& range) { return at < range.end; });
    return after != covered.end() && after->begin < sign.end;
}

void draw_typed(PanelColumn& column, const CutPlace& place) {
    const Cutting& cutting = place.text.cutting;
    std::vector<TypedRange> covered; // by what the normalizer left, and by added tokens
    for (const CutStretch& stretch : cutting.stretches) {
        if (stretch.added != no_token) covered.push_back(stretch.typed);
        for (const TypedRange& origin : stretch.origins)
            if (origin.begin < origin.end) covered.push_back(origin);
    }
    std::sort(covered.begin(), covered.end(),
              [](const TypedRange& a, const TypedRange& b) { return a.end < b.end; });
    std::vector<ShownSign> signs;
    bool any_lost = false, any_hidden = false;
    for (VisibleSign& sign : visible_signs(place.text.typed)) {
        const bool lost = !is_kept(sign.bytes, covered);
        any_lost = any_lost || lost;
        any_hidden = any_hidden || sign.is_hidden;
        signs.push_back({std::move(sign.label), sign.is_hidden, lost});
    }
    const Strings& s = place.strings();
    std::string remark = s.text("tokens.typed.size", {std::to_string(code_points(place.text.typed).size()),
                                                      std::to_string(place.text.typed.size())});
    if (any_hidden) remark += " " + s.text("tokens.typed.hidden");
    if (any_lost) remark += " " + s.text("tokens.typed.lost");
    cut_stage(column, 1, s.text("tokens.stage.typed"), remark);
    draw_signs(column, place, signs, true);
}

void draw_normalized(PanelColumn& column, const CutPlace& place) {
    const Strings& s = place.strings();
    const bool has_normalizer = !place.text.tokenizer.parts().normalizer.empty();
    std::vector<ShownSign> signs;
    bool any = false;
    for (const CutStretch& stretch : place.text.cutting.stretches) {
        if (stretch.added != no_token) {
            signs.push_back({token_label(place.text.tokenizer, stretch.added), true, false});
            continue;
        }
        std::size_t character = 0;
        for (VisibleSign& sign : visible_signs(stretch.normalized)) {
            const TypedRange& from = stretch.origins[std::min(character++, stretch.origins.size() - 1)];
            const std::string_view before =
                std::string_view(place.text.typed).substr(from.begin, from.end - from.begin);
            const std::string_view now = std::string_view(stretch.normalized)
                                             .substr(sign.bytes.begin, sign.bytes.end - sign.bytes.begin);
            const bool changed = before != now;
            any = any || changed;
            signs.push_back({std::move(sign.label), sign.is_hidden, changed});
        }
    }
    cut_stage(column, 2, s.text("tokens.stage.normalized"),
              s.text(!has_normalizer ? "tokens.normalized.none"
                     : any           ? "tokens.normalized.changed"
                                     : "tokens.normalized.same"));
    if (has_normalizer)
        draw_signs(column, place, signs, false);
    else
        column.skip(px(3));
}

void draw_cut_words(PanelColumn& column, const CutPlace& place) {
    const Strings& s = place.strings();
    std::vector<Chip> choices;
    std::vector<Index> words; // of each chip; −1: an added token
    Index word = 0;
    for (const CutStretch& stretch : place.text.cutting.stretches) {
        if (choices.size() >= most_words_shown) break;
        if (stretch.added != no_token) {
            choices.push_back({token_label(place.text.tokenizer, stretch.added), {}, false, false});
            words.push_back(-1);
        }
        for (const CutWord& one : stretch.words) {
            choices.push_back({part_label(place.text.tokenizer, one.text), s.text("tokens.word.tip"),
                               word == place.film.word});
            words.push_back(word++);
        }
    }
    const std::size_t all = place.text.words.size();
    cut_stage(
        column, 3, s.text("tokens.stage.words"),
        s.text(place.text.tokenizer.parts().pre_tokenizer.empty() && !place.text.tokenizer.is_word_level()
                   ? "tokens.words.whole"
                   : "tokens.words.count",
               {format_whole(all)}));
    if (const auto pressed = chips("cut.word", choices, column))
        place.commands.emit("tokens word " + std::to_string(words[std::size_t(*pressed)]));
    if (std::size_t(word) < all)
        column_text(column, faces().caption, colours().ink_faint,
                    s.text("tokens.more", {std::to_string(all - std::size_t(word))}));
    column.skip(px(10));
}

// A track with a mark for the present moment: pressed or dragged, it goes there.
void scrub(const ScreenRect& rect, const CutPlace& place) {
    const Index steps = place.text.steps(place.film.word);
    const Pressable p = pressable("cut.scrub", rect);
    const float y = rect.centre().y, radius = px(7), left = rect.min.x + radius, right = rect.max.x - radius;
    pen().AddRectFilled({left, y - px(2)}, {right, y + px(2)}, colours().line, px(2));
    const auto x_of = [&](Index moment) {
        return left + (right - left) * (steps == 0 ? 0.f : float(moment) / float(steps));
    };
    pen().AddRectFilled({left, y - px(2)}, {x_of(place.film.moment), y + px(2)}, colours().accent, px(2));
    if ((right - left) / float(std::max<Index>(1, steps)) > px(7))
        for (Index moment = 0; moment <= steps; ++moment)
            pen().AddCircleFilled({x_of(moment), y}, px(3),
                                  moment <= place.film.moment ? colours().accent : colours().frame);
    pen().AddCircleFilled({x_of(place.film.moment), y}, radius, colours().accent);
    tooltip_when_resting("cut.scrub", rect, p.hovered && !p.held, place.strings().text("tokens.scrub.tip"));
    if (!p.held && !p.pressed) return;
    const float share =
        std::clamp((ImGui::GetIO().MousePos.x - left) / std::max(1.f, right - left), 0.f, 1.f);
    const auto moment = Index(std::lround(share * float(steps)));
    if (moment != place.film.moment) place.commands.emit("tokens moment " + std::to_string(moment));
}

void draw_controls(PanelColumn& column, const CutPlace& place) {
    const Strings& s = place.strings();
    const Index steps = place.text.steps(place.film.word), last = Index(place.text.words.size()) - 1;
    PlayButtons play{"tokens", "tokens previous", "tokens next", place.film.playing};
    play.can_go_back = place.film.word > 0 || place.film.moment > 0;
    play.can_go_on = place.film.word < last || place.film.moment < steps;
    float x = play_buttons({column.left, column.y}, play, place.session, place.commands) + px(6);
    x = up_down_buttons({x, column.y},
                        {"tokens", "tokens word previous", "tokens word next", s.text("tokens.up.tip"),
                         s.text("tokens.down.tip"), place.film.word > 0, place.film.word < last},
                        place.commands)
        + px(10);
    const std::string where =
        steps == 0 ? s.text("tokens.no_moments")
                   : s.text("tokens.moment", {std::to_string(place.film.moment), std::to_string(steps)});
    const float width = std::ceil(text_width(faces().caption, where)) + px(8);
    const ScreenRect line{{x, column.y}, {column.right, column.y + control_height()}};
    if (steps > 0 && line.width() - width > px(90)) {
        scrub({line.min, {line.max.x - width, line.max.y}}, place);
        draw_text_in(pen(), faces().caption, {{line.max.x - width, line.min.y}, line.max}, colours().ink_soft,
                     where, Align::right);
    } else {
        draw_label(pen(), faces().caption, line, colours().ink_soft, where);
    }
    column.skip(control_height() + px(10));
}

// What the model of the tokenizer is called, and what it does.
std::string kind_of_model(const CutPlace& place) {
    const TokenModel& model = place.text.tokenizer.parts().model;
    if (const Bpe* bpe = std::get_if<Bpe>(&model)) return bpe->of_scores() ? "bpe_scores" : "bpe";
    if (std::holds_alternative<WordPiece>(model)) return "wordpiece";
    if (std::holds_alternative<Unigram>(model)) return "unigram";
    return place.text.tokenizer.is_characters() ? "characters" : "words";
}

void draw_film(PanelColumn& column, const CutPlace& place) {
    const Strings& s = place.strings();
    const float top = column.y;
    cut_stage(column, 4, s.text("tokens.stage.film", {place.part(0, place.word().starts.size() - 1)}),
              s.text("tokens.kind." + kind_of_model(place)));
    const float controls = column.y;
    draw_controls(column, place);
    struct Draw {
        PanelColumn& column;
        const CutPlace& place;
        void operator()(const LookUpFilm& film) const { draw_look_up(column, place, film); }
        void operator()(const BpeFilm& film) const { draw_bpe_film(column, place, film); }
        void operator()(const WordPieceFilm& film) const { draw_word_piece_film(column, place, film); }
        void operator()(const UnigramFilm& film) const { draw_unigram_film(column, place, film); }
    };
    std::visit(Draw{column, place}, place.word().film);
    column.skip(px(12));
    // What has just moved is in sight.
    struct Seen {
        Index word = 0, moment = 0;
        float height = 0, scale = 0; // of the page
    };
    Seen& seen = ui().state<Seen>();
    const float begin = ImGui::GetWindowPos().y, height = ImGui::GetWindowHeight();
    const bool moved = seen.word != place.film.word || seen.moment != place.film.moment
                       || seen.height != height || seen.scale != theme().scale;
    seen = {place.film.word, place.film.moment, height, theme().scale};
    if (!moved) return;
    const float first = column.y - top > height ? controls : top; // what must be seen, if not all can be
    const float by = first < begin               ? first - begin
                     : column.y > begin + height ? std::min(column.y - begin - height, first - begin)
                                                 : 0;
    if (by != 0) ImGui::SetScrollY(ImGui::GetScrollY() + by);
}

void choose_side(PanelColumn& column, const Session& session, CutSide present, CommandSink& commands) {
    std::vector<Chip> choices;
    std::vector<CutSide> sides;
    for (const CutSide side : {CutSide::source, CutSide::target, CutSide::second}) {
        if (!typed_on(session, side)) continue;
        const std::string name(cut_side_names[std::size_t(side)]);
        choices.push_back({session.strings().text("tokens.side." + name),
                           session.strings().text("tokens.side.tip"), side == present});
        sides.push_back(side);
    }
    if (choices.size() < 2) return;
    if (const auto pressed = column_chips(column, "cut.side", choices))
        commands.emit("tokens " + std::string(cut_side_names[std::size_t(sides[std::size_t(*pressed)])]));
}

} // namespace

void tokens_panel(const ScreenRect& rect, const Session& session, CommandSink& commands) {
    if (!session.has_model() || rect.empty()) return;
    const Strings& s = session.strings();
    const TextCut& text = kept_cut_text(session);
    const CutPlace place{session, text, present_cut_film(session, text), commands};
    PanelColumn head{rect.min.x, rect.max.x, rect.min.y};
    closeup_heading(head, session, s.text("tokens.title"),
                    s.text("tokens.side." + std::string(cut_side_names[std::size_t(text.side)])), commands);
    ScrolledColumn scrolled("cut.page", {{rect.min.x, head.y}, rect.max});
    PanelColumn& column = scrolled.column;
    if (!text.stream) return column_text(column, faces().body, colours().ink_soft, s.text("tokens.none"));
    if (session.view().teaching.cover.hides_some_of(text.stream->tokens->path))
        return column_text(column, faces().body, colours().ink_soft, s.text("teach.first"));
    choose_side(column, session, text.side, commands);
    if (text.typed.empty()) {
        column_paragraph(column, s.text("tokens.empty"));
    } else {
        draw_typed(column, place);
        draw_normalized(column, place);
        if (text.words.empty())
            column_text(column, faces().body, colours().ink_soft, s.text("tokens.no_word"));
        else {
            draw_cut_words(column, place);
            draw_film(column, place);
        }
    }
    cut_stage(column, 5, s.text("tokens.stage.fed"),
              s.text("tokens.fed.count", {format_whole(text.fed().ids.size())}));
    draw_fed_tokens(column, place);
}

} // namespace headlight
