#include "app/canvas/search.h"

#include "app/session/step_text.h"
#include "app/session/value_names.h"
#include "engine/text/unicode.h"

#include <algorithm>
#include <charconv>
#include <string>

namespace headlight {

namespace {

using Words = std::vector<std::u32string>;

Words folded_words(std::string_view text) {
    Words words(1);
    for (const char32_t c : folded(text)) {
        if (is_word_character(c) && c != U'_')
            words.back() += c;
        else if (!words.back().empty())
            words.emplace_back();
    }
    if (words.back().empty()) words.pop_back();
    return words;
}

bool is_number(const std::u32string& word) {
    return std::all_of(word.begin(), word.end(), [](char32_t c) { return c >= U'0' && c <= U'9'; });
}

long number_in(const std::u32string& word) {
    long number = 0;
    for (const char32_t c : word)
        if (number < 1'000'000) number = number * 10 + long(c - U'0');
    return number;
}

// A number is meant as it is; other words may be begun.
bool is_meant(const std::u32string& typed, const std::u32string& word) {
    return is_number(typed) ? typed == word : word.starts_with(typed);
}

// What stands on the screen about a card. Of its path the words alone: its numbers count from 0.
Words words_about(const Session& session, const Card& card) {
    std::string text = value_name(session, *card.node);
    if (card.step >= 0) {
        const StoryStep& step = session.model().story[std::size_t(card.step)];
        text += " " + step_place(session, step) + " " + step_title(session, step);
    }
    Words words = folded_words(text);
    for (std::u32string& word : folded_words(card.node->path))
        if (!is_number(word)) words.push_back(std::move(word));
    return words;
}

// "head 2" is taken out of what is looked for. Which one, from 0; −1 when none is named.
Index take_head(const Session& session, Words& typed) {
    const Words head = folded_words(session.strings().text("story.head_number", {"1"}));
    for (std::size_t i = 0; i + 1 < typed.size(); ++i) {
        if (head.empty() || typed[i] != head.front() || !is_number(typed[i + 1])) continue;
        const long number = number_in(typed[i + 1]);
        typed.erase(typed.begin() + long(i), typed.begin() + long(i) + 2);
        return Index(number - 1);
    }
    return -1;
}

} // namespace

std::vector<Found> search(const Session& session, const CanvasLayout& layout, std::string_view text) {
    Words typed;
    std::vector<std::string> in_path; // "decoder.1", "attn.scores"
    for (const std::string& word : words_of(text)) {
        if (word.find('.') != word.npos)
            in_path.push_back(word);
        else
            for (std::u32string& part : folded_words(word)) typed.push_back(std::move(part));
    }
    if (typed.empty() && in_path.empty()) return {};
    const Index head = take_head(session, typed);
    struct Ranked {
        Found found;
        std::size_t rank; // what says it in the fewest words says it best
    };
    std::vector<Ranked> ranked;
    for (const Card& card : layout.cards) {
        const bool has_head = card.axes.per_head && head < Index(card.matrices.size());
        if (head >= 0 && !has_head) continue;
        const std::size_t last = card.kind == CardKind::weight ? 1000 : 0;
        const auto lies_there = [&](const std::string& part) {
            return card.node->path.find(part) != std::string::npos;
        };
        if (!std::all_of(in_path.begin(), in_path.end(), lies_there)) continue;
        const Words about = words_about(session, card), name = folded_words(value_name(session, *card.node));
        const auto is_in = [](const std::u32string& word, const Words& words) {
            return std::any_of(words.begin(), words.end(),
                               [&](const std::u32string& other) { return is_meant(word, other); });
        };
        const auto is_about = [&](const std::u32string& word) { return is_in(word, about); };
        const auto named = std::count_if(typed.begin(), typed.end(),
                                         [&](const std::u32string& word) { return is_in(word, name); });
        const std::size_t unnamed = typed.size() - std::size_t(named);
        if (std::all_of(typed.begin(), typed.end(), is_about))
            ranked.push_back({{&card, head}, 20 * unnamed + 5 * name.size() + about.size() + last});
    }
    std::stable_sort(ranked.begin(), ranked.end(),
                     [](const Ranked& a, const Ranked& b) { return a.rank < b.rank; });
    std::vector<Found> found;
    for (const Ranked& one : ranked) found.push_back(one.found);
    return found;
}

} // namespace headlight
