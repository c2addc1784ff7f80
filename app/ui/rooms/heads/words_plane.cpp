// The word's points in the plane of their principal components, with the words near to them.
#include "app/ui/rooms/heads/words_parts.h"
#include "app/ui/widgets/label_place.h"

#include <algorithm>
#include <cmath>

namespace headlight {

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

std::string short_context(const WordPlaces& places, const WordPlace& place) {
    const std::vector<ReadWord>& all = places.sentences()[place.sentence].words;
    const std::size_t first = place.word > 2 ? place.word - 2 : 0;
    std::string text = first > 0 ? "… " : "";
    for (std::size_t w = first; w <= place.word; ++w) text += (w > first ? " " : "") + all[w].text;
    return text + (place.word + 1 < all.size() ? " …" : "");
}

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

} // namespace headlight
