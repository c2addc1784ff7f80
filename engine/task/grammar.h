// A phrase grammar: word lists and aligned phrases in English and Portuguese, read from a text file that a
// teacher writes. The notation is explained at the head of assets/grammars/english-portuguese.txt.
#pragma once

#include "engine/base/result.h"

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headlight::grammar {

enum class Language { english, portuguese };
enum class Direction { english_to_portuguese, portuguese_to_english };

// What the article of a Portuguese noun tells: o, a, os, as.
enum class Agreement { masculine, feminine, masculine_plural, feminine_plural };

// The forms of a word, by agreement: "pequeno|pequena/pequenos|pequenas", "grande/grandes",
// "cansado|cansada".
struct Forms {
    std::array<std::optional<std::string>, 4> by_agreement;
    bool is_single = true; // one form, which may stand where nothing is agreed with

    const std::string& single() const { return *by_agreement[0]; }
    const std::string& agreeing(Agreement agreement) const { return *by_agreement[std::size_t(agreement)]; }
    bool has(Agreement agreement) const { return by_agreement[std::size_t(agreement)].has_value(); }
};

// `=` serves both directions, `=>` only English to Portuguese, `<=` only Portuguese to English.
enum class Arrow { both, to_portuguese, to_english };
bool serves(Arrow arrow, Direction direction);

template <class T>
struct BothLanguages {
    T english, portuguese;
    const T& in(Language language) const { return language == Language::english ? english : portuguese; }
    T& in(Language language) { return language == Language::english ? english : portuguese; }
};

// "dog = o cachorro" has one column on either side and agrees as a masculine noun.
struct Entry {
    BothLanguages<std::vector<Forms>> columns;
    std::optional<Agreement> agreement;
    Arrow arrow = Arrow::both;
    std::size_t line = 0;
};

struct WordList {
    std::string name;
    BothLanguages<std::vector<std::string>> column_names; // of the second column and those after it
    std::vector<Entry> entries;
    std::size_t line = 0;
};

// A stretch of a phrase: plain text, a word of a slot, or forms written out, the latter two perhaps agreeing
// with the noun in a slot.
struct Piece {
    Forms forms;                            // of text and of forms written out
    std::optional<std::size_t> slot;        // index into Phrase::slots
    std::size_t column = 0;                 // of the slot's entry
    std::optional<std::size_t> agrees_with; // index into Phrase::slots
};

struct Phrase {
    std::vector<std::size_t> slots; // index of each slot's list in Grammar::lists
    BothLanguages<std::vector<Piece>> pieces;
    Arrow arrow = Arrow::both;
    std::vector<std::vector<std::size_t>> holds; // slots whose combinations are held out
    std::size_t line = 0;
};

struct PhraseBlock {
    std::string name;
    std::size_t share = 1; // of the sentences drawn, against the shares of the other blocks
    std::vector<Phrase> phrases;
    std::size_t line = 0;
};

struct Grammar {
    std::string file; // for messages
    std::vector<WordList> lists;
    std::vector<PhraseBlock> blocks;
};

// Every agreement of every phrase has been checked: a grammar that parses can be spoken without errors.
// Errors (arguments: file, line, then what the key needs): grammar_*, and those of a file that cannot be
// read.
// The word lists of `known` may be used as if they stood at the beginning.
Result<Grammar> parse(std::string_view text, const std::string& file, const Grammar& known = {});
Result<Grammar> read(const std::string& path, const Grammar& known = {});

} // namespace headlight::grammar
