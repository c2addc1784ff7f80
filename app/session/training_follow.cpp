// The window follows the training: the newest weights, or those of a kept moment, take the place of the
// model's, and the sentence is computed again.
#include "app/session/session.h"
#include "app/session/session_sweep.h"
#include "app/session/training/training_view.h"
#include "engine/base/stopwatch.h"

#include <algorithm>
#include <utility>

namespace headlight {

namespace {

constexpr std::size_t examples_offered = 12;
constexpr double over_time_share = 0.004; // seconds of a frame

std::vector<std::string> sentences_of(const RunModel& model) {
    std::vector<std::string> sentences;
    for (std::size_t i = 0; i < std::min(model.held_out.size(), examples_offered); ++i)
        sentences.push_back(model.held_out[i].source);
    return sentences;
}

// Whether the run can learn to read it: of known tokens, and no longer than what it is judged by.
bool can_learn(const RunModel& model, const std::string& text) {
    const std::vector<Piece> pieces = model.source.encode(text);
    std::size_t longest = 0;
    for (const SentencePair& pair : model.held_out)
        longest = std::max(longest, model.source.encode(pair.source).size());
    return !pieces.empty() && pieces.size() <= longest
           && std::all_of(pieces.begin(), pieces.end(), [](const Piece& piece) { return piece.known; });
}

} // namespace

void Session::remember_training(const std::filesystem::path& folder) {
    training_->training.remember_in(folder);
}

void Session::keep_training() { (void)training_->training.poll(); }

std::vector<Error> Session::close_training() { return training_->training.close(); }

bool Session::is_moving() const {
    return state_.playing || close_up_plays() || training_->playing
           || (sweep_ && sweep_->sweep.done() < sweep_->sweep.total());
}

bool Session::is_lively() const {
    const LiveTraining& training = training_->training;
    return is_moving() || training.is_busy() || training.awaits_examples() || training.is_keeping();
}

std::vector<Real> Session::difference_of(std::string_view path) const {
    if (!training_->difference || !has_model()) return {};
    const Node *now = model_->graph().find(path), *before = training_->difference->before->graph().find(path);
    if (!now || !before || now->value.size() != before->value.size()) return {};
    std::vector<Real> difference(std::size_t(now->value.size()));
    for (std::size_t i = 0; i < difference.size(); ++i) {
        const Real a = before->value.data()[i], b = now->value.data()[i];
        difference[i] = a == b ? Real(0) : b - a; // −∞ in both: masked then as now
    }
    return difference;
}

bool Session::follow_training(double seconds) {
    TrainingView& view = *training_;
    bool changed = view.training.poll();
    for (const Error& trouble : view.training.take_troubles())
        state_.notice = Notice{true, strings_.text(trouble)};
    const Run* run = view.training.run();
    if (!run) {
        if (view.shown) leave_training();
        return changed;
    }
    if ((view.shown || view.awaited) && run->model && run->newest && view.model != run->model) show_run();
    if (!view.shown || view.model != run->model) return changed;
    changed |= view.playing ? play_film(*run, seconds) : follow_newest(*run, seconds);
    if (view.over_time) changed |= view.over_time->advance(*run, *model_, over_time_share);
    return changed;
}

bool Session::play_film(const Run& run, double seconds) {
    TrainingView& view = *training_;
    view.film_clock += seconds;
    if (view.film_clock * view.moments_per_second < 1) return false;
    view.film_clock = 0;
    const auto next = std::find_if(run.kept.begin(), run.kept.end(),
                                   [&](const KeptMoment& kept) { return kept.step > view.step; });
    if (next == run.kept.end()) {
        view.playing = false;
    } else if (const auto moment = view.training.moment_near(next->step)) {
        show_moment(*moment);
    }
    return true;
}

// A large model takes long to compute a sentence: the window rests in between, and most of the processor is
// the trainer's.
bool Session::follow_newest(const Run& run, double seconds) {
    TrainingView& view = *training_;
    view.seconds_to_rest = std::max(0.0, view.seconds_to_rest - seconds);
    if (!view.live || !run.newest || run.newest->step == view.step) return false;
    if (run.training && view.seconds_to_rest > 0) return false;
    const Stopwatch watch;
    show_moment({run.newest->step, run.newest->weights, nullptr});
    view.seconds_to_rest = 9 * watch.seconds();
    return true;
}

// The run's model takes the place of the window's.
void Session::show_run() {
    TrainingView& view = *training_;
    const Run& run = *view.training.run();
    const std::string path = has_model() ? step().path() : std::string();
    const std::filesystem::path folder = has_model() ? model_->folder : std::filesystem::path();
    if (!view.shown) {
        view.put_aside = std::move(model_);
        view.examples_before = examples_;
        view.source_before = state_.source_text;
        view.target_before = state_.target_text;
    }
    view.shown = true;
    view.awaited = view.playing = false;
    view.difference.reset();
    view.live = true;
    view.model = run.model;
    model_ = model_of_run(*run.model, run.name);
    model_->folder = folder; // of the model that is put aside: what the window goes back to
    examples_ = sentences_of(*run.model);
    state_.selection.reset();
    state_.asking.forget();
    state_.target_text.reset();
    state_.playing = false;
    if (state_.head >= model_->map().max_heads()) state_.head = -1;
    state_.step = std::max<Index>(0, model_->step_of(path));
    if (!can_learn(*run.model, state_.source_text) && !examples_.empty())
        state_.source_text = examples_.front();
    show_moment({run.newest->step, run.newest->weights, nullptr});
    model_version_ = version_;
}

void Session::show_moment(const Moment& moment) {
    put_weights(*model_, *moment.weights);
    training_->step = moment.step;
    if (training_->difference) training_->difference->to = moment.step;
    compute();
    weights_version_ = version_;
}

void Session::leave_training() {
    TrainingView& view = *training_;
    view.awaited = false;
    if (!view.shown) return;
    const std::string path = has_model() ? step().path() : std::string();
    std::shared_ptr<LoadedModel> opened = std::move(view.put_aside);
    forget_opened();
    if (!opened) return; // nothing was open: the run's last weights stay
    model_ = std::move(opened);
    examples_ = std::move(view.examples_before);
    state_.source_text = view.source_before;
    state_.target_text = view.target_before;
    state_.selection.reset();
    state_.asking.forget();
    if (state_.head >= model_->map().max_heads()) state_.head = -1;
    state_.step = std::max<Index>(0, model_->step_of(path));
    compute();
    model_version_ = weights_version_ = version_;
}

// Another model is about to be the window's.
void Session::forget_opened() {
    TrainingView& view = *training_;
    view.shown = view.awaited = view.playing = false;
    view.difference.reset();
    view.over_time.reset();
    view.put_aside.reset();
    view.model.reset();
}

} // namespace headlight
