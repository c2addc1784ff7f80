// The words that may be typed, to be browsed and searched: the vocabulary of a model that reads whole words;
// for an everyday model, which reads any, those of the lexicon with their translations, by theme.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

class Session;

struct ListedWord {
    std::string shown, translation; // “a maçã”, “apple”; of a vocabulary's word none
    std::string typed;              // “maçã”
    std::string theme;              // the lexicon's file: “nouns-food”; of a vocabulary's word none
    std::u32string folded, folded_translation;
};

struct WordList {
    std::vector<ListedWord> words; // a theme's beside each other
    bool has_translations = false;

    // Places of the words that begin with `wish`, or whose translation does, whatever its case and accents
    // (of several words any); all of them for an empty one.
    std::vector<std::size_t> with(std::string_view wish) const;
    // Which of `found` is meant: the word itself, else the first that begins so, else the first; nothing of
    // none.
    std::optional<std::size_t> meant(std::string_view wish, const std::vector<std::size_t>& found) const;
};

WordList word_list(const Session& session); // that has a model

// It is a shipped model for any sentence, of words that the lexicon has.
bool knows_lexicon(const Session& session);

} // namespace headlight
