#pragma once

#include "engine/task/grammar.h"
#include "engine/tensor/random.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

// Small questions about UTF-8 text that the tasks share.

// The code points of valid UTF-8, each as its own string.
std::vector<std::string> characters_of(std::string_view text);

std::string with_capital(std::string_view text); // the first character in upper case

// Without blanks (space, tab, carriage return) at either end.
std::string_view trimmed(std::string_view text);

// The parts between separators; one part, the whole, when there is none. Parts are not trimmed.
std::vector<std::string_view> split_at(std::string_view text, char separator);

// As a tokenizer of words counts: "Come in, please." has 5.
std::size_t count_words(std::string_view text);

// A hash that is the same on every machine and in every version, for choosing what to hold out.
std::uint64_t stable_hash(std::string_view text);

// Of ten sentences one is kept from training, to judge by.
constexpr std::uint64_t held_out_one_in = 10;

// Sentences as people type them: without the capital letter or the final mark, “i am” for “I'm”, a slip of
// the fingers. Only what a model reads is changed so, never what it should say.

// Mostly as it stands; what is changed means the same. A question loses its mark only where its first word
// says that it is one.
std::string as_typed(std::string sentence, grammar::Language language, Random& random);

// "I'm late." → "I am late.", "It isn't." → "It is not."; as it stands where it is not certain what was
// contracted ("he's gone", "I'd"), or where the words would have to change places ("Don't you know?").
std::string with_contractions_opened(const std::string& english);
// The other way: "I am late." → "I'm late."; not at the end of what is said ("Yes, I am.").
std::string with_contractions_closed(const std::string& english);

} // namespace headlight
