#include "app/session/session.h"

#include <algorithm>
#include <fstream>
#include <utility>

namespace headlight {

Session::Session(std::filesystem::path assets, Strings strings)
    : assets_(std::move(assets)), strings_(std::move(strings)) {
    add_commands();
}

Result<Done> Session::execute(std::string_view line) {
    Result<Done> result = commands_.execute(line);
    if (!result) state_.notice = Notice{true, strings_.text(result.error())};
    return result;
}

bool Session::advance(double seconds) {
    if (!state_.playing || !has_model()) return false;
    play_clock_ += seconds;
    if (play_clock_ < 1 / state_.steps_per_second) return false;
    play_clock_ = 0;
    const Index last = Index(model_->story.size()) - 1;
    state_.step = std::min(state_.step + 1, last);
    state_.playing = state_.step < last;
    return true;
}

void Session::compute() {
    if (!has_model()) return;
    sentence_ = run_sentence(*model_, state_.source_text, state_.target_text);
    ++version_;
    if (state_.selection) { // a shorter sentence may have no such cell any more
        const Node* node = model_->graph().find(state_.selection->path);
        const Region there{state_.selection->cell.batch, state_.selection->cell.row,
                           state_.selection->cell.column};
        if (!node || !there.fits(node->shape())) state_.selection.reset();
    }
}

std::vector<std::filesystem::path> Session::shipped_models() const {
    std::vector<std::filesystem::path> folders;
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator(assets_ / "models", ignored))
        if (std::filesystem::exists(entry.path() / "config.json", ignored)) folders.push_back(entry.path());
    std::sort(folders.begin(), folders.end());
    return folders;
}

std::vector<std::string> Session::examples() const {
    std::vector<std::string> lines;
    if (!has_model()) return lines;
    std::ifstream file(model_->folder / "examples.txt");
    for (std::string line; std::getline(file, line);)
        if (const std::string_view text = trim(line); !text.empty()) lines.emplace_back(text);
    return lines;
}

std::vector<ScreenshotRequest> Session::take_screenshots() { return std::exchange(state_.screenshots, {}); }

} // namespace headlight
