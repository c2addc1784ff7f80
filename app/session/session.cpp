#include "app/session/session.h"

#include "app/session/padded_batch.h"
#include "app/session/session_sweep.h"
#include "app/session/training/training_view.h"
#include "app/session/version.h"
#include "engine/ops/cross_entropy.h"

#include <algorithm>
#include <atomic>
#include <utility>

namespace headlight {

unsigned long next_version() {
    static std::atomic<unsigned long> versions = 0;
    return ++versions;
}

Session::Session(std::filesystem::path assets, Strings strings)
    : assets_(std::move(assets)),
      strings_(std::move(strings)),
      training_(std::make_unique<TrainingView>(assets_)) {
    shipped_models_ = model_folders(assets_ / "models");
    add_commands();
    add_asking_commands();
    add_training_commands();
    add_desk_commands(commands_, state_.desk);
    add_backward_commands();
    add_close_up_commands();
    add_what_if_commands();
    add_sweep_commands();
    add_examining_commands();
    add_batch_commands();
    add_lesson_commands();
}

Session::~Session() = default;

Result<Done> Session::execute(std::string_view line) {
    Result<Done> result = commands_.execute(line);
    if (!result) state_.notice = Notice{true, strings_.text(result.error())};
    return result;
}

bool Session::advance(double seconds) {
    bool changed = follow_training(seconds);
    changed = follow_sweep() || changed;
    changed = advance_close_up(seconds) || changed;
    if (!state_.playing || !has_model()) return changed;
    play_clock_ += seconds;
    if (play_clock_ < 1 / state_.steps_per_second) return changed;
    play_clock_ = 0;
    const Index last = Index(model_->story.size()) - 1;
    state_.step = std::min(state_.step + 1, last);
    state_.playing = state_.step < last;
    return true;
}

void Session::compute() {
    if (!has_model()) return;
    sweep_.reset(); // of the values before
    padded_batch_.reset();
    const double smoothing = state_.backward.label_smoothing;
    set_label_smoothing(model_->transformer->loss, smoothing);
    const bool other_weights = what_if_.prepare(*model_, state_.changes, state_.second_text);
    sentence_ = run_sentence(*model_, state_.source_text, state_.target_text);
    what_if_.compare(*model_, state_.changes, state_.source_text, state_.target_text, sentence_, smoothing);
    if (training_->difference) {
        LoadedModel& before = *training_->difference->before;
        set_label_smoothing(before.transformer->loss, smoothing);
        before.graph().set_edits(model_->graph().edits()); // what differs is the training alone
        compute_like(*model_, before);
    }
    version_ = next_version();
    if (other_weights) weights_version_ = version_;
    if (state_.selection && !exists(*state_.selection, model_->graph()))
        state_.selection.reset(); // a shorter sentence may have no such cell any more
    state_.asking.keep_what_exists(model_->graph());
}

std::vector<ScreenshotRequest> Session::take_screenshots() { return std::exchange(state_.screenshots, {}); }

std::optional<std::string> Session::take_copied() {
    if (!std::exchange(state_.asking.for_clipboard, false)) return {};
    return state_.asking.copied;
}

} // namespace headlight
