#include "engine/text/words.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

namespace headlight {

std::string_view trim(std::string_view text) {
    const std::string_view blanks = " \t\r\n";
    const std::size_t first = text.find_first_not_of(blanks);
    if (first == text.npos) return {};
    return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::string take_word(std::string_view& text) {
    const bool quoted = text.front() == '"';
    if (quoted) text.remove_prefix(1);
    const std::size_t end = std::min(quoted ? text.find('"') : text.find_first_of(" \t"), text.size());
    std::string word(text.substr(0, end));
    text.remove_prefix(std::min(text.size(), end + (quoted ? 1 : 0)));
    text = trim(text);
    return word;
}

std::vector<std::string> words_of(std::string_view text) {
    std::vector<std::string> words;
    for (text = trim(text); !text.empty();) words.push_back(take_word(text));
    return words;
}

namespace {

std::optional<double> finite_number(const std::string& word) {
    double number = 0;
    const char* first = word.data() + (word.starts_with('+') ? 1 : 0);
    const auto [end, fault] = std::from_chars(first, word.data() + word.size(), number);
    if (fault != std::errc() || end != word.data() + word.size() || !std::isfinite(number)) return {};
    return number;
}

} // namespace

Result<double> number_of(const std::string& word) {
    if (const std::optional<double> number = finite_number(word)) return *number;
    return not_a_number(word);
}

Error not_a_number(const std::string& word) {
    std::string with_point = word;
    if (const std::size_t comma = word.find(','); comma != word.npos) with_point[comma] = '.';
    if (with_point != word && finite_number(with_point)) return {"error.decimal_comma", {word, with_point}};
    return {"error.not_a_number", {word}};
}

Result<long> whole_number_of(const std::string& word) {
    long number = 0;
    const char* first = word.data() + (word.starts_with('+') ? 1 : 0);
    const auto [end, fault] = std::from_chars(first, word.data() + word.size(), number);
    if (fault != std::errc() || end != word.data() + word.size())
        return Error{"error.not_a_whole_number", {word}};
    return number;
}

std::string exactly(double number) {
    char text[32];
    return {text, std::to_chars(std::begin(text), std::end(text), number).ptr};
}

} // namespace headlight
