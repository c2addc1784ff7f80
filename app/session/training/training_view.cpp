#include "app/session/training/training_view.h"
#include "app/session/session.h"
#include "app/session/setting.h"
#include "engine/base/stopwatch.h"
#include "engine/model/transformer.h"

#include <algorithm>
#include <array>

namespace headlight {

std::optional<std::string> wanted_of(const LiveTraining& training, const std::string& source) {
    const Run* run = training.run();
    if (!run || !run->model) return {};
    if (run->model->task) return run->model->task->target_of(source);
    const PairReading* reading = training.reading();
    const auto read = reading && reading->file() == run->settings.pairs ? reading->result() : std::nullopt;
    const std::vector<SentencePair>* of_file = read && *read ? &(**read)->pairs : nullptr;
    for (const std::vector<SentencePair>* pairs : {&run->model->held_out, of_file})
        if (pairs)
            for (const SentencePair& pair : *pairs)
                if (pair.source == source) return pair.target;
    return {};
}

bool WantedWords::bring_up_to_date(const Session& session) {
    if (version_ == session.version()) return target_.has_value();
    version_ = session.version();
    const Question& question = session.question();
    target_.reset();
    if (session.training().shown) target_ = wanted_of(session.training().training, question.source);
    if (!target_) {
        scratch_.reset();
        shown_.reset();
        return false;
    }
    const LoadedModel& shown = session.model();
    if (shown_ != session.shared_model() || !scratch_) {
        shown_ = session.shared_model();
        scratch_ = another_of(shown);
    }
    const Parameters& weights = shown.files.parameters;
    put_weights(*scratch_, {weights.data(), std::size_t(weights.count())});
    scratch_->graph().set_edits(shown.graph().edits());
    scratch_->smooth_labels(question.label_smoothing);
    sentence_ = run_sentence(*scratch_, question.source, target_);
    return true;
}

namespace {

constexpr std::array<std::string_view, training_pages> pages = {"settings", "curves",   "examples",
                                                                "words",    "backward", "moments"};
constexpr std::array<std::string_view, curves_offered> curves = {"loss", "tokens", "exact", "rate",
                                                                 "gradient"};

} // namespace

void add_training_page_commands(CommandRegistry& commands, View& view) {
    using namespace argument;
    SettingsOf training_pages(commands, of_view(view, &View::training_pages));
    training_pages.add("desk", &TrainingPages::chosen, one_of(pages));
    training_pages.add("desk", &TrainingPages::of_runs, "net|runs", "runs");
    training_pages.add("curve", &TrainingPages::curve, one_of(curves));
    training_pages.add("curve log", &TrainingPages::logarithmic, "on|off");
    training_pages.add("curve smoothing", &TrainingPages::smoothing, number("S", 0, 0.999));
    training_pages.add("goal", &TrainingPages::row, whole("ROW", 0, 100'000));
}

std::string_view name_of(TrainingPage page) { return pages[std::size_t(page)]; }
std::string_view name_of(Curve curve) { return curves[std::size_t(curve)]; }

namespace {

constexpr double over_time_share = 0.004;     // seconds of a frame
constexpr double checkpoints_per_second = 12; // of the film, where nobody chose a pace

// Whether the run can learn to read it: of known tokens, and no longer than what it is judged by.
bool can_learn(const RunModel& model, const std::string& text) {
    const std::vector<Piece> pieces = model.source.encode(text);
    std::size_t longest = 0;
    for (const SentencePair& pair : model.held_out)
        longest = std::max(longest, model.source.encode(pair.source).size());
    return !pieces.empty() && pieces.size() <= longest
           && std::all_of(pieces.begin(), pieces.end(), [](const Piece& piece) { return piece.known; });
}

// The run's model takes the place of the one that is shown, and is asked the same, as far as it can be.
void show_run(TrainingView& training, Inquiries& inquiries, const Run& run) {
    training.show(run.model);
    std::shared_ptr<LoadedModel> model = model_of_run(*run.model, run.name);
    Question question = inquiries.experiment().question();
    question.model.clear(); // it was never saved
    question.target.reset();
    question.generation.forget_words();
    question.label_smoothing = run.settings.options.label_smoothing; // its loss is the one it learns by
    if (!can_learn(*run.model, question.source) && !model->examples.empty())
        question.source = model->examples.front();
    put_weights(*model, *run.newest->weights);
    training.step = run.newest->step;
    inquiries.of_run = std::make_shared<Inquiry>();
    inquiries.of_run->experiment.ask(std::move(question), std::move(model));
}

bool play_film(TrainingView& training, Inquiries& inquiries, const Run& run, double seconds) {
    const double pace = training.training.pace();
    training.film_clock += seconds;
    if (training.film_clock * (pace > 0 ? pace : checkpoints_per_second) < 1) return false;
    training.film_clock = 0;
    const auto next = std::find_if(run.kept.begin(), run.kept.end(),
                                   [&](const KeptCheckpoint& kept) { return kept.step > training.step; });
    if (next == run.kept.end())
        training.playing = false;
    else if (const auto checkpoint = training.training.checkpoint_near(next->step))
        show_checkpoint(training, inquiries, *checkpoint);
    return true;
}

// A large model takes long to compute a sentence: the window rests in between, and most of the processor is
// the trainer's.
bool follow_newest(TrainingView& training, Inquiries& inquiries, const Run& run, double seconds) {
    training.seconds_to_rest = std::max(0.0, training.seconds_to_rest - seconds);
    if (!training.live || !run.newest || run.newest->step == training.step) return false;
    if (run.training && training.seconds_to_rest > 0) return false;
    const Stopwatch watch;
    show_checkpoint(training, inquiries, {run.newest->step, run.newest->weights, nullptr});
    training.seconds_to_rest = 9 * watch.seconds();
    return true;
}

} // namespace

bool follow_training(TrainingView& training, Inquiries& inquiries, double seconds) {
    bool changed = training.training.poll();
    const Run* run = training.training.run();
    if (!run) {
        if (training.shown) leave_training(training, inquiries);
        return changed;
    }
    if ((training.shown || training.pending) && run->model && run->newest && training.model != run->model) {
        show_run(training, inquiries, *run);
        changed = true;
    }
    if (!training.shown || training.model != run->model) return changed;
    changed |= training.playing ? play_film(training, inquiries, *run, seconds)
                                : follow_newest(training, inquiries, *run, seconds);
    if (training.over_time)
        changed |= training.over_time->advance(*run, inquiries.experiment().model(), over_time_share);
    return changed;
}

void show_checkpoint(TrainingView& training, Inquiries& inquiries, const Checkpoint& checkpoint) {
    training.step = checkpoint.step;
    if (training.difference) training.difference->to = checkpoint.step;
    inquiries.experiment().put_weights(*checkpoint.weights);
}

void leave_training(TrainingView& training, Inquiries& inquiries) {
    training.show(nullptr);
    if (!inquiries.of_run || !inquiries.opened->experiment.has_model()) return;
    Question question = inquiries.opened->experiment.question();
    question.small_pages = inquiries.experiment().question().small_pages; // is of no model
    inquiries.of_run.reset();
    (void)inquiries.experiment().ask(std::move(question));
}

namespace {

constexpr std::size_t examples_offered = 12;

bool is_known(const Tokenizer& tokenizer, const std::string& text) {
    const std::vector<Piece> pieces = tokenizer.encode(text);
    return std::all_of(pieces.begin(), pieces.end(), [](const Piece& piece) { return piece.known; });
}

} // namespace

std::unique_ptr<LoadedModel> model_of_run(const RunModel& model, const std::string& name) {
    std::unique_ptr<LoadedModel> loaded =
        assemble_model({model.config, declare_parameters(model.config), model.source, model.target});
    loaded->name = name;
    // Those that it can read whole: a word that only a held-out pair has is unknown to it.
    const auto offer = [&](const std::vector<SentencePair>& pairs) {
        for (const SentencePair& pair : pairs)
            if (loaded->examples.size() < examples_offered && is_known(model.source, pair.source))
                loaded->examples.push_back(pair.source);
    };
    offer(model.held_out);
    if (loaded->examples.empty() && model.task) offer(model.task->all_training());
    return loaded;
}

} // namespace headlight
