#include "engine/task/grammar_notation.h"

#include "engine/task/plain_text.h"

#include <algorithm>

namespace headlight::grammar::notation {

namespace {

struct FoundArrow {
    std::size_t begin, size;
    Arrow arrow;
};

// Arrows stand between blanks (or at an end), so that "=" inside a word would be a letter like any other.
std::vector<FoundArrow> find_arrows(std::string_view line) {
    std::vector<FoundArrow> found;
    for (std::size_t begin = 0; begin < line.size();) {
        const std::size_t end = std::min(line.find(' ', begin), line.size());
        const std::string_view word = line.substr(begin, end - begin);
        if (word == "=") found.push_back({begin, 1, Arrow::both});
        if (word == "=>") found.push_back({begin, 2, Arrow::to_portuguese});
        if (word == "<=") found.push_back({begin, 2, Arrow::to_english});
        begin = end + 1;
    }
    return found;
}

} // namespace

void Place::fail(std::string key, std::vector<std::string> details) const {
    std::vector<std::string> arguments{file, std::to_string(line)};
    arguments.insert(arguments.end(), details.begin(), details.end());
    throw Fault{{std::move(key), std::move(arguments)}};
}

std::vector<Line> logical_lines(std::string_view text) {
    constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
    if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
    std::vector<Line> lines;
    std::size_t number = 0;
    for (std::string_view raw : split_at(text, '\n')) {
        ++number;
        const std::string_view content = trimmed(raw);
        if (content.empty() || content.front() == '#') continue;
        std::string line(content);
        std::replace(line.begin(), line.end(), '\t', ' ');
        const std::vector<FoundArrow> arrows = find_arrows(line);
        const bool continues = !arrows.empty() && arrows.front().begin == 0 && !lines.empty();
        if (continues)
            lines.back().text += " " + line;
        else
            lines.push_back({std::move(line), number});
    }
    return lines;
}

bool has_arrow(std::string_view line) { return !find_arrows(line).empty(); }

Sides split_sides(std::string_view line, const Place& place) {
    const std::vector<FoundArrow> arrows = find_arrows(line);
    if (arrows.empty()) place.fail("error.grammar_no_arrow", {std::string(line)});
    if (arrows.size() > 1) place.fail("error.grammar_two_arrows", {std::string(line)});
    const FoundArrow& arrow = arrows.front();
    const Sides sides{{trimmed(line.substr(0, arrow.begin)), trimmed(line.substr(arrow.begin + arrow.size))},
                      arrow.arrow};
    if (sides.text.english.empty() || sides.text.portuguese.empty())
        place.fail("error.grammar_empty_side", {std::string(line)});
    return sides;
}

Forms parse_forms(std::string_view text, const Place& place) {
    const std::vector<std::string_view> numbers = split_at(text, '/');
    if (numbers.size() > 2) place.fail("error.grammar_forms", {std::string(text)});
    Forms forms;
    forms.is_single = text.find_first_of("|/") == std::string_view::npos;
    for (std::size_t number = 0; number < numbers.size(); ++number) {
        const std::vector<std::string_view> genders = split_at(numbers[number], '|');
        if (genders.size() > 2) place.fail("error.grammar_forms", {std::string(text)});
        for (std::size_t gender = 0; gender < 2; ++gender) {
            const std::string_view form = trimmed(genders[std::min(gender, genders.size() - 1)]);
            if (form.empty()) place.fail("error.grammar_forms", {std::string(text)});
            forms.by_agreement[2 * number + gender] = std::string(form);
        }
    }
    return forms;
}

std::optional<std::size_t> find_list(const Grammar& grammar, std::string_view name) {
    for (std::size_t i = 0; i < grammar.lists.size(); ++i)
        if (grammar.lists[i].name == name) return i;
    return std::nullopt;
}

} // namespace headlight::grammar::notation
