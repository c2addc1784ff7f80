// Known words that an unknown one may have been meant as.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

// Fewest insertions, removals and replacements of characters that make `a` into `b` (Levenshtein 1966), or
// `limit` when it is that many or more.
std::size_t edit_distance(std::u32string_view a, std::u32string_view b, std::size_t limit);

// A vocabulary made ready for the question: each word beside its folded form (lower case, no accents).
struct FoldedWord {
    std::string word;
    std::u32string folded;
};

// The n words nearest to `word`, nearest first, ties in the order of `words`. Folded forms are compared, and
// case and accents only part equals: “maca” is nearer to “maçã” than to “mala”. Words are offered for words
// and signs for signs; a word of more than 64 characters is no slip of the hand and is near to none.
std::vector<std::string> nearest_words(const std::vector<FoldedWord>& words, std::string_view word,
                                       std::size_t n);

// Which of these names a mistyped one was meant as: the first of those that need fewest edits, and no more
// than a slip of the hand makes, half of its characters and at most three; nothing when it is near to none.
std::optional<std::string> meant(std::string_view typed, const std::vector<std::string>& names);

} // namespace headlight
