// A race: several kinds of models of about equal size learn to remember over a distance. Recurrent networks
// swing with the learning rate, so an honest comparison tries several for each of them, at each distance, and
// repeats the best one with other seeds (Hochreiter & Schmidhuber 1997, §5; Greff et al. 2017, §5).
#pragma once

#include "engine/train/training_run.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

// Who may run: "rnn", "lstm", "gru", "rnn-fixed", "rnn-attention" (of one recurrent layer each), and
// "transformer-1", "transformer-2": decoders alone of one and two layers.
const std::vector<std::string>& racer_names();
// Who runs a race of norms: "layer-norm" and "batch-norm", one layer of encoder and one of decoder, which
// begin with the same weights and read the same batches. These can copy and reverse as well.
const std::vector<std::string>& norm_racer_names();
const std::vector<std::string>& race_task_names(); // memory_task_names(), "copy" and "reverse"

struct RacePlan {
    std::string task = "recall"; // of memory_task_names(); of norms, of race_task_names()
    std::vector<Index> distances{10};
    std::vector<std::string> models{"rnn", "lstm", "transformer-1"}; // of racer_names() or norm_racer_names()
    std::vector<double> rates{0.002, 0.005, 0.01}; // peaks of the learning rate, tried with the first seed
    Index seeds = 1;                               // with which the best rate is trained, from 1
    Index parameters = 20'000;                     // about so many numbers in each model
    Index steps = 600;                             // at most
    Index batch_size = 32;
    Index record_every = 25; // steps
    double learnt_at = 0.99; // accuracy with which a training ends: it has learned
    bool operator==(const RacePlan&) const = default;
};
// Errors: nothing to run, unknown names, numbers out of range (error.race_plan {which, what was given}).
Result<Done> check_race(const RacePlan& plan);

// One training of the race.
struct RaceEntry {
    std::string model;
    Index distance = 0;
    double rate = 0;
    std::uint64_t seed = 1;
    bool operator==(const RaceEntry&) const = default;
};

struct RaceCheckpoint {
    Index step = 0;
    double loss = 0;     // mean over the steps since the last checkpoint, nats a word
    double accuracy = 0; // share of held-out sentences that are answered rightly
    double seconds = 0;  // that the thread worked on steps up to here; judging is not counted
    // The whole judgement; and with batch norm that by each batch of held-out sentences instead of by what
    // training kept. Not written into files.
    Evaluation held_out = {};
    std::optional<Evaluation> by_batch = {};
};

struct RaceResult {
    RaceEntry entry;
    Index parameters = 0, d_model = 0; // that the model really has
    std::vector<RaceCheckpoint> checkpoints;
    bool is_finite = true; // false: loss or gradient overflowed, and the training ended
    bool is_over = false;

    Index steps() const { return checkpoints.empty() ? 0 : checkpoints.back().step; }
    double accuracy() const { return checkpoints.empty() ? 0 : checkpoints.back().accuracy; } // the last
    double seconds() const { return checkpoints.empty() ? 0 : checkpoints.back().seconds; }
    double seconds_a_step() const { return steps() > 0 ? seconds() / double(steps()) : 0; }
    bool has_learnt(const RacePlan& plan) const { return is_over && accuracy() >= plan.learnt_at; }
};

// What is known of a race, finished or not. Everything but the seconds is the same on any machine with the
// same arithmetic, however often it was stopped.
struct Race {
    RacePlan plan;
    std::string line; // the terminal's, that made it; empty: made in the window
    std::vector<RaceResult> results;

    const RaceResult* find(const RaceEntry& entry) const; // null: it has not run
    // The rate that did best with the first seed at this distance: the highest accuracy, then the fewest
    // steps, then the lower rate. Nothing as long as not all have run.
    std::optional<double> best_rate(const std::string& model, Index distance) const;
    // Those with the best rate, by seed; none before it is known.
    std::vector<const RaceResult*> best(const std::string& model, Index distance) const;
    // What is to be run next: distance by distance, model by model (or of one model alone), all rates with
    // the first seed, then the best rate with the others. Nothing when all is done.
    std::optional<RaceEntry> next(std::string_view of_model = {}) const;
    // Whether this one, with the first seed, did better than those with other rates that have run.
    bool is_best_so_far(const RaceResult& result) const;
    // How many trainings there are in all; how many of them are over.
    Index entries() const;
    Index done() const { return Index(results.size()); }
};

// The mean over seeds of what a model has done at a distance with its best rate.
struct RaceScore {
    Index seeds = 0;     // that have run; 0: nothing is known
    double accuracy = 0; // mean, and the seeds' lowest and highest
    double low = 0, high = 0;
    Index learnt = 0;          // seeds that have learned it
    double steps = 0;          // mean until it was learned, of those that have
    double seconds = 0;        // the same in time
    double seconds_a_step = 0; // mean of all
};
RaceScore score_of(const Race& race, const std::string& model, Index distance);

// One training, step by step: between two of them it may rest as long as it likes.
class RaceTraining {
public:
    // Errors: those of TrainingRun::begin. One thread.
    static Result<std::unique_ptr<RaceTraining>> begin(const RacePlan& plan, const RaceEntry& entry,
                                                       const std::string& assets);
    // Steps, and now and then judges; false when it is over.
    bool step();
    const RaceResult& result() const { return result_; }
    Index steps() const { return run_->steps(); }
    TrainingRun& run() { return *run_; }
    const ModelFiles& model() const { return run_->model(); }

private:
    RaceTraining(const RacePlan& plan, std::unique_ptr<TrainingRun> run, RaceEntry entry);
    void judge();

    const RacePlan plan_;
    std::unique_ptr<TrainingRun> run_;
    RaceResult result_;
    double loss_ = 0, seconds_ = 0;
};

// --- as text: JSON lines, the first the plan, each other a result ------------------------------------------

// The terminal's line that makes such a race, with every setting in it: "headlight race --task recall …".
std::string race_command(const RacePlan& plan);
std::string race_line(const RacePlan& plan, const std::string& line);
std::string race_line(const RaceResult& result, const RacePlan& plan);
std::string race_text(const Race& race);
// A last line that was not written to its end is passed over. Errors: no race, or a line that is none of it
// (error.race_line {file, line}).
Result<Race> read_race(std::string_view text, const std::string& file);
Result<Race> read_race_file(const std::filesystem::path& file);

} // namespace headlight
