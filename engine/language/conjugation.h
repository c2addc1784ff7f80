#pragma once

#include "engine/base/result.h"

#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headlight::language {

// How Portuguese verbs are conjugated: assets/lexicon/conjugations.txt, whose head explains its notation.

enum class Tense {
    present,
    preterite,
    imperfect,
    future,
    subjunctive,
    past_subjunctive,
    future_subjunctive,
    conditional
};
inline constexpr std::size_t tense_count = 8;

struct Conjugation {
    std::string infinitive;
    std::array<std::array<std::string, 4>, tense_count> finite; // eu, você/ele/ela, nós, vocês/eles/elas
    std::string gerund, imperative;                             // imperative: said to você
    std::vector<std::string> participles;                       // the second stands with ser and estar

    const std::string& in(Tense tense, std::size_t person) const { return finite[std::size_t(tense)][person]; }
};

class Conjugations {
public:
    // `file`: for messages. Errors (file, line, …): lexicon_conjugation_line, lexicon_tense, lexicon_tense_forms.
    static Result<Conjugations> parse(std::string_view text, const std::string& file);

    // Nothing where no pattern fits.
    std::optional<Conjugation> conjugate(std::string_view infinitive) const;

private:
    using Rows = std::map<std::string, std::vector<std::string>, std::less<>>; // by name of tense
    struct Pattern {
        std::string ending;
        std::vector<std::string> verbs; // none: any verb
        Rows rows;
    };

    std::vector<Pattern> patterns_; // the longest ending first, of two alike the one for certain verbs
    std::map<std::string, Rows, std::less<>> verbs_;
};

// How regular words of the lexicon are inflected: the rules of assets/lexicon/README.md, word for word.

std::vector<std::string> words_of(std::string_view text); // between blanks

// "bus stop" → "bus stops", "cup of tea" → "cups of tea".
std::string english_plural(std::string_view noun);

// Of the verb alone, without what follows it.
struct EnglishVerb {
    std::string base, past, participle, ing, s;
};
// `written`: what the lexicon writes behind slashes, in the order past, participle, -ing, -s; what it does not
// write is derived.
EnglishVerb english_verb(std::string_view base, const std::vector<std::string>& written);

// "taller", "tallest"; nothing where the degrees are made with more and most.
std::optional<std::array<std::string, 2>> english_degrees(std::string_view adjective);

std::string portuguese_plural_of_word(std::string_view word);
// All words up to the first preposition: "pontos de ônibus", "quadros brancos".
std::string portuguese_plural(std::string_view noun);
// The last word alone, or the one before a preposition.
std::string portuguese_adjective_plural(std::string_view adjective);

bool is_portuguese_preposition(std::string_view word);

} // namespace headlight::language
