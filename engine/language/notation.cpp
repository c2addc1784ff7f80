#include "engine/language/notation.h"

#include <algorithm>

namespace headlight::language::notation {

Error Place::error(std::string key, std::vector<std::string> details) const {
    std::vector<std::string> arguments{file, std::to_string(line)};
    arguments.insert(arguments.end(), details.begin(), details.end());
    return {std::move(key), std::move(arguments)};
}

std::string_view trimmed(std::string_view text) {
    const std::size_t begin = text.find_first_not_of(" \t\r");
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(" \t\r") + 1 - begin);
}

std::vector<Line> lines_of(std::string_view text) {
    constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
    if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
    std::vector<Line> lines;
    std::size_t number = 0;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        std::string_view line = text.substr(begin, end - begin);
        begin = end + 1;
        ++number;
        line = line.substr(0, line.find('#'));
        const std::string_view content = trimmed(line);
        if (!content.empty()) lines.push_back({content, number, line.front() == ' ' || line.front() == '\t'});
    }
    return lines;
}

std::optional<Sides> sides_of(std::string_view text) {
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find(' ', begin), text.size());
        const std::string_view word = text.substr(begin, end - begin);
        if (word == "=" || word == "=>" || word == "<=") {
            const Arrow arrow = word == "=" ? Arrow::both : word == "=>" ? Arrow::to_portuguese : Arrow::to_english;
            const Sides sides{trimmed(text.substr(0, begin)), trimmed(text.substr(std::min(end, text.size()))), arrow};
            if (sides.english.empty() || sides.portuguese.empty()) return std::nullopt;
            return sides;
        }
        begin = end + 1;
    }
    return std::nullopt;
}

std::vector<std::string> split(std::string_view text, char separator) {
    std::vector<std::string> parts;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(separator, begin), text.size());
        parts.emplace_back(trimmed(text.substr(begin, end - begin)));
        begin = end + 1;
    }
    return parts;
}

std::string take_names(std::string_view text, char open, char close, std::vector<std::string>& names) {
    std::string rest;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t at = std::min(text.find(open, begin), text.size());
        rest += text.substr(begin, at - begin);
        const std::size_t end = text.find(close, at);
        if (at == text.size() || end == std::string_view::npos) {
            rest += text.substr(at);
            break;
        }
        for (std::string& name : split(text.substr(at + 1, end - at - 1), ','))
            if (!name.empty()) names.push_back(std::move(name));
        begin = end + 1;
    }
    std::string single;
    for (const char letter : trimmed(rest)) // what is left has single blanks
        if (letter != ' ' || (!single.empty() && single.back() != ' ')) single += letter;
    return single;
}

std::vector<std::string> forms_in_order(std::string_view text) {
    std::vector<std::string> forms;
    for (const std::string& number : split(text, '/'))
        for (std::string& form : split(number, '|')) forms.push_back(std::move(form));
    return forms;
}

} // namespace headlight::language::notation
