// The commands of looking into heads and of moving a number: what is shown, not what is computed.
#include "app/session/session.h"

#include <algorithm>
#include <array>

namespace headlight {

namespace {

using Text = std::string_view;

constexpr const char* heads_usage =
    "heads grid|pair|masks|batch|sweep | heads open ATTENTION HEAD|mean|maximum|rollout | heads close | "
    "heads order [MEASURE] | heads transpose on|off | heads word query|key N | heads word off | "
    "heads pair maps|way | heads follow encoder|decoder FIRST SECOND | heads follow off";

constexpr Text lesson_prefix = "lesson ";

// A word of the lesson that is taken up, and its vector that is moved, are one drag.
bool is_same_drag(Text text, Text earlier) {
    if (!text.starts_with(lesson_prefix) || !earlier.starts_with(lesson_prefix))
        return same_place(text, earlier);
    const auto moved = [](Text line) {
        const std::vector<std::string> words = words_of(line);
        if (words.size() < 3 || words[1] == "width") return std::string("width");
        return (words[1] == "turn" ? "turn " : "word ") + words[2];
    };
    return moved(text) == moved(earlier);
}

// "encoder 7 7": a word of each of the two sentences, counted from 0.
Result<FollowedWords> followed_words(const std::vector<std::string>& words) {
    FollowedWords followed{words[1] == "decoder"};
    for (const bool of_second : {false, true}) {
        const std::string& word = words[of_second ? 3 : 2];
        const Result<long> place = whole_number_of(word);
        if (!place) return place.error();
        if (*place < 0) return Error{"error.counts_from_0", {word}};
        (of_second ? followed.second : followed.first) = Index(*place);
    }
    return followed;
}

} // namespace

void Session::add_examining_commands() {
    commands_.add({"drag", "cell …|lesson …|end", [this](Text text) { return drag(text); }});
    commands_.add({"baseline", "on|off|toggle", [this](Text word) -> Result<Done> {
                       bool& on = state_.against_baseline;
                       if (word != "on" && word != "off" && word != "toggle" && !word.empty())
                           return usage("baseline on|off|toggle");
                       on = word == "on" || (word != "off" && !on);
                       return Done{};
                   }});
    commands_.add({"heads", "grid|pair|masks|batch|sweep|open|close|order|transpose|word|follow …",
                   [this](Text what) { return show_heads(what); }});
}

// Many changes of one number, or of one vector of the lesson, while the pointer moves: one for undo.
Result<Done> Session::drag(Text text) {
    if (text == "end") {
        dragged_.clear();
        return Done{};
    }
    const bool of_lesson = text.starts_with(lesson_prefix);
    if (!of_lesson && !has_model()) return Error{"error.no_model", {}};
    const std::size_t before = past_.size();
    const bool goes_on = !dragged_.empty() && before == dragged_past_ && is_same_drag(text, dragged_);
    if (const Result<Done> done =
            of_lesson ? set_lesson(text.substr(lesson_prefix.size())) : add_change(text);
        !done)
        return done;
    if (goes_on && past_.size() > before) past_.pop_back();
    dragged_ = text;
    dragged_past_ = past_.size();
    return Done{};
}

Result<Done> Session::show_heads(Text what) {
    if (!has_model()) return Error{"error.no_model", {}};
    const std::vector<std::string> words = words_of(what);
    if (words.empty()) return usage(heads_usage);
    HeadsView view = state_.heads;
    const std::string& verb = words[0];
    constexpr std::array<Text, 5> pages = {"grid", "pair", "masks", "batch", "sweep"};
    const auto page = std::find(pages.begin(), pages.end(), verb);
    if (page != pages.end() && words.size() == 1) {
        view.page = HeadsPage(page - pages.begin());
        if (view.page == HeadsPage::grid) view.attention.clear();
    } else if (verb == "pair" && words.size() == 2 && (words[1] == "maps" || words[1] == "way")) {
        view.page = HeadsPage::pair;
        view.shows_way = words[1] == "way";
    } else if (verb == "follow" && words.size() == 2 && words[1] == "off") {
        view.followed.reset();
    } else if (verb == "follow" && words.size() == 4 && (words[1] == "encoder" || words[1] == "decoder")) {
        const Result<FollowedWords> followed = followed_words(words);
        if (!followed) return followed.error();
        view.followed = *followed;
        view.page = HeadsPage::pair;
        view.shows_way = true;
    } else if (verb == "close" && words.size() == 1) {
        view.attention.clear();
    } else if (verb == "open" && words.size() == 3) {
        if (!model_->graph().find(words[1] + ".weights"))
            return Error{"error.no_such_value", {words[1], model_->name}};
        constexpr std::array<Text, 4> maps = {"", "mean", "maximum", "rollout"};
        const auto map = std::find(maps.begin(), maps.end(), words[2]);
        if (map == maps.end()) {
            const Result<long> head = whole_number_of(words[2]);
            if (!head) return head.error();
            const long most = long(model_->map().max_heads()) - 1;
            if (*head < 0 || *head > most)
                return Error{"error.out_of_range", {"heads open", "0", std::to_string(most)}};
            view.head = Index(*head);
            view.map = HeadMap::one;
        } else {
            view.map = HeadMap(map - maps.begin());
        }
        if (view.attention != words[1]) view.word.reset(); // of another pair of sentences
        view.attention = words[1];
        if (view.page != HeadsPage::pair) view.page = HeadsPage::grid;
    } else if (verb == "order" && words.size() <= 2) {
        view.order = words.size() == 2 ? words[1] : std::string();
        if (!view.order.empty() && !strings_.texts("en").contains("heads." + view.order))
            return usage(heads_usage);
    } else if (verb == "transpose" && words.size() == 2 && (words[1] == "on" || words[1] == "off")) {
        view.transposed = words[1] == "on";
    } else if (verb == "word" && words.size() == 2 && words[1] == "off") {
        view.word.reset();
    } else if (verb == "word" && words.size() == 3 && (words[1] == "query" || words[1] == "key")) {
        const Result<long> place = whole_number_of(words[2]);
        if (!place) return place.error();
        if (*place < 0) return Error{"error.counts_from_0", {words[2]}};
        view.word = HeldWord{words[1] == "key", Index(*place)};
    } else {
        return usage(heads_usage);
    }
    const Fed before = fed();
    state_.heads = std::move(view);
    remember(before);
    return Done{};
}

} // namespace headlight
