// Words of the same kind and meaning, by the lexicon: what may be said instead of a word that somebody does
// not know.
#pragma once

#include "engine/language/lexicon.h"

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace headlight::language {

class Thesaurus {
public:
    static Result<Thesaurus> read(const std::string& folder); // errors: those of Lexicon::read
    explicit Thesaurus(Lexicon lexicon);

    const Lexicon& lexicon() const { return lexicon_; }

    // A word as a form of an entry. `kind` tells forms of one part of speech apart: in the order in which
    // Noun, EnglishVerb, Adjective and Conjugation have them.
    struct Form {
        std::size_t entry = 0;
        std::size_t kind = 0;
        bool operator==(const Form&) const = default;
    };
    enum Side { english, portuguese };
    // Words that somebody does know, a vocabulary say, made ready for the question.
    struct Known {
        struct Word {
            std::string word; // as it was given
            std::array<std::vector<Form>, 2> forms;
        };
        std::vector<Word> words;
        std::array<bool, 2> speaks{}; // enough of its words are of that language
    };
    Known known(const std::vector<std::string>& words) const;

    // Whether it is a word of a language that the known ones are of.
    bool has(std::string_view word, const Known& known) const;
    // Whether both are forms of the same word: “cats” and “cat”.
    bool are_of_one_word(std::string_view a, std::string_view b, const Known& known) const;

    // At most n of the known words, nearest in meaning first, ties in their order: of the same part of speech
    // and in the same form (plural for plural, past for past). Those with the same translation, then those
    // under the same heading of the lexicon, common ones and the nearest lines first, then nouns of a class
    // that joins both, adjectives that describe the same, verbs that take the same. None for words that join
    // or ask (because, who): no other says nearly the same.
    std::vector<std::string> instead_of(std::string_view word, const Known& known, std::size_t n) const;

private:
    using Leaves = std::vector<bool>; // by number of the class

    void add(Side side, const std::string& word, Form form);
    void add_nouns();
    void add_verbs();
    void add_adjectives();
    void add_others();
    const std::vector<Form>& forms(Side side, std::string_view word) const;
    std::vector<Form> common_forms(Side side, std::string_view word) const; // without rare meanings
    // 0: the same; the more, the farther; nothing: another word, not this one.
    std::optional<double> distance(Side side, const Form& a, const Form& b) const;
    std::optional<double> between_nouns(std::size_t a, std::size_t b) const; // by entry
    std::optional<double> between_verbs(const Verb& a, const Verb& b, Side side) const;
    std::optional<double> between_adjectives(const Entry& a, const Entry& b) const;
    // How much of two lists of classes is common: 0 … 1.
    double overlap(const std::vector<std::string>& a, const std::vector<std::string>& b) const;
    const Leaves& leaves(const std::string& name) const;

    Lexicon lexicon_;
    std::array<std::unordered_map<std::string, std::vector<Form>>, 2> forms_; // by the word in small letters
    std::vector<std::size_t> verb_of_;                                        // by entry
    std::vector<std::uint8_t> genders_; // by entry: 1 masculine, 2 feminine, 3 both, in Portuguese
    std::map<std::string, Leaves, std::less<>> leaves_;       // of every class that is named
    std::vector<std::pair<std::string, std::size_t>> joined_; // classes that join a few, and how many
};

} // namespace headlight::language
