#include "engine/train/training_run.h"

#include "engine/base/check.h"
#include "engine/base/giving_up.h"
#include "engine/base/stopwatch.h"
#include "engine/base/threads.h"
#include "engine/io/model_folder.h"
#include "engine/model/parameters.h"
#include "engine/model/transformer.h"
#include "engine/train/trainer.h"

#include <algorithm>
#include <cmath>

namespace headlight {

namespace {

std::string name_of(const ModelConfig& config) {
    if (config.is_recurrent()) return architecture_name(config.architecture);
    return config.architecture == Architecture::decoder_only      ? "decoder-only"
           : config.architecture == Architecture::encoder_decoder ? "encoder-decoder"
           : config.sorts()                                       ? "encoder-only, classes"
                                                                  : "encoder-only, tokens";
}

ModelConfig with_learner(ModelConfig config, Learner learner) {
    config.architecture = learner.architecture;
    config.head = learner.head;
    config.labels = std::move(learner.labels);
    return config;
}

// Whether a model of this kind can learn the task: those who only write stand in for one another, as do those
// who read and answer.
bool can_learn(const Task& task, const ModelConfig& config) {
    const Learner learner = task.learner();
    const ModelConfig wanted = with_learner(config, learner);
    if (wanted.architecture == config.architecture) return wanted.sorts() == config.sorts();
    if (config.architecture == Architecture::encoder_only
        || wanted.architecture == Architecture::encoder_only)
        return false;
    return wanted.has_encoder() == config.has_encoder() || task.is_for_readers_too();
}

// The width with which the model has about as many numbers as asked for.
ModelConfig with_parameters(ModelConfig config, Index wanted) {
    const Index heads = config.is_recurrent() ? 1 : config.num_heads;
    const double ff = double(config.d_ff) / double(config.d_model);
    const auto sized = [&](Index d_k) {
        config.d_model = heads * d_k;
        config.d_ff = std::max<Index>(1, Index(std::llround(ff * double(config.d_model))));
        return settled(config);
    };
    const auto count = [&](Index d_k) { return list_parameters(sized(d_k)).learned(); };
    Index d_k = 1;
    while (count(d_k) < wanted && heads * d_k < 16'384) ++d_k;
    if (d_k > 1 && wanted - count(d_k - 1) < count(d_k) - wanted) --d_k;
    return sized(d_k);
}

// In tokens, </s> among them, of what is read or said in one go.
Index longest_of(const Task& task) {
    const std::size_t source = task.longest_source(), target = task.longest_target();
    const bool goes_on = task.learner().architecture == Architecture::decoder_only; // or may
    return Index(goes_on ? source + target : std::max(source, target)) + 1;
}

// What reads in a model that reads and writes, with a classifier that has learnt nothing yet: what its
// encoder knows of words by translating them, opinions need not teach again.
ModelFiles encoder_of(const ModelFiles& model, Learner learner, std::uint64_t seed) {
    const ModelConfig config = settled(with_learner(model.config, std::move(learner)));
    ModelFiles alone{config, declare_parameters(config), model.source, model.source};
    initialise(alone.parameters, config, seed);
    for (const Parameter& p : alone.parameters.list()) {
        const Parameter* before = model.parameters.find(p.name); // of the embeddings
        if (!before) before = model.parameters.find("transformer." + p.name);
        if (before && before->size() == p.size())
            std::copy_n(model.parameters.values(*before), p.size(), alone.parameters.data() + p.offset);
    }
    return alone;
}

// The first pair that does not fit the model, or that it is of another kind altogether.
std::optional<Error> find_unfit(const Task& task, const ModelFiles& model) {
    const ModelConfig& config = model.config;
    const ModelConfig wanted = with_learner(config, task.learner());
    if (model.family || !can_learn(task, config))
        return Error{"error.task_of_other_model",
                     {std::string(task.name()), name_of(wanted), model.family ? "—" : name_of(config)}};
    for (const auto* pairs : {&task.all_training(), &task.held_out()})
        for (const SentencePair& pair : *pairs) {
            give_up_if_told();
            if (const auto encoded =
                    encode_pair(pair, {model.source, model.target}, config, task.target_ends());
                !encoded)
                return encoded.error();
        }
    if (const Index drawn = longest_of(task); !task.is_finite() && drawn > config.max_length)
        return Error{"error.pair_longer_than_model",
                     {std::string(task.name()), std::to_string(drawn), std::to_string(config.max_length)}};
    return std::nullopt;
}

} // namespace

TrainingRun::TrainingRun(std::unique_ptr<Task> task, ModelFiles model, TrainingState state)
    : task_(std::move(task)), model_(std::move(model)), state_(std::move(state)) {
    encoded_ = std::make_unique<EncodedTask>(*task_, Tokenizers{model_.source, model_.target}, model_.config);
    trainer_ = std::make_unique<Trainer>(model_.config, model_.parameters, *encoded_, state_.options);
    evaluator_ = std::make_unique<Evaluator>(model_.config, model_.parameters);
}

Result<std::unique_ptr<TrainingRun>> TrainingRun::begin(std::unique_ptr<Task> task, ModelConfig config,
                                                        Index max_words, TrainingState state,
                                                        ModelRequest request) {
    Tokenizers tokenizers = make_tokenizers(*task, max_words);
    config.source_vocab_size = tokenizers.source.vocabulary().size();
    config.target_vocab_size = tokenizers.target.vocabulary().size();
    config.max_length = std::max(config.max_length, longest_of(*task));
    config = with_learner(std::move(config), task->learner());
    if (request.architecture) {
        const std::string own = name_of(config);
        config.architecture = *request.architecture;
        if (!can_learn(*task, config))
            return Error{"error.task_of_other_model", {std::string(task->name()), own, name_of(config)}};
    }
    // Byte pairs of sentence pairs are one vocabulary of both languages.
    if (config.architecture == Architecture::encoder_decoder && task->tokenizer_kind() == TokenizerKind::bpe)
        config.tie_embeddings = true;
    config = settled(std::move(config));
    if (request.parameters > 0) config = with_parameters(std::move(config), request.parameters);
    if (const Result<Done> checked = check_config(config, std::string(task->name())); !checked)
        return checked.error();
    Parameters parameters = declare_parameters(config);
    initialise(parameters, config, state.options.seed);
    ModelFiles model{config, std::move(parameters), std::move(tokenizers.source),
                     std::move(tokenizers.target)};
    state.step = 0;
    return std::unique_ptr<TrainingRun>(new TrainingRun(std::move(task), std::move(model), std::move(state)));
}

Result<std::unique_ptr<TrainingRun>>
TrainingRun::begin_with_encoder(std::unique_ptr<Task> task, const ModelFiles& model, TrainingState state) {
    state.step = 0;
    ModelFiles alone = encoder_of(model, task->learner(), state.options.seed);
    return resume(std::move(task), std::move(alone), std::move(state), {});
}

Result<std::unique_ptr<TrainingRun>> TrainingRun::resume(std::unique_ptr<Task> task, ModelFiles model,
                                                         TrainingState state,
                                                         const std::filesystem::path& folder) {
    if (model.family) return Error{"error.training_other_family", {}};
    if (const auto error = find_unfit(*task, model)) return *error;
    std::unique_ptr<TrainingRun> run(new TrainingRun(std::move(task), std::move(model), std::move(state)));
    if (run->state_.step > 0) {
        const Result<bool> restored =
            restore_optimizer(folder, run->model_.parameters, run->state_, run->trainer_->adam());
        if (!restored) return restored.error();
        run->continues_exactly_ = *restored;
    }
    return run;
}

void TrainingRun::set_schedule(const Schedule& schedule) {
    state_.options.schedule = schedule;
    trainer_->set_schedule(schedule);
}

Index TrainingRun::steps_between_records() const {
    const Index held_out = Index(encoded_->held_out().size());
    const Index enough = 10 * held_out / (3 * state_.options.batch_size) + 1;
    return std::max<Index>(20, (enough + 9) / 10 * 10);
}

RunEnd TrainingRun::run(const RunLimits& limits, const std::atomic<bool>& stop,
                        const std::function<void(const TrainingRecord&)>& report,
                        const std::function<void(const StepResult&)>& watch) {
    const Index every = limits.record_every > 0 ? limits.record_every : steps_between_records();
    const Stopwatch since_start;
    Stopwatch since_record;
    double loss = 0;
    Index steps_since_record = 0;
    while (limits.last_step == 0 || steps() < limits.last_step) {
        if (stop) return RunEnd::told;
        const StepResult step = trainer_->step();
        if (!std::isfinite(step.loss) || !std::isfinite(step.gradient_norm)) return RunEnd::not_finite;
        if (watch) watch(step);
        loss += step.loss;
        ++steps_since_record;
        if (step.step % every != 0 && step.step != limits.last_step) continue;

        const double seconds = since_record.seconds();
        const Evaluation judged = evaluate();
        report({.step = step.step,
                .loss = loss / double(steps_since_record),
                .token_accuracy = judged.token_accuracy,
                .exact_match = judged.exact_match,
                .held_out_loss = judged.loss,
                .learning_rate = step.learning_rate,
                .gradient_norm = step.gradient_norm,
                .steps_per_second = double(steps_since_record) / std::max(seconds, 1e-9),
                .seconds = since_start.seconds()});
        if (limits.until_exact > 0 && judged.exact_match >= limits.until_exact) return RunEnd::exact;
        since_record = {};
        loss = 0;
        steps_since_record = 0;
    }
    return RunEnd::last_step;
}

std::optional<StepResult> TrainingRun::step_portion() {
    return has_threads() ? trainer_->step() : trainer_->step_portion();
}

std::optional<Evaluation> TrainingRun::evaluate_portion() {
    return has_threads() ? evaluate() : evaluator_->evaluate_portion(encoded_->held_out());
}

void TrainingRun::restore(Index step, std::span<const Real> weights, std::span<const Real> m,
                          std::span<const Real> v) {
    HEADLIGHT_CHECK(Index(weights.size()) == model_.parameters.count(),
                    std::to_string(weights.size()) + " weights for a model of "
                        + std::to_string(model_.parameters.count()));
    std::copy(weights.begin(), weights.end(), model_.parameters.data());
    trainer_->adam().restore(step, m, v);
}

Evaluation TrainingRun::evaluate_by_batches() {
    if (!by_batches_)
        by_batches_ = std::make_unique<Evaluator>(model_.config, model_.parameters, 8, nullptr,
                                                  JudgedBy{.batch_statistics = true});
    return by_batches_->evaluate(encoded_->held_out(), trainer_->workers());
}

std::string TrainingRun::first_not_finite() const {
    for (Index shard = 0; shard < trainer_->shards(); ++shard)
        if (const auto found = headlight::first_not_finite(trainer_->graph(shard))) return to_string(*found);
    return "‖∂loss/∂w‖"; // each gradient is finite, the sum of their squares is not
}

Result<Done> TrainingRun::save(const std::filesystem::path& folder, Index planned_steps) {
    Result<FolderTransaction> to = FolderTransaction::begin(folder);
    if (!to) return to.error();
    const Result<Done> written = write(*to, planned_steps);
    return written ? to->commit() : written;
}

Result<Done> TrainingRun::write(FolderTransaction& to, Index planned_steps) {
    state_.step = steps();
    state_.planned = planned_steps;
    const Result<Done> written =
        write_model(to, model_.config, model_.parameters, model_.source, model_.target, state_.stored);
    if (!written) return written;
    return write_training_state(to, state_, model_.parameters, trainer_->adam());
}

} // namespace headlight
