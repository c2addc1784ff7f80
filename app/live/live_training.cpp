#include "app/live/live_training.h"

#include "app/live/run_folder.h"
#include "engine/task/tasks.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <utility>

namespace headlight {

double usual_pace(const std::string& task) { return task == "copy" ? 4 : task == "reverse" ? 8 : 0; }

LiveTraining::LiveTraining(std::filesystem::path assets)
    : assets_(std::move(assets)), settings_(settings_for("copy")) {}

LiveTraining::~LiveTraining() { (void)close(); }

std::vector<Error> LiveTraining::close() {
    retire_worker();
    ending_.clear();
    if (!kept_) return {};
    for (const auto& run : runs_) run->take_news();
    if (auto remembered = kept_->wait()) adopt(std::move(*remembered));
    const std::vector<Error> errors = kept_->write(runs_);
    kept_.reset();
    return errors;
}

// --- the next run
// -------------------------------------------------------------------------------------------

// What is read of files follows from what would be trained.
void LiveTraining::choose(TrainingSettings settings) {
    settings_ = std::move(settings);
    const std::filesystem::path& file = settings_.pairs;
    const bool has_pairs = settings_.task == own_pairs && !file.empty(),
               has_other = settings_.task != own_pairs && !file.empty();
    if (!has_pairs)
        reading_.reset();
    else if (!reading_ || reading_->file() != file)
        reading_ = std::make_shared<const PairReading>(file);
    if (!has_other)
        own_file_.reset();
    else if (!own_file_ || !own_file_->is_of(settings_.task, file, settings_.unit))
        own_file_ = std::make_shared<const OwnFileReading>(settings_.task, file, settings_.unit);
}

Result<Done> LiveTraining::choose_task(const std::string& name_or_file) {
    std::vector<std::string> names = task_names();
    names.insert(names.end(), memory_task_names().begin(), memory_task_names().end());
    names.push_back(own_pairs);
    if (std::find(names.begin(), names.end(), name_or_file) != names.end()) {
        choose(settings_for(name_or_file));
        return Done{};
    }
    std::error_code ignored;
    const std::filesystem::path file = std::filesystem::absolute(name_or_file, ignored);
    if (name_or_file.empty() || !std::filesystem::is_regular_file(file, ignored)) {
        std::string known;
        for (const std::string& name : names) known += (known.empty() ? "" : ", ") + name;
        return Error{"error.training_task", {name_or_file, known}};
    }
    reading_.reset(); // it may have changed
    choose(settings_for(own_pairs, file));
    return Done{};
}

Result<Done> LiveTraining::choose_file(const std::string& task, const std::string& file, TokenizerKind unit) {
    std::error_code ignored;
    const std::filesystem::path whole = std::filesystem::absolute(file, ignored);
    if (file.empty() || !std::filesystem::is_regular_file(whole, ignored))
        return Error{"error.training_no_file", {file}};
    TrainingSettings settings = settings_for(task, whole);
    settings.unit = unit;
    own_file_.reset(); // it may have changed
    choose(std::move(settings));
    return Done{};
}

Result<Done> LiveTraining::set(const std::string& name, const std::string& value,
                               const ModelFiles* on_screen) {
    Result<TrainingSettings> changed = with_setting(settings_, name, value);
    if (!changed) return changed.error();
    if (changed->start == StartFrom::model) {
        if (!on_screen) return Error{"error.no_model", {}};
        const double dropout = changed->sizes.dropout;
        changed->sizes = on_screen->config;
        changed->sizes.dropout = dropout;
    }
    settings_ = *std::move(changed);
    Run* run = looked_at();
    if (run && is_same_run(run->settings, settings_) && run->settings.megabytes != settings_.megabytes) {
        run->settings.megabytes = settings_.megabytes;
        run->channel->set_budget(settings_.timeline_budget());
    }
    return Done{};
}

bool LiveTraining::starts_new_run() const { return !run() || !is_same_run(run()->settings, settings_); }

Run* LiveTraining::looked_at() { return looked_at_ < runs_.size() ? runs_[looked_at_].get() : nullptr; }
const Run* LiveTraining::run() const { return looked_at_ < runs_.size() ? runs_[looked_at_].get() : nullptr; }

std::unique_ptr<Run> LiveTraining::empty_run(Index first_step) {
    auto run = std::make_unique<Run>();
    run->settings = settings_;
    run->first_step = first_step;
    run->channel = std::make_shared<RunChannel>(first_step, settings_.timeline_budget());
    run->plan.emplace();
    run->plan->settings = settings_;
    run->plan->assets = assets_;
    run->plan->reading = reading_;
    return run;
}

Result<std::unique_ptr<Run>> LiveTraining::new_run(const ModelFiles* on_screen) {
    if (settings_.lacks_file()) return Error{"error.training_lacks_file", {}};
    if (const Result<Done> checked = check_settings(settings_); !checked) return checked.error();
    std::unique_ptr<Run> run = empty_run(0);
    if (settings_.start == StartFrom::model) {
        if (!on_screen) return Error{"error.no_model", {}};
        run->plan->on_screen = *on_screen;
    }
    return run;
}

// --- training
// -----------------------------------------------------------------------------------------------

void LiveTraining::retire_worker() {
    if (!present_.worker) return;
    present_.worker->end();
    ending_.push_back(std::move(present_));
    present_ = {nullptr, nullptr};
}

// The worker of another run ends beside; one that has just ended for this run is waited for, because it holds
// the newest weights.
RunWorker& LiveTraining::worker_for(Run& run) {
    if (present_.run == &run && !present_.worker->has_ended()) return *present_.worker;
    for (const auto& other : runs_)
        if (other.get() != &run) other->training = false;
    retire_worker();
    std::erase_if(ending_, [&](const Work& work) { return work.run == &run || work.worker->has_ended(); });
    run.take_news();

    RunPlan plan;
    if (run.plan) {
        plan = *run.plan;
    } else {
        plan.settings = run.settings;
        plan.assets = assets_;
        if (run.settings.task == own_pairs)
            plan.reading = reading_ && reading_->file() == run.settings.pairs
                               ? reading_
                               : std::make_shared<const PairReading>(run.settings.pairs);
        constexpr Index last = std::numeric_limits<Index>::max();
        plan.go_on = GoOnFrom{run.model, *run.channel->checkpoint_near(last),
                              run.channel->whole_checkpoint_before(last), run.settings};
        plan.seconds = run.seconds;
        if (const Judgement* best = run.best()) plan.best_loss = best->loss;
    }
    const double pace = pace_.value_or(usual_pace(plan.settings.task));
    present_ = {&run, std::make_unique<RunWorker>(std::move(plan), run.channel)};
    present_.worker->set_pace(pace);
    return *present_.worker;
}

Result<Done> LiveTraining::start(Index steps, const ModelFiles* on_screen) {
    Run* run = looked_at();
    if (starts_new_run()) {
        if (run && run->steps.empty() && !run->training && !run->origin) { // nobody misses it
            if (const Result<Done> anew = reset(on_screen); !anew) return anew.error();
            run = looked_at();
        } else {
            Result<std::unique_ptr<Run>> created = new_run(on_screen);
            if (!created) return created.error();
            const Result<Run*> added = add_run(*std::move(created));
            if (!added) return added.error();
            run = *added;
        }
    }
    RunWorker& worker = worker_for(*run);
    run->settings.goal_exact = settings_.goal_exact;
    run->settings.goal_steps = settings_.goal_steps;
    run->settings.options.threads = settings_.options.threads;
    RunWorker::Order order{.steps = steps};
    if (steps == 0 && !run->has_reached_goal()) { // a goal that was reached once holds nobody back
        order.until_exact = settings_.goal_exact;
        order.last_step = settings_.goal_steps;
    }
    run->order = worker.go(order);
    run->last_ordered = steps > 0 ? run->step() + steps : 0;
    run->training = true;
    run->pause.reset();
    run->error.reset();
    return Done{};
}

void LiveTraining::pause() {
    if (present_.worker) present_.worker->pause();
}

void LiveTraining::set_pace(std::optional<double> steps_a_second) {
    pace_ = steps_a_second;
    if (present_.worker) present_.worker->set_pace(pace_.value_or(usual_pace(present_.run->settings.task)));
}

double LiveTraining::pace() const { return pace_.value_or(usual_pace(settings_.task)); }

Result<Done> LiveTraining::reset(const ModelFiles* on_screen) {
    Result<std::unique_ptr<Run>> created = new_run(on_screen);
    if (!created) return created.error();
    const std::size_t place = std::min(looked_at_, runs_.size());
    if (place < runs_.size()) put_away(place);
    settle_in(**created);
    runs_.insert(runs_.begin() + std::ptrdiff_t(place), *std::move(created));
    looked_at_ = place;
    worker_for(*runs_[place]);
    return Done{};
}

Result<Done> LiveTraining::continue_from(Index step) {
    const Run* from = run();
    const std::optional<Checkpoint> checkpoint = checkpoint_near(step);
    if (!from || !checkpoint || !from->model) return Error{"error.training_no_moment", {}};
    ModelConfig sizes = from->settings.sizes;
    sizes.dropout = settings_.sizes.dropout;
    if (settings_.task != from->settings.task || settings_.pairs != from->settings.pairs
        || settings_.unit != from->settings.unit || settings_.sizes != sizes)
        return Error{"error.training_continue_sizes", {from->name}};
    std::unique_ptr<Run> created = empty_run(checkpoint->step);
    created->plan->go_on = GoOnFrom{from->model, *checkpoint,
                                    from->channel->whole_checkpoint_before(checkpoint->step), from->settings};
    created->origin = Run::Origin{from->name, checkpoint->step};
    const Result<Run*> added = add_run(std::move(created));
    if (!added) return added.error();
    return start(0, nullptr);
}

// --- on disk
// ------------------------------------------------------------------------------------------------

// Pauses; afterwards the newest weights are kept.
void LiveTraining::finish_step(Run& run) {
    pause();
    while (run.training) {
        poll();
        wait_a_moment();
    }
}

Result<Done> LiveTraining::save(const std::filesystem::path& folder) {
    Run* run = looked_at();
    if (!run || !run->model || run->kept.empty()) return Error{"error.training_no_moment", {}};
    const bool was_training = run->training;
    if (was_training) finish_step(*run);
    const std::optional<RunRecord> record = record_of(*run);
    const Result<Done> written =
        record ? write_run(folder, *record) : Result<Done>(Error{"error.training_no_moment", {}});
    if (written) run->saved = record->checkpoints.back().step;
    const bool is_over = run->pause && run->pause->reason != PauseReason::told;
    if (was_training && !is_over) {
        const Index left = run->last_ordered > 0 ? run->last_ordered - run->step() : 0;
        if (run->last_ordered == 0 || left > 0) {
            const TrainingSettings next = std::exchange(settings_, run->settings);
            (void)start(left, nullptr);
            settings_ = next;
        }
    }
    return written;
}

namespace {

// A name is whatever somebody gave; its folder lies where it was meant to.
std::string folder_name(std::string name) {
    for (char& byte : name)
        if (byte == '/' || byte == '\\' || byte == ':') byte = '-';
    return name.starts_with('.') ? "-" + name : name;
}

} // namespace

Result<Done> LiveTraining::save_all(const std::filesystem::path& folder) {
    for (const auto& run : runs_) {
        const std::optional<RunRecord> record = run->is_saved() ? std::nullopt : record_of(*run);
        if (!record || record->checkpoints.empty()) continue;
        if (Result<Done> written = write_run(folder / folder_name(run->name), *record); !written)
            return written;
        run->saved = record->checkpoints.back().step;
    }
    return Done{};
}

bool LiveTraining::has_unsaved() const {
    return std::any_of(runs_.begin(), runs_.end(), [](const auto& run) { return !run->is_saved(); });
}

Result<Done> LiveTraining::open(const std::filesystem::path& folder) {
    Result<std::unique_ptr<Run>> read = read_run(folder);
    if (!read) return read.error();
    (*read)->saved = (*read)->step();
    const Result<Run*> added = add_run(*std::move(read));
    if (!added) return added.error();
    return look_at(runs_.size() - 1);
}

void LiveTraining::remember_in(const std::filesystem::path& folder) {
    kept_ = std::make_unique<KeptRuns>(folder, most_runs);
}

// Before the runs of this time, in the order in which they were.
void LiveTraining::adopt(KeptRuns::Remembered remembered) {
    for (const Error& error : remembered.errors) troubles_.push_back(error);
    std::size_t place = 0;
    for (std::unique_ptr<Run>& run : remembered.runs) {
        settle_in(*run);
        runs_.insert(runs_.begin() + std::ptrdiff_t(place++), std::move(run));
    }
    if (place == 0) return;
    if (runs_.size() > place)
        looked_at_ += place;
    else
        (void)look_at(place - 1);
}

void LiveTraining::keep_remembered() {
    if (!kept_) return;
    const std::optional<Error> failed = kept_->keep(runs_);
    if (failed && !std::exchange(told_not_remembered_, true)) troubles_.push_back(*failed);
}

bool LiveTraining::wait(double seconds) {
    using Time = std::chrono::steady_clock;
    const Time::time_point limit =
        Time::now() + std::chrono::duration_cast<Time::duration>(std::chrono::duration<double>(seconds));
    for (;;) {
        const bool is_over = !is_busy();
        poll(); // what was told before it was over
        if (is_over) return true;
        if (Time::now() >= limit) return false;
        wait_a_moment();
    }
}

bool LiveTraining::is_busy() const {
    const bool is_reading = (reading_ && !reading_->progress().ended) || (own_file_ && !own_file_->is_over())
                            || (kept_ && kept_->is_reading());
    return is_reading || std::any_of(runs_.begin(), runs_.end(), [&](const auto& run) {
               const bool is_being_prepared =
                   present_.run == run.get() && !run->model && !present_.worker->has_ended();
               return run->training || is_being_prepared;
           });
}

bool LiveTraining::is_keeping() const { return kept_ && kept_->is_behind(runs_); }

void LiveTraining::ask_for_examples() const {
    const Run* shown = run();
    if (!shown) return;
    shown->channel->ask_for_examples();
    if (awaits_examples()) present_.worker->wake_for_examples();
}

bool LiveTraining::awaits_examples() const {
    const Run* shown = run();
    return shown && shown->model && !shown->training && present_.run == shown && !present_.worker->has_ended()
           && shown->channel->awaits_examples() && shown->step_of_examples != shown->step();
}

std::optional<Checkpoint> LiveTraining::checkpoint_near(Index step) const {
    return run() ? run()->channel->checkpoint_near(step) : std::nullopt;
}

bool LiveTraining::poll() {
    if (present_.worker) present_.worker->wake_when_due();
    std::erase_if(ending_, [](const Work& work) { return work.worker->has_ended(); });
    bool changed = false;
    if (kept_)
        if (auto remembered = kept_->take()) {
            adopt(std::move(*remembered));
            changed = true;
        }
    for (const auto& run : runs_) {
        const bool was_training = run->training, had_failed = run->error.has_value();
        if (!run->take_news()) continue;
        changed = true;
        if (!had_failed && run->error) troubles_.push_back(*run->error);
        if (was_training && !run->training && run->pause->reason == PauseReason::not_finite)
            troubles_.push_back(
                {"error.training_live_not_finite",
                 {std::to_string(run->step() + 1), run->pause->where, std::to_string(run->step())}});
    }
    keep_remembered();
    return changed;
}

std::vector<Error> LiveTraining::take_troubles() { return std::exchange(troubles_, {}); }

} // namespace headlight
