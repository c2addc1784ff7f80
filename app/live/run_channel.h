// What passes between the trainer's thread and the window's. The trainer adds, the window takes; neither ever
// waits for more than the copying of a pointer.
#pragma once

#include "app/live/held_out_examples.h"
#include "app/live/timeline.h"
#include "engine/base/result.h"
#include "engine/task/task.h"
#include "engine/text/tokenizer.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace headlight {

// What stays the same over a run: everything of its model but the weights.
struct RunModel {
    ModelConfig config;
    Tokenizer source, target;
    std::vector<SentencePair> held_out; // the first few
    Index training_pairs = 0;           // 0: drawn without end
    Index unknown_words = 0;            // of all pairs, occurrences
    bool held_out_is_training = false;  // too few pairs to hold any out
    std::shared_ptr<const Task> task;   // none of a run that was read, until it goes on
};

struct StepPoint {
    float loss, gradient_norm, learning_rate; // of one step; the norm before clipping
};

struct Judgement { // of the held-out pairs
    Index step = 0;
    double seconds = 0;                                   // of training until then, pauses not counted
    double loss = 0, token_accuracy = 0, exact_match = 0; // see Evaluation
    bool operator==(const Judgement&) const = default;
};

struct Snapshot {
    Index step = 0;
    SharedReals weights;
};

struct KeptCheckpoint {
    Index step = 0;
    bool whole = false;  // with Adam's moments: one goes on from it at once
    bool pinned = false; // stays however little memory there is
    bool operator==(const KeptCheckpoint&) const = default;
};

enum class PauseReason {
    told,       // by the person
    steps,      // so many were asked for
    exact,      // the goal was reached
    not_finite, // the next step would have been; nothing was updated
    failed      // see RunNews::error
};

struct Pause {
    unsigned long order = 0; // of RunWorker: the one that ended
    PauseReason reason = PauseReason::told;
    std::string where; // not_finite: the path of the first value, or gradient, that overflowed
};

// Everything since the window asked last.
struct RunNews {
    std::vector<StepPoint> steps;
    std::vector<Judgement> judged;
    std::shared_ptr<const RunModel> model; // once, when the run is prepared
    std::optional<Snapshot> newest;        // earlier ones that nobody took are gone
    std::optional<std::vector<JudgedExample>> examples;
    Index step_of_examples = -1;
    double silent_units = -1;                        // of the newest judgement; see Evaluation
    std::optional<std::vector<KeptCheckpoint>> kept; // all of them, when they are no longer the same
    Index kept_bytes = 0;                            // that they take
    std::optional<Pause> pause;
    std::optional<Error> error;
    double seconds = 0; // of training, up to now
};

class RunChannel {
public:
    RunChannel(Index first_step, Index budget) : timeline_(first_step, budget) {}

    // --- the trainer's side
    void add_step(const StepPoint& point, double seconds);
    void add_judgement(const Judgement& judgement, double silent_units);
    void add_examples(Index step, std::vector<JudgedExample> examples);
    // The run is there, and with it the checkpoint before its first step: who is told of one has the other.
    void prepared(std::shared_ptr<const RunModel> model, Checkpoint first);
    void publish(Snapshot snapshot);
    void pause(Pause pause);
    void fail(Error error, unsigned long order);
    bool wants_checkpoint(Index step) const;
    bool wants_optimizer(Index step) const;
    void keep(Checkpoint checkpoint);
    bool has_checkpoint(Index step) const;
    void set_best(Index step); // see Timeline
    // Whether the last snapshot, the last examples were taken: no work for a window that does not look.
    bool wants_snapshot() const { return wants_snapshot_; }
    bool wants_examples() const { return wants_examples_; }

    // --- the window's side
    RunNews take();
    void ask_for_examples() { wants_examples_ = true; }
    bool awaits_examples() const { return wants_examples_ || has_examples_; } // not yet taken
    void set_budget(Index bytes);
    void pin(Index step); // see Timeline
    void unpin(Index step);
    // The trainer keeps the next step, whole, whatever the timeline's rule says.
    void ask_for_checkpoint();
    // That step, once, when it was made and is no later than `step`.
    std::optional<Checkpoint> take_asked_checkpoint(Index step);
    std::vector<Checkpoint> checkpoints() const; // shares their numbers
    std::optional<Checkpoint> checkpoint_near(Index step) const;
    std::optional<Checkpoint> whole_checkpoint_before(Index step) const; // or of this very step

private:
    mutable std::mutex mutex_;
    RunNews news_;
    Timeline timeline_;
    bool timeline_changed_ = false, awaits_checkpoint_ = false;
    std::optional<Checkpoint> asked_checkpoint_; // the timeline need not keep it whole for long
    std::atomic<bool> wants_snapshot_ = true, wants_examples_ = false, has_examples_ = false;
};

} // namespace headlight
