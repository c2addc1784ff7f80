#include "app/cli/check.h"

#include "app/platform/offscreen.h"
#include "app/platform/window.h"
#include "app/ui/window/about.h"

namespace headlight {

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

} // namespace headlight
