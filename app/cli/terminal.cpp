#include "app/cli/terminal.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <string_view>

namespace headlight {

bool Terminal::print(std::string_view line) {
    if (output_failure_ != 0) return false;
    errno = 0;
    std::fwrite(line.data(), 1, line.size(), stdout);
    std::fputc('\n', stdout);
    if (std::fflush(stdout) != 0 || std::ferror(stdout)) output_failure_ = errno != 0 ? errno : EIO;
    return output_failure_ == 0;
}

int Terminal::end() {
    if (output_failure_ == 0 || output_failure_ == EPIPE) return succeeded;
    return fail({"error.output_lost", {std::strerror(output_failure_)}});
}

void Terminal::remark(std::string_view text) {
    std::string line = "headlight: " + std::string(text);
    // One line, whatever stands in a file name or a sentence.
    std::replace_if(
        line.begin(), line.end(), [](unsigned char c) { return c < ' ' || c == 127; }, ' ');
    line += '\n';
    std::fwrite(line.data(), 1, line.size(), stderr);
}

int Terminal::refuse(const Error& error) {
    if (error.key == "error.out_of_memory") return fail(error); // nobody was wrong
    remark(strings_.text(error));
    return misused;
}

int Terminal::fail(const Error& error) {
    remark(strings_.text(error));
    return failed;
}

int Terminal::report(const Error& error) {
    constexpr std::string_view of_the_machine[] = {
        "error.disk_full",     "error.file_limit",       "error.file_unwritable",   "error.no_display",
        "error.no_offscreen",  "error.no_opengl",        "error.picture_not_made",  "error.font_missing",
        "error.window_failed", "error.output_lost",      "error.training_not_kept", "error.training_memory",
        "error.out_of_memory", "error.folder_unfinished"};
    const bool is_of_script = error.key == "error.script_line" && error.arguments.size() > 3;
    const std::string& cause = is_of_script ? error.arguments[3] : error.key;
    return std::ranges::find(of_the_machine, cause) == std::end(of_the_machine) ? refuse(error) : fail(error);
}

} // namespace headlight
