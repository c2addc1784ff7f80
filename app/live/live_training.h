// Training beside the window: the settings of the next run, the runs so far, side by side, and the trainer
// that works on one of them at a time. For the window's thread; nothing here waits for the trainer but where
// it says so.
#pragma once

#include "app/live/kept_runs.h"
#include "app/live/pair_reading.h"
#include "app/live/run.h"
#include "app/live/run_worker.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace headlight {

// Steps a second at which a class sees how a task is learned; 0 of one that takes long anyway.
double usual_pace(const std::string& task);

class LiveTraining {
public:
    static constexpr std::size_t most_runs = 8, most_deleted = 3;

    explicit LiveTraining(std::filesystem::path assets);
    ~LiveTraining(); // closes
    LiveTraining(const LiveTraining&) = delete;
    LiveTraining& operator=(const LiveTraining&) = delete;

    // --- the next run
    const TrainingSettings& settings() const { return settings_; }
    // A task by name, with the recipe's sizes and optimizer ("pairs": own ones, whose file is yet to be
    // chosen), or a file of own pairs, which is read at once, beside the window. Errors: neither a task nor a
    // file.
    Result<Done> choose_task(const std::string& name_or_file);
    // A task on a file of one's own: "sentiment" on labelled lines, "next-word" on a text, cut by `unit`. It
    // is read when the run begins. Errors: no such file.
    Result<Done> choose_file(const std::string& task, const std::string& file, TokenizerKind unit);
    // See with_setting. `on_screen`: the model to start from, when there is one. What is no part of a run's
    // training the run that is looked at has at once.
    Result<Done> set(const std::string& name, const std::string& value, const ModelFiles* on_screen);
    const PairReading* reading() const { return reading_.get(); } // of own pairs; nullptr without
    const OwnFileReading* own_file() const {
        return own_file_.get();
    } // of labelled lines or a text; or nullptr
    // Whether `start` would begin a run, because there is none or the settings are no longer its own.
    bool starts_new_run() const;

    // --- training
    // Goes on with the run that is looked at; when there is none, or the settings are no longer its own, a
    // new run begins beside it. steps: to take, 0: to the goal. Errors: too many runs; no model to start
    // from.
    Result<Done> start(Index steps, const ModelFiles* on_screen);
    void pause(); // after the step that is being made
    // At most so many steps a second, to watch them; 0: as fast as it goes, as at first; nothing: the task's
    // own, by which its learning is seen (usual_pace). What is learned is the same.
    void set_pace(std::optional<double> steps_a_second);
    const std::optional<double>& chosen_pace() const { return pace_; }
    double pace() const; // of a run with the present settings
    // The run that is looked at goes, and one of the present settings stands in its place, before its first
    // step.
    Result<Done> reset(const ModelFiles* on_screen);
    // A new run that goes on from the checkpoint nearest to `step` of the run that is looked at, with the
    // present optimizer settings. Errors: nothing was kept; settings of another task or other sizes; too many
    // runs.
    Result<Done> continue_from(Index step);
    // Waits until nothing trains, at most so many seconds. False when it still does.
    bool wait(double seconds);

    // --- the runs
    const std::vector<std::unique_ptr<Run>>& runs() const { return runs_; }
    const Run* run() const; // that is looked at; nullptr when there is none
    // Settings, of those that learning depends on, in which the runs are not all alike: by these they are
    // told apart.
    std::vector<std::string> what_differs() const;
    Result<Done> look_at(std::size_t number); // from 0; its settings become the present ones
    // Its place, by its name or its number; an empty text: of the one that is looked at. Errors: none is
    // called so.
    Result<std::size_t> find(const std::string& called) const;
    // It is put away: the last few of them can be brought back, until the window closes.
    Result<Done> remove(std::size_t number);
    const Run* deleted() const { return deleted_.empty() ? nullptr : deleted_.back().run.get(); } // last
    Result<Done> bring_back();                          // that one, and it is looked at
    Result<Done> rename(std::string name);              // the one that is looked at. Errors: empty, or taken
    Result<Done> hide(std::size_t number, bool hidden); // its curves
    // The checkpoint nearest to `step` of the run that is looked at stays, or need not stay any more.
    Result<Done> pin(Index step, bool pinned);
    bool is_busy() const; // a run trains or is being prepared, or pairs are being read
    bool is_recalling() const { return kept_ && kept_->is_reading(); } // what is remembered is being read
    bool is_keeping() const; // a run is being written to be remembered, or soon will be
    // The trainer decodes some held-out sentences now and then, as long as somebody asks; once when it rests.
    void ask_for_examples() const;
    bool awaits_examples() const; // it was asked while it rests, and they are on their way
    // Of the run that is looked at.
    std::optional<Checkpoint> checkpoint_near(Index step) const;

    // --- on disk (run_folder.h)
    // Writes the run that is looked at; when it trains, it does so again afterwards. Waits for the step that
    // is being made.
    Result<Done> save(const std::filesystem::path& folder);
    // Writes what no file has, each run into FOLDER/NAME, as far as it has been kept.
    Result<Done> save_all(const std::filesystem::path& folder);
    bool has_unsaved() const;
    // A run that was saved stands beside the others, paused, and is looked at.
    Result<Done> open(const std::filesystem::path& folder);
    // The runs that are remembered in this folder appear by and by, paused; those that are there in the end
    // are remembered for the next time. While they change they are written about twice a second (poll).
    void remember_in(const std::filesystem::path& folder);
    // Waits for the step that is being made, and writes what is to be remembered. Nothing trains and nothing
    // is remembered any more afterwards. The Errors of runs that could not be written.
    std::vector<Error> close();

    // Takes what the trainer has told. True when there was anything.
    bool poll();
    // What went wrong since it was last asked.
    std::vector<Error> take_troubles();

private:
    Run* looked_at();
    Error no_run(const std::string& called) const;
    Result<Run*> add_run(std::unique_ptr<Run> run);
    Result<std::unique_ptr<Run>> new_run(const ModelFiles* on_screen);
    std::unique_ptr<Run> empty_run(Index first_step);
    RunWorker& worker_for(Run& run);
    void retire_worker();
    void choose(TrainingSettings settings);
    void settle_in(Run& run);
    void put_away(std::size_t number);
    void finish_step(Run& run);
    void adopt(KeptRuns::Remembered remembered);
    void keep_remembered();
    bool is_taken(const std::string& name) const;

    const std::filesystem::path assets_;
    TrainingSettings settings_; // all else of what would be trained follows from them
    std::optional<double> pace_ = 0;
    std::shared_ptr<const PairReading> reading_;
    std::shared_ptr<const OwnFileReading> own_file_;
    std::vector<std::unique_ptr<Run>> runs_;
    std::size_t looked_at_ = 0;
    Index runs_numbered_ = 0; // the highest number that a run has had
    struct Deleted {
        std::unique_ptr<Run> run;
        std::size_t place;
    };
    std::vector<Deleted> deleted_; // the latest last
    std::vector<Error> troubles_;

    std::unique_ptr<KeptRuns> kept_;   // none: nothing is remembered
    bool told_not_remembered_ = false; // that it cannot be written: told once

    struct Work {
        const Run* run;
        std::unique_ptr<RunWorker> worker;
    };
    Work present_{nullptr, nullptr};
    std::vector<Work> ending_; // told to end, and not yet waited for
};

} // namespace headlight
