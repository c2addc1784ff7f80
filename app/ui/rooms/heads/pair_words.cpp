#include "app/ui/rooms/heads/pair_parts.h"

#include <algorithm>
#include <cmath>

namespace headlight {

namespace {

// One line of words, broken where the column ends.
class Flow {
public:
    Flow(PanelColumn& column, float indent)
        : column_(column), left_(column.left + indent), x_(left_), line_(faces().body.size * 1.55f) {}

    ScreenRect next(float width) {
        if (x_ > left_ && x_ + width > column_.right) {
            x_ = left_;
            column_.skip(line_);
        }
        const ScreenRect rect = ScreenRect::at(x_, column_.y, std::min(width, column_.right - left_), line_);
        x_ += width;
        return rect;
    }
    void end() { column_.skip(line_); }

private:
    PanelColumn& column_;
    float left_, x_, line_;
};

struct Words {
    bool second = false;
    const Stream& stream;
    const std::vector<std::string>& labels;
    std::vector<WordPair> pairs;

    Index place(const WordPair& pair) const { return second ? pair.second : pair.first; }
    Index other_place(const WordPair& pair) const { return second ? pair.first : pair.second; }
};

// The pair that is followed when this word is clicked: with its partner, or else with what the other sentence
// has there already.
std::string follow_line(const Words& words, const WordPair& pair, const FollowedWords* followed) {
    Index other = words.other_place(pair);
    if (other < 0 && followed && followed->stream == words.stream.name)
        other = words.second ? followed->first : followed->second;
    other = std::max<Index>(other, 0);
    const Index here = words.place(pair);
    return follow_command({words.stream.name, words.second ? other : here, words.second ? here : other});
}

void draw_words(Flow& flow, const Words& words, const Session& session, const FollowedWords* followed,
                CommandSink& commands) {
    const bool chosen_here =
        session.view().heads.shows_way && followed && followed->stream == words.stream.name;
    const Index chosen = !chosen_here ? -1 : words.second ? followed->second : followed->first;
    for (const WordPair& pair : words.pairs) {
        const Index place = words.place(pair);
        if (place < 0) continue;
        const std::string& word = words.labels[std::size_t(place)];
        const Face& face = pair.same ? faces().body : faces().strong;
        const ScreenRect rect = flow.next(std::ceil(text_width(face, word)) + px(9));
        const std::string name = std::string(words.second ? "pair.second." : "pair.first.")
                                 + words.stream.name + "." + std::to_string(place);
        const Pressable p = pressable(name.c_str(), rect);
        if (place == chosen || p.hovered)
            pen().AddRectFilled({rect.min.x, rect.min.y + 1}, {rect.max.x, rect.max.y - 1},
                                place == chosen ? colours().accent_soft : colours().hovered, px(4));
        draw_label(pen(), face, rect, pair.same ? colours().ink : sentence_colour(theme(), words.second),
                   word, Align::centre);
        if (p.pressed) commands.emit(follow_line(words, pair, followed));
    }
}

} // namespace

std::string word_of(const Session& session, const FollowedWords& words, bool second) {
    const Sentence& sentence = second ? *session.what_if().second() : session.sentence();
    const ModelMap& map = session.model().map();
    return labels_of(sentence, map,
                     *map.stream(words.stream)->tokens)[std::size_t(second ? words.second : words.first)];
}

std::string both_words(const Session& session, const FollowedWords& words) {
    const std::string first = word_of(session, words, false), second = word_of(session, words, true);
    return first == second ? first : first + " | " + second;
}

void pair_words(PanelColumn& column, const Session& session, const FollowedWords* followed,
                CommandSink& commands) {
    const Sentence &first = session.sentence(), &second = *session.what_if().second();
    const ModelMap& map = session.model().map();
    const std::vector<const Stream*> streams = followed_streams(map);
    const float badge = px(26);
    for (const bool is_second : {false, true}) {
        const Sentence& sentence = is_second ? second : first;
        const float line = faces().body.size * 1.55f, radius = faces().caption.size * 0.72f;
        const ImVec2 middle{column.left + radius, column.y + line / 2};
        const Colour colour = sentence_colour(theme(), is_second);
        pen().AddCircleFilled(middle, radius, colour, 24);
        draw_text_in(pen(), faces().caption, ScreenRect::at(column.left, column.y, 2 * radius, line),
                     theme().ink_on(colour), is_second ? "2" : "1", Align::centre);
        Flow flow(column, badge);
        for (const Stream* stream : streams) {
            if (stream != streams.front())
                draw_text_in(pen(), faces().body, flow.next(px(30)), colours().ink_faint, "→", Align::centre);
            draw_words(flow,
                       {is_second, *stream, labels_of(sentence, map, *stream->tokens),
                        align(first, second, *stream)},
                       session, followed, commands);
        }
        flow.end();
    }
}

} // namespace headlight
