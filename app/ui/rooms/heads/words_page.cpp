// Where words live: one word over many sentences, stop by stop.
#include "app/ui/rooms/heads/heads_parts.h"
#include "app/ui/rooms/heads/pair_parts.h"
#include "app/ui/rooms/heads/words_parts.h"
#include "app/ui/widgets/bar_list.h"

#include <algorithm>

namespace headlight {

namespace {

// The word that is asked, and those of the sentence.
void words_choice(PanelColumn& column, const Session& session, WordsData& data, CommandSink& commands) {
    const Strings& s = session.strings();
    const std::string asked = session.word_wish().word;
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
                    words.text("wordlife.rule", {words.places.wish().word}));
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
                    words.text("wordlife.one_sense", {words.places.wish().word}));
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
                group.sense ? words.places.senses()[*group.sense] : words.places.wish().word;
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
                           {words.places.wish().word, std::to_string(picture.asked),
                            std::to_string(words.places.vector(words.stop, picture.shown[0]).size()),
                            format_whole(words.places.read())}));
    column.skip(px(4));
    column_text(column, faces().caption, colours().ink_faint,
                words.text(picture.is_one_point ? "wordlife.pca.near" : "wordlife.pca",
                           {std::to_string(picture.asked), percent_text(shown)}));
}

void words_page(const ScreenRect& rect, const Session& session, CommandSink& commands) {
    const Strings& s = session.strings();
    WordsData& data = ui().memory<WordsData>();
    PanelColumn column{rect.min.x, rect.max.x - px(8), rect.min.y};
    words_choice(column, session, data, commands);
    const WordPlaces* places = session.word_places();
    if (!places || places->wish().word.empty())
        return column_text(column, faces().body, colours().ink_soft, s.text("wordlife.no_word"));
    const std::size_t stop =
        std::min(std::size_t(session.view().heads.words.stop), places->stops().size() - 1);
    words_stops(column, session, *places, stop, data, commands);
    const std::string& word = places->wish().word;
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
