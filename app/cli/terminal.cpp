#include "app/cli/terminal.h"
#include "app/platform/offscreen.h"
#include "app/platform/window.h"
#include "app/ui/window/main_view.h"
#include "engine/io/file.h"
#include "engine/io/folder_transaction.h"
#include "engine/io/model_folder.h"

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

namespace {

template <class D>
std::string drawn_by(const Strings& s, const char* where, const Result<std::unique_ptr<D>>& display) {
    return s.text(where, {display ? s.text("about_page.drawn_by", words_of((*display)->graphics()))
                                  : s.text(display.error())});
}

// One after the other: there is one interface at a time.
std::vector<std::string> graphics_of_machine(const Strings& s) {
    std::vector<std::string> lines;
    lines.push_back(drawn_by(s, "about_page.in_window", Window::open({.visible = false})));
    lines.push_back(drawn_by(s, "about_page.in_pictures", Offscreen::open()));
    return lines;
}

} // namespace

int check_program(Terminal& terminal, const std::filesystem::path& assets) {
    const Strings& s = terminal.strings();
    const Compared compared = compare_with_reference(assets);
    for (const AboutLine& line : about_lines(s, graphics_of_machine(s), compared))
        terminal.print(line.label + ": " + line.text);
    const int ended = terminal.end();
    return is_right(compared) ? ended : failed;
}

namespace fs = std::filesystem;

namespace {

constexpr Index longest_config = 1 << 20; // bytes

bool is_model_folder(const fs::path& folder) {
    const Result<std::string> text = read_file(folder / "config.json", longest_config);
    return text && names_architecture(*text);
}

} // namespace

Result<Done> check_out_folder(const fs::path& folder) {
    std::error_code ignored;
    if (!fs::exists(folder, ignored)) return Done{};
    if (!fs::is_directory(folder, ignored)) return Error{"error.out_is_a_file", {folder.string()}};
    if (const Result<Done> finished = finish_interrupted_commit(folder); !finished) return finished;
    if (!is_empty_but_for_leftovers(folder) && !is_model_folder(folder))
        return Error{"error.out_not_ours", {folder.string()}};
    return Done{};
}

} // namespace headlight
