#include "app/session/back_translation.h"

#include "app/session/experiment.h"

#include <utility>

namespace headlight {

std::optional<std::filesystem::path> opposite_model(const std::filesystem::path& model) {
    const std::string name = model.filename().string();
    const std::size_t last = name.rfind('-');
    if (last == name.npos || last == 0) return {};
    const std::size_t before = name.rfind('-', last - 1);
    if (before == name.npos) return {};
    const std::string there = name.substr(0, before + 1) + name.substr(last + 1) + "-"
                              + name.substr(before + 1, last - before - 1);
    const std::filesystem::path folder = model.parent_path() / there;
    std::error_code none;
    if (!std::filesystem::exists(folder / "config.json", none)) return {};
    return folder;
}

Result<Done> BackTranslation::open(const std::filesystem::path& folder) {
    folder_ = folder;
    model_.reset();
    Result<ModelFiles> files = read_model_folder(folder);
    if (!files) return files.error();
    files_ = std::make_unique<ModelFiles>(*std::move(files));
    model_ = files_->build(files_->parameters);
    return Done{};
}

bool BackTranslation::follow(const Experiment& experiment, bool wanted) {
    const auto show = [this](std::string answer, std::string text) {
        answer_ = std::move(answer);
        return std::exchange(text_, std::move(text)) != text_;
    };
    if (!wanted || !experiment.has_model() || experiment.is_writing()) return show({}, {});
    const std::optional<std::filesystem::path> opposite = opposite_model(experiment.model().folder);
    const std::string& answer = experiment.sentence().output;
    if (!opposite || answer.empty()) return show({}, {});
    if (folder_ == *opposite && answer_ == answer) return false;
    if (folder_ != *opposite)
        if (const Result<Done> opened = open(*opposite); !opened) trouble_ = opened.error();
    return show(answer, model_ ? run_sentence(*files_, *model_, answer, {}).output : std::string());
}

} // namespace headlight
