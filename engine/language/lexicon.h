#pragma once

#include "engine/base/result.h"
#include "engine/language/conjugation.h"

#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace headlight::language {

// What the text files of the lexicon and of the sentence grammar have in common: headings at the margin, entries
// indented below them, comments from # to the end of a line.

// `=` serves both directions, `=>` only English to Portuguese, `<=` only Portuguese to English.
enum class Arrow { both, to_portuguese, to_english };
enum class Direction { english_to_portuguese, portuguese_to_english };
constexpr bool serves(Arrow arrow, Direction direction) {
    return arrow == Arrow::both
           || (arrow == Arrow::to_portuguese) == (direction == Direction::english_to_portuguese);
}

namespace notation {

struct Place {
    std::string file;
    std::size_t line;

    Error error(std::string key, std::vector<std::string> details = {}) const;
};

struct Line {
    std::string_view text; // without comment and blanks at either end; never empty
    std::size_t number;    // from 1
    bool indented;
};
std::vector<Line> lines_of(std::string_view text);

struct Sides {
    std::string_view english, portuguese;
    Arrow arrow;
};
// "English = Portuguese" by the first arrow that stands between blanks; nothing without one or with an empty side.
std::optional<Sides> sides_of(std::string_view text);

// "dog (foreign, plural)" → "dog", and the names in the parentheses are appended.
std::string take_names(std::string_view text, char open, char close, std::vector<std::string>& names);

std::vector<std::string> split(std::string_view text, char separator); // parts without blanks around them
std::vector<std::string> forms_in_order(std::string_view text); // "o|a/os|as" → o, a, os, as
std::string_view trimmed(std::string_view text);

} // namespace notation

// The lexicon: the words of assets/lexicon with every form derived from them, English and Portuguese side by side.
// The notation is explained in assets/lexicon/README.md.

enum class Part {
    noun,
    verb,
    auxiliary,
    adjective,
    adverb,
    pronoun,
    determiner,
    preposition,
    conjunction,
    question,
    number,
    name,
    interjection,
    contraction
};

// A line of the lexicon.
struct Entry {
    Part part = Part::noun;
    std::string word_class;                    // of its heading: "food"
    std::vector<std::string> described;        // the heading's classes in brackets: what adjectives describe
    std::vector<std::string> english_features; // in parentheses, those of the heading among them
    std::vector<std::string> portuguese_features;
    std::string english, portuguese; // as written, without features
    Arrow arrow = Arrow::both;
    double weight = 3; // rare 1, nothing 3, * 10, ** 30, *** 100
    std::string file;
    std::size_t line = 0;

    bool has_english(std::string_view feature) const;
    bool has_portuguese(std::string_view feature) const;
};

struct Noun {
    std::size_t entry = 0;
    std::string singular, plural;      // English; empty where there is no such form
    bool has_the = false;              // "the sun": the article belongs to it
    bool english_article = true;       // false: at home
    std::string preposition;           // of a place: at, in, on; may be empty
    std::array<std::string, 4> portuguese; // masculine, feminine, their plurals; empty where there is no such form
    bool portuguese_article = true;    // false: em casa, em São Paulo
    bool is_uncountable = false;       // English
    bool is_portuguese_uncountable = false;

    bool has_gender(bool feminine) const { return !(portuguese[feminine].empty() && portuguese[2 + feminine].empty()); }
};

struct Adjective {
    std::size_t entry = 0;
    std::string english;
    std::string comparative, superlative;  // empty where there are no degrees
    std::string preposition;               // "proud of": what stands before its slot; empty without one
    std::string portuguese_preposition;
    std::vector<std::string> takes;        // classes of its slot
    std::array<std::string, 4> portuguese; // masculine, feminine, their plurals
    std::string portuguese_comparative;    // "melhor"; empty: mais …
    bool stands_before = false;            // bom dia
    bool is_estar = false;
};

// What a verb takes: "give [thing] to [person]" has two slots.
struct VerbSlot {
    std::vector<std::string> classes; // "thing"; or one of to do, doing, do, that, how, say, number
    bool optional = false;
};
struct VerbPiece {
    std::string word;                // or
    std::optional<std::size_t> slot; // index into Verb::slots
};
struct Verb {
    std::size_t entry = 0;
    EnglishVerb english;
    bool is_be = false; // be hungry: am, is, are
    std::vector<std::string> subject; // classes; none: a person
    std::vector<VerbSlot> slots;      // in the order of English
    std::vector<VerbPiece> english_rest, portuguese_rest;
    Conjugation portuguese;
    bool is_reflexive = false, is_apart = false, is_state = false, is_impersonal = false, is_subjunctive = false;
};

class Lexicon {
public:
    // The folder with the text files. Errors: those of files; lexicon_* (file, line, …).
    static Result<Lexicon> read(const std::string& folder);

    const std::vector<Entry>& entries() const { return entries_; }
    const std::vector<Noun>& nouns() const { return nouns_; } // names among them
    const std::vector<Adjective>& adjectives() const { return adjectives_; }
    const std::vector<Verb>& verbs() const { return verbs_; }
    const Conjugations& conjugations() const { return *conjugations_; }

    // Classes of nouns and names, and those that join them: the leaves that `name` stands for, by number. Nothing
    // where there is no such class.
    std::optional<std::vector<std::size_t>> leaves_of(std::string_view name) const;
    std::size_t leaf_count() const { return leaves_.size(); }
    const std::string& leaf_name(std::size_t leaf) const { return leaves_[leaf]; }
    std::optional<std::size_t> leaf(std::string_view name) const;
    std::vector<std::string> joined_classes() const; // those of classes.txt

private:
    friend class LexiconReader;

    std::vector<Entry> entries_;
    std::vector<Noun> nouns_;
    std::vector<Adjective> adjectives_;
    std::vector<Verb> verbs_;
    std::optional<Conjugations> conjugations_;
    std::vector<std::string> leaves_;
    std::map<std::string, std::vector<std::string>, std::less<>> joined_; // classes.txt
};

// What reads the lexicon's files into a Lexicon. Nothing else needs this.

class LexiconReader {
public:
    // Files in any order: entries are kept as they stand, and inflected when all is known.
    Result<Done> read_entries(std::string_view text, const std::string& file);
    Result<Done> read_classes(std::string_view text, const std::string& file);
    void set_conjugations(Conjugations conjugations) { lexicon_.conjugations_ = std::move(conjugations); }
    Result<Lexicon> finish();

private:
    Result<Done> add_noun(std::size_t entry);
    Result<Done> add_verb(std::size_t entry);
    Result<Done> add_adjective(std::size_t entry);
    Result<Done> check_classes(const std::vector<std::string>& classes, const Entry& entry) const;

    Lexicon lexicon_;
    std::map<std::string, std::vector<std::string>, std::less<>> irregular_; // English base: forms written once
    std::map<std::string, std::size_t, std::less<>> joined_at_;             // line of classes.txt
};

// The entry's line with what is wrong there.
Error entry_error(const Entry& entry, std::string key, std::vector<std::string> details = {});

} // namespace headlight::language
