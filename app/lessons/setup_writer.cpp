#include "app/lessons/setup_writer.h"

#include "app/lessons/lesson.h"
#include "engine/io/file.h"

#include <algorithm>

namespace headlight {

namespace {

// With their ends, whichever those are.
std::vector<std::string_view> lines_of_text(std::string_view text) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        const std::size_t length = end == text.npos ? text.size() : end + 1;
        lines.push_back(text.substr(0, length));
        text.remove_prefix(length);
    }
    return lines;
}

} // namespace

std::string with_setup(std::string_view text, std::size_t card, const std::vector<std::string>& commands) {
    const Lesson lesson = read_lesson(text);
    if (card >= lesson.cards.size()) return std::string(text);
    const LessonCard& written = lesson.cards[card];
    const std::vector<LineRange>& blocks = written.setup_blocks;
    const int place = blocks.empty() ? written.behind_heading : blocks.front().begin;
    const auto is_replaced = [&](int line) {
        return std::any_of(blocks.begin(), blocks.end(),
                           [&](const LineRange& block) { return line >= block.begin && line < block.end; });
    };
    const std::string end = text.find("\r\n") == text.npos ? "\n" : "\r\n";
    std::string result;
    const auto put_setup = [&] {
        if (!result.empty() && result.back() != '\n') result += end;
        if (blocks.empty()) result += end;
        result += "```setup" + end;
        for (const std::string& command : commands) result += command + end;
        result += "```" + end;
    };
    const std::vector<std::string_view> lines = lines_of_text(text);
    for (int line = 1; line <= int(lines.size()); ++line) {
        if (line == place) put_setup();
        if (!is_replaced(line)) result += lines[std::size_t(line) - 1];
    }
    if (place > int(lines.size())) put_setup();
    return result;
}

Result<Done> write_setup_of_card(const std::filesystem::path& file, std::size_t card,
                                 const std::vector<std::string>& commands) {
    const Result<std::string> text = read_file(file.string(), longest_lesson);
    if (!text) return text.error();
    return write_file_atomically(file, with_setup(*text, card, commands));
}

} // namespace headlight
