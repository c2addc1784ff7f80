#include "app/ui/rooms/heads/heads_parts.h"
#include "app/ui/rooms/heads/words_data.h"
#include "app/ui/widgets/columns.h"
#include "app/ui/widgets/plot.h"

#include <algorithm>
#include <cmath>

namespace headlight {

struct WordsContext {
    const Session& session;
    CommandSink& commands;
    const WordPlaces& places;
    const WordsPicture& picture;
    std::size_t stop = 0;
    WordsData& data;

    const std::string& text(std::string_view key) const { return session.strings().text(key); }
    std::string text(std::string_view key, const std::vector<std::string>& values) const {
        return session.strings().text(std::string(key), values);
    }
    const ReadSentence& sentence_of(std::size_t point) const {
        return places.sentences()[picture.shown[point].sentence];
    }
};

// The word's points in the plane of their principal components, with the words near to them.

namespace {

constexpr double seconds_of_a_move = 0.7;

using PointKey = std::pair<std::string, std::size_t>;

PointKey words_key(const WordsContext& words, std::size_t point) {
    return {words.sentence_of(point).text, words.picture.shown[point].word};
}

// Where the points are in this frame, on their way from the stop before.
std::vector<ImVec2> words_now(WordsContext& words, const PlanePaper& plane) {
    WordsData& data = words.data;
    const double now = ImGui::GetTime();
    if (!words.session.view().animations) data.moving_since = -1;
    if (data.moving_since == -2) data.moving_since = now;
    double share = data.moving_since < 0 ? 1 : std::min((now - data.moving_since) / seconds_of_a_move, 1.0);
    if (share < 1)
        ui().display().request_frames(2);
    else
        data.moving_since = -1;
    const float eased = float(share * share * (3 - 2 * share));
    std::vector<ImVec2> at;
    std::map<PointKey, ImVec2> drawn;
    for (std::size_t i = 0; i < words.picture.points.size(); ++i) {
        ImVec2 place = plane.at(words.picture.points[i]);
        const auto before = data.from.find(words_key(words, i));
        if (eased < 1 && before != data.from.end())
            place = {std::lerp(before->second.x, place.x, eased),
                     std::lerp(before->second.y, place.y, eased)};
        at.push_back(place);
        drawn[words_key(words, i)] = place;
    }
    data.drawn = std::move(drawn);
    return at;
}

std::string told_words(const WordsContext& words, std::size_t point) {
    const ReadSentence& sentence = words.sentence_of(point);
    std::string text = sentence.text;
    constexpr const char* from[] = {"wordlife.from.person", "wordlife.from.examples", "wordlife.from.task"};
    if (!sentence.answer.empty()) text += "\n" + words.text("wordlife.point.says", {sentence.answer});
    return text + "\n" + words.text(from[int(sentence.from)]) + "\n" + words.text("wordlife.point.open");
}

// Beside its point, or not at all: so many names have no room for lines that lead to them.
void name_beside(std::vector<ScreenRect>& taken, ImVec2 at, const Face& face, Colour colour,
                 const std::string& name, const ScreenRect& within, bool always) {
    const ScreenRect place = free_place(taken, at, {text_width(face, name), face.size}, within, px(9));
    const bool is_far = leader(place, at, px(9)).has_value();
    const bool covers = std::any_of(taken.begin(), taken.end(),
                                    [&](const ScreenRect& other) { return !place.cut_to(other).empty(); });
    if ((is_far || covers) && !always) return;
    if (const auto line = leader(place, at, px(9)))
        pen().AddLine((*line)[0], (*line)[1], with_alpha(colour, 0.6f), 1);
    draw_text(pen(), face, place.min, colour, name);
    taken.push_back(place);
}

} // namespace

Colour colour_of_sense(std::optional<std::size_t> sense) {
    return sense ? colours().series[*sense % colours().series.size()] : colours().ink_soft;
}

// "… cortar a manga": the word with what stands before it.
std::string short_context(const WordPlaces& places, const WordPlace& place) {
    const std::vector<ReadWord>& all = places.sentences()[place.sentence].words;
    const std::size_t first = place.word > 2 ? place.word - 2 : 0;
    std::string text = first > 0 ? "… " : "";
    for (std::size_t w = first; w <= place.word; ++w) text += (w > first ? " " : "") + all[w].text;
    return text + (place.word + 1 < all.size() ? " …" : "");
}

// The points; returns the one of the word under the pointer.
std::optional<std::size_t> words_plane(const ScreenRect& rect, WordsContext& words) {
    const WordsPicture& picture = words.picture;
    const PlanePaper plane = fit_plane(picture.points, paper_within(rect));
    widgets().record("live.plane", plane.rect);
    draw_paper(words.session, plane, picture.projection.explained, rect);
    const std::vector<ImVec2> at = words_now(words, plane);
    const auto sense_of = [&](std::size_t i) { return words.places.sense_of(picture.shown[i]); };

    // Points lie upon one another: the nearest is the one that is meant.
    std::optional<std::size_t> lit;
    const float grip = px(8);
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    bool is_pressed = false;
    const auto far = [&](std::size_t i) { return std::hypot(at[i].x - mouse.x, at[i].y - mouse.y); };
    const auto around = [&](std::size_t i) {
        return ScreenRect::at(at[i].x - grip, at[i].y - grip, 2 * grip, 2 * grip);
    };
    for (std::size_t i = 0; i < picture.asked; ++i) {
        const Pressable p = pressable(("live.point." + std::to_string(i)).c_str(), around(i));
        is_pressed = is_pressed || p.pressed;
        if (p.hovered && (!lit || far(i) < far(*lit))) lit = i;
    }
    if (lit && is_pressed) words.commands.emit("source " + words.sentence_of(*lit).text);
    if (lit) show_tooltip(told_words(words, *lit), around(*lit));
    std::vector<ScreenRect> taken;
    for (const ImVec2 point : at)
        taken.push_back(ScreenRect::at(point.x - px(4), point.y - px(4), px(8), px(8)));
    for (std::size_t i = picture.asked; i < at.size(); ++i)
        pen().AddRectFilled({at[i].x - px(3), at[i].y - px(3)}, {at[i].x + px(3), at[i].y + px(3)},
                            colours().ink_faint);
    const std::string& source = words.session.question().source;
    for (std::size_t i = picture.asked; i-- > 0;) { // the person's on top
        const Colour colour = colour_of_sense(sense_of(i));
        const bool is_own = words.sentence_of(i).from == ReadSentence::From::person;
        pen().AddCircleFilled(at[i], px(lit == i ? 7 : is_own ? 6 : 4.5f), colour, 24);
        if (words.sentence_of(i).text == source)
            pen().AddCircle(at[i], px(9.5f), colours().ink, 28, px(1.8f));
    }
    // Names: of what is the person's, of near words, then of the others while there is room.
    const auto name = [&](std::size_t i, bool always) {
        name_beside(taken, at[i], faces().caption, lit == i ? colours().ink : colour_of_sense(sense_of(i)),
                    short_context(words.places, picture.shown[i]), plane.rect, always);
    };
    const auto is_told = [&](std::size_t i) { return words.sentence_of(i).from != ReadSentence::From::task; };
    for (std::size_t i = 0;
         i < (picture.is_one_point ? std::min<std::size_t>(picture.asked, 1) : picture.asked); ++i)
        if (is_told(i)) name(i, true);
    for (std::size_t i = picture.asked; i < at.size(); ++i)
        name_beside(taken, at[i], faces().caption, colours().ink_soft,
                    words.places.word(picture.shown[i]).text, plane.rect, false);
    for (std::size_t i = 0; !picture.is_one_point && i < picture.asked; ++i)
        if (!is_told(i)) name(i, false);
    return lit;
}

// Where words live: one word over many sentences, stop by stop.

namespace {

// The word that is asked, and those of the sentence.
void words_choice(PanelColumn& column, const Session& session, WordsData& data, CommandSink& commands) {
    const Strings& s = session.strings();
    const std::string asked = session.word_request().word;
    if (data.word_was != asked) data.word = data.word_was = asked;
    const float width = std::min(column.width() * 0.3f, px(150));
    ImGui::SetCursorScreenPos({column.left, column.y});
    if (text_field(
            "live.word", "", data.word,
            {.tooltip = s.text("wordlife.word.tip"), .hint = s.text("wordlife.word.hint"), .pixels = width})
            == FieldEvent::entered
        && !trim(data.word).empty())
        commands.emit("heads words \"" + std::string(trim(data.word)) + "\"");
    std::vector<Chip> chosen;
    std::vector<std::string> words;
    for (const std::string& word : words_read(session.model(), session.question().source)) {
        if (std::find(words.begin(), words.end(), word) != words.end()) continue;
        words.push_back(word);
        chosen.push_back({word, s.text("wordlife.choose.tip"), word == asked});
    }
    PanelColumn beside{column.left + width + px(12), column.right,
                       column.y + (control_height() - faces().caption.size - px(11)) / 2};
    if (const auto pressed = chips("live.choose", chosen, beside))
        commands.emit("heads words \"" + words[std::size_t(*pressed)] + "\"");
    column.y = std::max(column.y + control_height(), beside.y) + px(8);
}

void words_sentence(const ScreenRect& place, const Session& session, WordsData& data, CommandSink& commands) {
    const Strings& s = session.strings();
    ImGui::SetCursorScreenPos(place.min);
    if (text_field("live.sentence", "", data.typed,
                   {.tooltip = s.text("wordlife.read.tip"),
                    .hint = s.text("wordlife.read.hint"),
                    .pixels = place.width()})
            != FieldEvent::entered
        || trim(data.typed).empty())
        return;
    commands.emit("heads read " + data.typed);
    data.typed.clear();
}

// The stops, and beside them, where there is room, the field for another sentence.
void words_stops(PanelColumn& column, const Session& session, const WordPlaces& places, std::size_t stop,
                 WordsData& data, CommandSink& commands) {
    const Strings& s = session.strings();
    std::vector<Chip> choices = {{"←", s.text("wordlife.back.tip"), false, stop > 0}};
    for (std::size_t i = 0; i < places.stops().size(); ++i)
        choices.push_back({stop_name(session, places.stops()[i]), s.text("wordlife.stop.tip"), i == stop});
    choices.push_back({"→", s.text("wordlife.next.tip"), false, stop + 1 < places.stops().size()});
    const float top = column.y, used = chips_width(choices) + px(14),
                air = (control_height() - faces().caption.size - px(11)) / 2;
    const bool has_room = column.width() - used > px(240);
    if (has_room) column.skip(air);
    const auto pressed = chips("live.stop", choices, column);
    if (has_room) column.y = top + control_height();
    const ScreenRect place =
        has_room ? ScreenRect::at(column.left + used, top, column.width() - used, control_height())
                 : ScreenRect::at(column.left, column.y + px(8), column.width(), control_height());
    words_sentence(place, session, data, commands);
    column.y = place.max.y + px(10);
    if (!pressed) return;
    const bool is_back = *pressed == 0, is_next = std::size_t(*pressed) + 1 == choices.size();
    const std::size_t wanted = is_back ? stop - 1 : is_next ? stop + 1 : std::size_t(*pressed) - 1;
    commands.emit("heads stop " + std::to_string(wanted));
}

void near_bars(PanelColumn& column, const WordsContext& words, const char* name,
               std::span<const std::pair<std::string, double>> near, Colour colour) {
    std::vector<Bar> bars;
    for (const auto& [word, cosine] : near) bars.push_back({word, float(cosine)});
    const float top = column.y;
    (void)column_bars(column, {.name = name, .bars = bars, .decimals = 2, .colour = colour});
    const ScreenRect place{{column.left, top}, {column.right, column.y}};
    tooltip_when_resting(name, place, ImGui::IsMouseHoveringRect(place.min, place.max),
                         words.text("wordlife.near.tip"));
}

void words_legend(PanelColumn& column, const WordsContext& words) {
    column_caption(column, words.text("wordlife.senses"));
    for (const WordGroup& group : words.picture.groups) {
        const ScreenRect row = column.take(std::ceil(faces().body.size * 1.4f));
        const Colour colour = colour_of_sense(group.sense);
        pen().AddCircleFilled({row.min.x + px(6), row.centre().y}, px(5), colour, 24);
        const std::string count = std::to_string(group.members.size());
        draw_label(pen(), faces().body, {{row.min.x + px(18), row.min.y}, row.max}, colours().ink,
                   group.sense ? words.text("wordlife.sense", {words.places.senses()[*group.sense], count})
                               : words.text("wordlife.no_sense", {count}));
    }
    if (words.places.telling() == WordPlaces::Telling::answers)
        column_text(column, faces().caption, colours().ink_faint,
                    words.text("wordlife.rule", {words.places.request().word}));
    column.skip(px(10));
}

// At the last stop a word should have parted: else there is a model in which one does.
void see_word_that_parts(PanelColumn& column, WordsContext& words) {
    constexpr const char *model = "gloss", *word = "bank",
                         *sentence = "The man slept on the bank of the river";
    constexpr double hardly = 0.9; // cosine
    const bool has_parted = words.picture.apart && *words.picture.apart < hardly;
    if (words.session.model().name == model || has_parted || !words.places.is_over()
        || words.stop + 1 < words.places.stops().size())
        return;
    column.skip(px(8));
    if (ControlRow(column).button("live.see", words.text("wordlife.see", {word, model}),
                                  {.tooltip = words.text("wordlife.see.tip")})) {
        for (const std::string& line :
             {std::string("model ") + model, std::string("source ") + sentence, std::string("room heads"),
              std::string("heads words ") + word, std::string("heads stop 3")})
            words.commands.emit(line);
    }
}

} // namespace

void words_side(PanelColumn& column, WordsContext& words, std::optional<std::size_t> lit) {
    const WordsPicture& picture = words.picture;
    const bool has_senses = !words.places.senses().empty();
    if (has_senses) words_legend(column, words);
    // Whether this stop parts them at all is what one came for.
    if (picture.is_one_point)
        column_text(column, faces().body, colours().ink,
                    words.text("wordlife.same", {std::to_string(picture.asked)}));
    else if (picture.apart)
        column_text(column, faces().body, colours().ink,
                    words.text("wordlife.apart", {words.places.senses()[*picture.groups[0].sense],
                                                  words.places.senses()[*picture.groups[1].sense],
                                                  format_number(*picture.apart, 2)}));
    else if (!has_senses && words.places.telling() == WordPlaces::Telling::answers && words.places.is_over())
        column_text(column, faces().body, colours().ink,
                    words.text("wordlife.one_sense", {words.places.request().word}));
    see_word_that_parts(column, words);
    column.skip(px(8));
    column_caption(column, words.text("wordlife.near"));
    if (lit) {
        column_text(column, faces().strong, colours().ink,
                    words.text("wordlife.near.of", {short_context(words.places, picture.shown[*lit])}));
        std::vector<std::pair<std::string, double>> near;
        const std::vector<NearWord>& all = picture.near[*lit];
        for (std::size_t i = 0; i < std::min<std::size_t>(all.size(), 10); ++i)
            near.emplace_back(words.places.word(all[i].place).text, all[i].cosine);
        near_bars(column, words, "live.near", near,
                  colour_of_sense(words.places.sense_of(picture.shown[*lit])));
    } else {
        for (std::size_t g = 0; g < picture.groups.size(); ++g) {
            const WordGroup& group = picture.groups[g];
            if (has_senses && !group.sense) continue;
            const std::string called =
                group.sense ? words.places.senses()[*group.sense] : words.places.request().word;
            column_text(column, faces().strong, has_senses ? colour_of_sense(group.sense) : colours().ink,
                        words.text("wordlife.near.mean", {called, std::to_string(group.members.size())}));
            near_bars(column, words, ("live.near." + std::to_string(g)).c_str(), group.near,
                      colour_of_sense(group.sense));
        }
        column.skip(px(8));
    }
    const double shown = picture.projection.explained[0] + picture.projection.explained[1];
    column.skip(px(4));
    column_text(column, faces().caption, colours().ink_faint,
                words.text("wordlife.count",
                           {words.places.request().word, std::to_string(picture.asked),
                            std::to_string(words.places.vector(words.stop, picture.shown[0]).size()),
                            format_whole(words.places.read())}));
    column.skip(px(4));
    column_text(column, faces().caption, colours().ink_faint,
                words.text(picture.is_one_point ? "wordlife.pca.near" : "wordlife.pca",
                           {std::to_string(picture.asked), percent_text(shown)}));
}

void words_page(const ScreenRect& rect, const Session& session, CommandSink& commands) {
    const Strings& s = session.strings();
    WordsData& data = ui().state<WordsData>();
    PanelColumn column{rect.min.x, rect.max.x - px(8), rect.min.y};
    words_choice(column, session, data, commands);
    const WordPlaces* places = session.word_places();
    if (!places || places->request().word.empty())
        return column_text(column, faces().body, colours().ink_soft, s.text("wordlife.no_word"));
    const std::size_t stop =
        std::min(std::size_t(session.view().heads.words.stop), places->stops().size() - 1);
    words_stops(column, session, *places, stop, data, commands);
    const std::string& word = places->request().word;
    if (places->places().empty()) {
        return column_text(column, faces().body, colours().ink_soft,
                           s.text(places->is_over() ? "wordlife.none" : "wordlife.drawing", {word}));
    }
    if (!places->is_over())
        draw_label(pen(), faces().caption, column.take(faces().caption.size * 1.4f), colours().ink_soft,
                   places->read() < places->sentences().size()
                       ? s.text("wordlife.reading",
                                {format_whole(places->read()), format_whole(places->sentences().size())})
                       : s.text("wordlife.drawing", {word}));
    WordsContext words{session, commands, *places, data.at(*places, stop), stop, data};
    const float side = std::clamp(rect.width() * 0.3f, px(230), px(380)), gap = px(18);
    const ScreenRect plane{{column.left, column.y}, {rect.max.x - side - gap, rect.max.y}};
    const std::optional<std::size_t> lit = words_plane(plane, words);
    ScrolledColumn scrolled("live.side", {{rect.max.x - side, column.y}, rect.max});
    words_side(scrolled.column, words, lit);
}

} // namespace headlight
