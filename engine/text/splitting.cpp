#include "engine/text/splitting.h"

#include "engine/text/unicode.h"

namespace headlight {

namespace {

// Each cutter answers where the piece that begins at `at` ends, and whether it is kept: white space often is
// not.
struct Cut {
    std::size_t end;
    bool kept = true;
};

template <class Predicate>
std::size_t run_end(std::u32string_view text, std::size_t at, Predicate belongs) {
    while (at < text.size() && belongs(text[at])) ++at;
    return at;
}

bool is_sign(char32_t c) { return !is_joined_word_character(c) && !is_space(c); }

// \w as Oniguruma has it, which the library compiles patterns with: superscripts and fractions of Latin-1
// too, so that “m²” is one word.
bool is_in_word(char32_t c) {
    return is_word_character(c) || c == U'²' || c == U'³' || c == U'¹' || c == U'¼' || c == U'½' || c == U'¾';
}

Cut cut_word(std::u32string_view text, std::size_t at) {
    if (is_space(text[at])) return {at + 1, false};
    if (!is_in_word(text[at])) return {at + 1};
    std::size_t end = run_end(text, at, is_in_word);
    while (end + 1 < text.size() && (text[end] == '\'' || text[end] == '-') && is_in_word(text[end + 1]))
        end = run_end(text, end + 1, is_in_word);
    return {end};
}

Cut cut_whitespace(std::u32string_view text, std::size_t at) {
    if (is_space(text[at])) return {run_end(text, at, is_space), false};
    if (is_joined_word_character(text[at])) return {run_end(text, at, is_joined_word_character)};
    return {run_end(text, at, is_sign)};
}

Cut cut_whitespace_split(std::u32string_view text, std::size_t at) {
    if (is_space(text[at])) return {run_end(text, at, is_space), false};
    return {run_end(text, at, [](char32_t c) { return !is_space(c); })};
}

Cut cut_bert(std::u32string_view text, std::size_t at) {
    if (is_space(text[at])) return {run_end(text, at, is_space), false};
    if (is_punctuation(text[at])) return {at + 1};
    return {run_end(text, at, [](char32_t c) { return !is_space(c) && !is_punctuation(c); })};
}

Cut cut_punctuation(std::u32string_view text, std::size_t at) {
    if (is_punctuation(text[at])) return {at + 1};
    return {run_end(text, at, [](char32_t c) { return !is_punctuation(c); })};
}

Cut next_cut(Splitting step, std::u32string_view text, std::size_t at) {
    switch (step) {
    case Splitting::words:
        return cut_word(text, at);
    case Splitting::characters:
        return {at + 1};
    case Splitting::whitespace:
        return cut_whitespace(text, at);
    case Splitting::whitespace_split:
        return cut_whitespace_split(text, at);
    case Splitting::bert:
        return cut_bert(text, at);
    case Splitting::punctuation:
        return cut_punctuation(text, at);
    }
    return {text.size()};
}

} // namespace

std::vector<CharacterRange> split(std::u32string_view text, const std::vector<CharacterRange>& pieces,
                                  Splitting step) {
    std::vector<CharacterRange> finer;
    for (const CharacterRange& piece : pieces) {
        // A cutter sees its own piece alone.
        const std::u32string_view inside = text.substr(0, piece.end);
        for (std::size_t at = piece.begin; at < piece.end;) {
            const Cut next = next_cut(step, inside, at);
            if (next.kept) finer.push_back({at, next.end});
            at = next.end;
        }
    }
    return finer;
}

} // namespace headlight
