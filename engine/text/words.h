// Words and numbers as a person types them in a line.
#pragma once

#include "engine/base/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace headlight {

std::string_view trim(std::string_view text);
std::string take_word(std::string_view& text); // the first one, quotes removed; text: what comes after it
std::vector<std::string> words_of(std::string_view text); // cut at blanks; "quoted words" stay together

Result<double> number_of(const std::string& word); // the whole word, finite
// Why a word is no number: error.decimal_comma where only that keeps it from being one.
Error not_a_number(const std::string& word);
Result<long> whole_number_of(const std::string& word);
std::string exactly(double number); // the shortest text that is read back as this very number

} // namespace headlight
