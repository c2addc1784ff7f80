// A run of training from its first step to its last: a model, a task, the trainer, and what is reported of
// them. Kept in a model folder, it goes on later as if it had never stopped, bit for bit.
#pragma once

#include "engine/base/result.h"
#include "engine/io/model_folder.h"
#include "engine/task/task.h"
#include "engine/train/evaluate.h"
#include "engine/train/trainer.h"
#include "engine/train/training_state.h"

#include <atomic>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>

namespace headlight {

struct TrainingRecord {
    Index step = 0;
    double loss = 0;           // mean of the steps since the last record
    double token_accuracy = 0; // and exact_match: of the held-out pairs
    double exact_match = 0;
    double held_out_loss = 0;    // of them, without label smoothing
    double learning_rate = 0;    // of this step
    double gradient_norm = 0;    // likewise, before clipping
    double steps_per_second = 0; // since the last record, evaluation not counted
    double seconds = 0;          // since run() was called
};

struct RunLimits {
    Index last_step = 0;    // 0: no limit
    double until_exact = 0; // ends with the first record whose exact_match is this or more; 0: does not
    Index record_every = 0; // steps; 0: run.steps_between_records()
};

// What somebody wants of a new model, beyond its sizes.
struct ModelRequest {
    std::optional<Architecture> architecture = {}; // else the task's own
    Index parameters =
        0; // about as many numbers as these, by another d_model (and d_ff with it); 0: as it is
};

enum class RunEnd {
    last_step,
    exact,      // until_exact was reached
    told,       // the flag was raised
    not_finite, // loss or gradient overflowed in the next step; the weights are those of the last good one
};

class TrainingRun {
public:
    // A new model of these sizes; what kind it is, vocabularies (of at most max_words tokens, 0: all) and
    // max_length are made for the task. Errors: sizes that make no model.
    // `wish`: which of the models that can learn it, and how large.
    static Result<std::unique_ptr<TrainingRun>> begin(std::unique_ptr<Task> task, ModelConfig sizes,
                                                      Index max_words, TrainingState state,
                                                      ModelRequest request = {});
    // Goes on with a model as it is, one of our own families. Its moments are taken from `folder` when
    // state.step is not 0; when they do not belong to these weights, training goes on from step 0
    // (continues_exactly() is false). Errors: a pair of the task does not fit the model (encode_pair), or the
    // task wants another kind of model (task_of_other_model); damaged moments.
    static Result<std::unique_ptr<TrainingRun>> resume(std::unique_ptr<Task> task, ModelFiles model,
                                                       TrainingState state,
                                                       const std::filesystem::path& folder);
    // A task of classes with the encoder, and the words, of a model that reads and writes; from step 0, the
    // classifier being new. Errors: those of resume.
    static Result<std::unique_ptr<TrainingRun>>
    begin_with_encoder(std::unique_ptr<Task> task, const ModelFiles& model, TrainingState state);

    // Steps until a limit is reached or `stop` is raised, which is looked at between steps. `report`, and
    // `watch` with every step, are called on this thread.
    RunEnd run(const RunLimits& limits, const std::atomic<bool>& stop,
               const std::function<void(const TrainingRecord&)>& report,
               const std::function<void(const StepResult&)>& watch = {});
    // One step, for those who watch every single one. When the loss or the gradient norm is not finite
    // nothing was updated.
    StepResult step() { return trainer_->step(); }
    // For who watches beside other work: all of it where there are threads, else in portions, and nothing
    // until the last of them.
    std::optional<StepResult> step_portion();
    std::optional<Evaluation> evaluate_portion();
    void set_schedule(const Schedule& schedule); // of the steps to come; it is saved with the run
    // As it was after `step` steps. Weights and moments are laid out like Parameters::data(), of its size.
    void restore(Index step, std::span<const Real> weights, std::span<const Real> m, std::span<const Real> v);
    // After a step that was not finite: the path of the first value, or gradient, that overflowed in the step
    // that failed.
    std::string first_not_finite() const;
    // Writes the model folder and what is needed to go on: all of it, or, after an Error, nothing.
    Result<Done> save(const std::filesystem::path& folder, Index planned_steps);
    // The same as a part of a change that is not yet committed.
    Result<Done> write(FolderTransaction& to, Index planned_steps);

    Index steps() const { return trainer_->steps(); }
    bool continues_exactly() const { return continues_exactly_; }
    const Task& task() const { return *task_; }
    std::shared_ptr<const Task> shared_task() const { return task_; } // for who outlives the run
    const ModelFiles& model() const { return model_; }
    const Adam& adam() const { return trainer_->adam(); }
    const EncodedTask& encoded() const { return *encoded_; }
    // A graph of the model as it is now, without dropout, for decoding between steps.
    std::unique_ptr<Model> watch() { return build_transformer(model_.config, model_.parameters); }
    Evaluation evaluate() { return evaluator_->evaluate(encoded_->held_out(), trainer_->workers()); }
    // The same with batch norm by each batch of held-out pairs, not by what training kept.
    Evaluation evaluate_by_batches();
    // So many that evaluation takes less than a tenth of the time: a forward pass costs a third of a step.
    Index steps_between_records() const;

private:
    TrainingRun(std::unique_ptr<Task> task, ModelFiles model, TrainingState state);

    std::shared_ptr<const Task> task_;
    ModelFiles model_; // trainer and evaluator compute with its parameters
    TrainingState state_;
    std::unique_ptr<EncodedTask> encoded_;
    std::unique_ptr<Trainer> trainer_;
    std::unique_ptr<Evaluator> evaluator_, by_batches_; // the second once it is asked for
    bool continues_exactly_ = false;
};

} // namespace headlight
