// Small questions about UTF-8 text that the tasks share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

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

} // namespace headlight
