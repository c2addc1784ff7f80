#include "app/lessons/setup_writer.h"

#include "engine/io/atomic_file.h"
#include "engine/io/file.h"
#include "engine/text/words.h"

namespace headlight {

namespace {

std::vector<std::string> lines_of_text(std::string_view text) {
    std::vector<std::string> lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        lines.emplace_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

bool is_fence(const std::string& line) { return line.starts_with("```"); }

} // namespace

std::string with_setup(std::string_view text, int heading, const std::vector<std::string>& commands) {
    const std::vector<std::string> lines = lines_of_text(text);
    const std::size_t first = std::size_t(std::max(heading, 1)); // the line behind the heading
    std::size_t begin = first, end = first;                      // what is replaced
    bool in_fence = false, found = false;
    for (std::size_t i = first; i < lines.size() && !found; ++i) {
        if (!in_fence && lines[i].starts_with("## ")) break;
        if (!is_fence(lines[i])) continue;
        if (!in_fence && trim(std::string_view(lines[i]).substr(3)) == "setup") {
            begin = i;
            for (end = i + 1; end < lines.size() && !is_fence(lines[end]); ++end) {
            }
            end = std::min(end + 1, lines.size());
            found = true;
        }
        in_fence = !in_fence;
    }
    std::string result;
    const auto put = [&](const std::string& line) { result += line + "\n"; };
    for (std::size_t i = 0; i < begin && i < lines.size(); ++i) put(lines[i]);
    if (!found) put("");
    put("```setup");
    for (const std::string& command : commands) put(command);
    put("```");
    for (std::size_t i = end; i < lines.size(); ++i) put(lines[i]);
    return result;
}

Result<Done> write_setup_of_card(const std::filesystem::path& file, int heading,
                                 const std::vector<std::string>& commands) {
    const Result<std::string> text = read_file(file.string(), 1 << 20);
    if (!text) return text.error();
    return write_file_atomically(file, with_setup(*text, heading, commands));
}

} // namespace headlight
