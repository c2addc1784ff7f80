// The browser's chooser of files in the desktop's place: what it opens is copied into the page's own folder,
// and what is saved there is downloaded (app/web/files.js).
#include "app/platform/desktop_chooser.h"

#include <emscripten.h>

#include <utility>

namespace headlight {

// clang-format off
EM_JS(void, headlight_choose_file, (const char* patterns, int folders), {
    Module.headlight.chooseFile(UTF8ToString(patterns), folders !== 0);
});
// 0 still asking, 1 chosen, 2 cancelled; the path is written to `to`.
EM_JS(int, headlight_chosen_file, (char* to, int size), {
    const answer = Module.headlight.chosenFile();
    if (answer === undefined) return 0;
    if (answer === "") return 2;
    stringToUTF8(answer, to, size);
    return 1;
});
// clang-format on

std::optional<DesktopChooser> DesktopChooser::find() { return DesktopChooser("browser"); }

DesktopChooser::DesktopChooser(DesktopChooser&& other) noexcept { *this = std::move(other); }

DesktopChooser& DesktopChooser::operator=(DesktopChooser&& other) noexcept {
    std::swap(program_, other.program_);
    std::swap(chosen_, other.chosen_);
    std::swap(state_, other.state_);
    return *this;
}

DesktopChooser::~DesktopChooser() = default;

void DesktopChooser::ask(const DesktopQuestion& question) {
    chosen_.clear();
    if (question.saves) { // the browser asks, or not, where downloads go
        const std::string extension = question.patterns.empty() ? "" : question.patterns.front().substr(1);
        std::filesystem::path name = question.name.empty() ? "headlight" : question.name;
        if (!name.has_extension()) name += extension;
        chosen_ = std::filesystem::current_path() / name;
        state_ = State::chosen;
        return;
    }
    std::string patterns;
    for (const std::string& one : question.patterns)
        patterns += (patterns.empty() ? "" : ",") + one.substr(1);
    headlight_choose_file(patterns.c_str(), question.folders);
    state_ = State::asking;
}

DesktopChooser::State DesktopChooser::poll() {
    if (state_ != State::asking) return std::exchange(state_, State::idle);
    char path[4096];
    const int answer = headlight_chosen_file(path, sizeof path);
    if (answer == 0) return State::asking;
    state_ = State::idle;
    if (answer == 2) return State::cancelled;
    chosen_ = path;
    return State::chosen;
}

} // namespace headlight
