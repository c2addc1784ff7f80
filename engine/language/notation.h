// What the text files of the lexicon and of the sentence grammar have in common: headings at the margin, entries
// indented below them, comments from # to the end of a line.
#pragma once

#include "engine/base/result.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headlight::language {

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

} // namespace headlight::language
