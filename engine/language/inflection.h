// How regular words of the lexicon are inflected: the rules of assets/lexicon/README.md, word for word.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headlight::language {

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
