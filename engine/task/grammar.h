#pragma once

#include "engine/base/result.h"
#include "engine/task/task.h"

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headlight::grammar {

// A phrase grammar: word lists and aligned phrases in English and Portuguese, read from a text file that a
// teacher writes. The notation is explained at the head of assets/grammars/english-portuguese.txt.

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

namespace headlight::grammar::notation {

// The small parts of the phrase grammar's notation, shared by the sources that read it. Nothing else needs
// this.

// Thrown inside the reader only; parse turns it into its Error.
struct Fault {
    Error error;
};

// A line of the file, with the lines that continue it (those that begin with an arrow) joined to it.
struct Line {
    std::string text;
    std::size_t number; // of its first line, from 1
};

struct Place {
    const std::string& file;
    std::size_t line;

    [[noreturn]] void fail(std::string key, std::vector<std::string> details = {}) const;
};

std::vector<Line> logical_lines(std::string_view text);

// "english = portuguese", with any arrow.
struct Sides {
    BothLanguages<std::string_view> text;
    Arrow arrow;
};
bool has_arrow(std::string_view line);
Sides split_sides(std::string_view line, const Place& place);

// "cansado|cansada", "está/estão", "o|a/os|as", or a word alone.
Forms parse_forms(std::string_view text, const Place& place);

Phrase parse_phrase(const Line& line, const Grammar& grammar);

std::optional<std::size_t> find_list(const Grammar& grammar, std::string_view name);

} // namespace headlight::grammar::notation

namespace headlight::grammar {

// Every sentence that a phrase grammar can say in one direction, and which of them are held out.

// The sentences of one phrase of the grammar, without their final period; none occurs twice in a PhraseBook.
struct SpokenPhrase {
    std::size_t line = 0; // in the grammar's file
    std::vector<SentencePair> training;
    std::vector<SentencePair> held_out;
};

struct SpokenBlock {
    std::string name;
    std::size_t share = 1;
    std::vector<SpokenPhrase> phrases;
};

// One in ten combinations of the words in held slots is held out, whole; which ones, a hash of the words
// decides, so the choice does not move when the grammar grows. A sentence that one phrase holds out is held
// out of all of them, except one that is written in full, without a slot: that one is always trained on.
// Errors: grammar_contradiction (a source, whatever its capitals, with two translations), grammar_too_large.
Result<std::vector<SpokenBlock>> speak(const Grammar& grammar, Direction direction);

} // namespace headlight::grammar
