#include "app/session/command.h"

#include "engine/base/check.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace headlight {

void CommandRegistry::add(WindowCommand command) {
    for (const WindowCommand& other : commands_)
        HEADLIGHT_CHECK(other.name != command.name, "two commands are called " + command.name);
    commands_.push_back(std::move(command));
}

Result<Done> CommandRegistry::execute(std::string_view line) const {
    line = trim(line);
    if (line.empty() || line.front() == '#') return Done{};
    const std::size_t end = std::min(line.find_first_of(" \t"), line.size());
    const std::string_view name = line.substr(0, end);
    for (const WindowCommand& command : commands_)
        if (command.name == name) return command.run(trim(line.substr(end)));
    std::string known;
    for (const WindowCommand& command : commands_) known += (known.empty() ? "" : ", ") + command.name;
    return Error{"error.command_unknown", {std::string(name), known}};
}

std::string_view trim(std::string_view text) {
    const std::string_view blanks = " \t\r\n";
    const std::size_t first = text.find_first_not_of(blanks);
    if (first == text.npos) return {};
    return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::vector<std::string> words_of(std::string_view text) {
    std::vector<std::string> words;
    for (text = trim(text); !text.empty(); text = trim(text)) {
        const bool quoted = text.front() == '"';
        if (quoted) text.remove_prefix(1);
        const std::size_t end = std::min(quoted ? text.find('"') : text.find_first_of(" \t"), text.size());
        words.emplace_back(text.substr(0, end));
        text.remove_prefix(std::min(text.size(), end + (quoted ? 1 : 0)));
    }
    return words;
}

Error usage(const std::string& line) { return Error{"error.command_usage", {line}}; }

Result<double> number_of(const std::string& word) {
    double number = 0;
    const char* first = word.data() + (word.starts_with('+') ? 1 : 0);
    const auto [end, fault] = std::from_chars(first, word.data() + word.size(), number);
    if (fault != std::errc() || end != word.data() + word.size() || !std::isfinite(number))
        return Error{"error.not_a_number", {word}};
    return number;
}

Result<long> whole_number_of(const std::string& word) {
    long number = 0;
    const char* first = word.data() + (word.starts_with('+') ? 1 : 0);
    const auto [end, fault] = std::from_chars(first, word.data() + word.size(), number);
    if (fault != std::errc() || end != word.data() + word.size())
        return Error{"error.not_a_whole_number", {word}};
    return number;
}

} // namespace headlight
