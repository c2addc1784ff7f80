// The trainer, beside the window: it alone owns the model in training. It prepares one run, trains when it is
// told to, and puts what happens into the run's channel.
#pragma once

#include "app/live/pair_reading.h"
#include "app/live/run_channel.h"
#include "app/live/training_settings.h"
#include "engine/base/background.h"
#include "engine/base/stopwatch.h"
#include "engine/io/model_folder.h"
#include "engine/train/training_run.h"

#include <atomic>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>

namespace headlight {

// What the window knows of a run beside its weights.
std::shared_ptr<RunModel> run_model_of(const TrainingRun& run);
StepPoint point_of(const StepResult& step); // what is finite stays finite

// Going on from a checkpoint of an earlier run, or of this one.
struct GoOnFrom {
    std::shared_ptr<const RunModel> model;
    Checkpoint checkpoint; // its weights are taken
    // Without Adam's moments of its own: the last checkpoint before it that has them, and the settings with
    // which the steps from there are repeated.
    std::optional<Checkpoint> whole;
    TrainingSettings settings_then;
};

// Where a run begins: with `go_on`, else with `on_screen`, else with random weights.
struct RunPlan {
    TrainingSettings settings;
    std::filesystem::path assets;               // for the tasks' grammars
    std::shared_ptr<const PairReading> reading; // of own pairs
    std::optional<ModelFiles> on_screen;
    std::optional<GoOnFrom> go_on;
    double seconds = 0;                                         // trained before
    double best_loss = std::numeric_limits<double>::infinity(); // held-out, until then
};

class RunWorker {
public:
    // Prepares the run at once; its first checkpoint is that before the first step.
    RunWorker(RunPlan plan, std::shared_ptr<RunChannel> channel);
    // After the step that is being made; the newest checkpoint is in the channel then.
    ~RunWorker();
    RunWorker(const RunWorker&) = delete;
    RunWorker& operator=(const RunWorker&) = delete;

    struct Order {
        Index steps = 0;        // to take; 0: until told. Added to those that a going order has left.
        Index last_step = 0;    // of the run; 0: none
        double until_exact = 0; // held-out exact match that ends it; 0: none
    };
    // Returns the number of the order: the pause that ends it has the same.
    unsigned long go(const Order& order);
    void pause();
    void set_pace(double steps_a_second); // 0: as fast as it goes
    // A step that is waited for (set_pace) is made when it is time: whoever looks asks now and then.
    void wake_when_due() { work_.wake(); }
    void wake_for_examples(); // the channel has been asked for some, and no step is being made
    void end();               // begins what the destructor waits for
    bool has_ended() const { return has_ended_; }

private:
    struct Standing : Order {
        bool going = false;
        unsigned long number = 0;
    };

    // An order that is being carried out.
    struct Steps {
        Steps() {}                 // clang does not see that it can be made before this class is whole
        double seconds_before = 0; // trained then
        Stopwatch clock;
        Standing order;
        Index taken = 0;                        // since the order was looked at: none before the first
        bool is_within = false, judges = false; // a step that is begun; one that is made is judged
        Index step = 0;                         // the last
        double due = 0;                         // on the clock: when the next may begin
        bool is_early = false;
    };

    Portion work();
    Portion begin_run();
    Portion look_for_order();
    Portion end_work();
    Result<std::unique_ptr<TrainingRun>> prepare();
    Result<std::unique_ptr<TrainingRun>> begin(const TrainingSettings& settings, ModelFiles* model);
    Result<std::unique_ptr<TrainingRun>> go_on(const GoOnFrom& from);
    Result<std::unique_ptr<Task>> make_task_of(const TrainingSettings& settings);
    bool owes_examples(const TrainingRun& run) const;
    bool is_early(Steps& steps) const;
    std::optional<PauseReason> count_step(Standing& order, Index taken);
    std::optional<Pause> take_step(TrainingRun& run);
    std::optional<Pause> judge_step(TrainingRun& run);
    void rest(TrainingRun& run, Pause pause);
    void show(TrainingRun& run);
    void show_examples(TrainingRun& run);

    RunPlan plan_;
    const std::shared_ptr<RunChannel> channel_;
    std::shared_ptr<const RunModel> model_;
    std::unique_ptr<TrainingRun> run_; // once it is prepared
    std::optional<Steps> steps_;
    std::unique_ptr<Model> watch_; // for examples
    double seconds_ = 0, best_loss_ = 0;
    double last_snapshot_ = 0, last_examples_ = 0; // seconds_ then
    Index step_of_examples_ = -1;

    std::mutex mutex_;
    Standing order_;
    bool is_at_work_ = false; // on the order, or on the one before
    std::atomic<bool> ending_ = false, has_ended_ = false;
    std::atomic<double> pace_ = 0;
    BackgroundWork work_; // the last: everything it touches is there before it
};

} // namespace headlight
