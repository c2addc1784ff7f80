#include "engine/train/race.h"

#include "engine/base/lasting.h"
#include "engine/base/stopwatch.h"
#include "engine/task/tasks.h"
#include "engine/train/recipes.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace headlight {

namespace {

struct Racer {
    const char* name;
    Architecture architecture;
    Index layers;
    Norm norm = Norm::layer;
};
constexpr std::array racers = {
    Racer{"rnn", Architecture::rnn, 1},
    Racer{"lstm", Architecture::lstm, 1},
    Racer{"gru", Architecture::gru, 1},
    Racer{"rnn-fixed", Architecture::rnn_fixed, 1},
    Racer{"rnn-attention", Architecture::rnn_attention, 1},
    Racer{"transformer-1", Architecture::decoder_only, 1},
    Racer{"transformer-2", Architecture::decoder_only, 2},
};
constexpr std::array norm_racers = {
    Racer{"layer-norm", Architecture::encoder_decoder, 1, Norm::layer},
    Racer{"batch-norm", Architecture::encoder_decoder, 1, Norm::batch},
};

// Null of another name.
const Racer* racer_of(std::string_view name) {
    for (const std::span<const Racer> all :
         {std::span<const Racer>(racers), std::span<const Racer>(norm_racers)})
        for (const Racer& racer : all)
            if (racer.name == name) return &racer;
    return nullptr;
}

std::vector<std::string> names_of(std::span<const Racer> all) {
    std::vector<std::string> names;
    for (const Racer& racer : all) names.emplace_back(racer.name);
    return names;
}

template <class T>
bool has(const std::vector<T>& list, const T& one) {
    return std::find(list.begin(), list.end(), one) != list.end();
}

constexpr Index warmup = 50;      // steps
constexpr Index words_read = 128; // at least: trained models can be asked over other distances
constexpr std::uint64_t first_seed = 1;

// Whether `a` did better.
bool is_better(const RaceResult& a, const RaceResult& b, const RacePlan& plan) {
    if (a.has_learnt(plan) != b.has_learnt(plan)) return a.has_learnt(plan);
    if (a.has_learnt(plan) && a.steps() != b.steps()) return a.steps() < b.steps();
    if (a.accuracy() != b.accuracy()) return a.accuracy() > b.accuracy();
    return a.entry.rate < b.entry.rate;
}

TrainingState state_for(const RacePlan& plan, const RaceEntry& entry) {
    TrainingState state;
    state.task = plan.task;
    state.distance = entry.distance;
    state.options = recipe_for(plan.task).training;
    state.options.batch_size = plan.batch_size;
    state.options.schedule = {.peak = entry.rate, .warmup = warmup};
    state.options.seed = entry.seed;
    state.options.threads = 1; // several train side by side
    return state;
}

} // namespace

const std::vector<std::string>& racer_names() {
    static const std::vector<std::string>& names = lasting(names_of(racers));
    return names;
}

const std::vector<std::string>& norm_racer_names() {
    static const std::vector<std::string>& names = lasting(names_of(norm_racers));
    return names;
}

const std::vector<std::string>& race_task_names() {
    static const std::vector<std::string>& names = lasting([] {
        std::vector<std::string> all = memory_task_names();
        all.insert(all.end(), {"copy", "reverse"});
        return all;
    }());
    return names;
}

Result<Done> check_race(const RacePlan& plan) {
    const auto wrong = [](const char* what, std::string given) {
        return Error{"error.race_plan", {what, std::move(given)}};
    };
    const bool of_norms = std::all_of(plan.models.begin(), plan.models.end(), [](const std::string& model) {
        return has(norm_racer_names(), model);
    });
    if (!has(of_norms ? race_task_names() : memory_task_names(), plan.task)) return wrong("task", plan.task);
    if (plan.distances.empty()) return wrong("distances", "");
    for (const Index distance : plan.distances)
        if (distance < 0 || distance > longest_distance) return wrong("distances", std::to_string(distance));
    if (plan.models.empty()) return wrong("models", "");
    for (const std::string& model : plan.models)
        if (!racer_of(model)) return wrong("models", model);
    if (plan.rates.empty()) return wrong("rates", "");
    for (const double rate : plan.rates)
        if (!(rate > 0 && rate <= 1)) return wrong("rates", std::to_string(rate));
    const auto check = [&](const char* what, Index given, Index most) -> std::optional<Error> {
        if (given >= 1 && given <= most) return std::nullopt;
        return wrong(what, std::to_string(given));
    };
    for (const std::optional<Error>& error :
         {check("seeds", plan.seeds, 100), check("parameters", plan.parameters, 10'000'000),
          check("steps", plan.steps, 1'000'000), check("batch", plan.batch_size, 4096),
          check("record_every", plan.record_every, plan.steps)})
        if (error) return *error;
    return Done{};
}

// --- the order ---------------------------------------------------------------------------------------------

const RaceResult* Race::find(const RaceEntry& entry) const {
    for (const RaceResult& result : results)
        if (result.entry == entry) return &result;
    return nullptr;
}

std::optional<double> Race::best_rate(const std::string& model, Index distance) const {
    const RaceResult* best = nullptr;
    for (const double rate : plan.rates) {
        const RaceResult* result = find({model, distance, rate, first_seed});
        if (!result) return std::nullopt;
        if (!best || is_better(*result, *best, plan)) best = result;
    }
    return best ? std::optional(best->entry.rate) : std::nullopt;
}

bool Race::is_best_so_far(const RaceResult& result) const {
    if (result.entry.seed != first_seed) return false;
    return std::none_of(results.begin(), results.end(), [&](const RaceResult& other) {
        const bool is_rival = other.entry.seed == first_seed && other.entry.model == result.entry.model
                              && other.entry.distance == result.entry.distance && &other != &result;
        return is_rival && is_better(other, result, plan);
    });
}

std::vector<const RaceResult*> Race::best(const std::string& model, Index distance) const {
    std::vector<const RaceResult*> found;
    const std::optional<double> rate = best_rate(model, distance);
    for (Index i = 0; rate && i < plan.seeds; ++i)
        if (const RaceResult* result = find({model, distance, *rate, first_seed + std::uint64_t(i)}))
            found.push_back(result);
    return found;
}

std::optional<RaceEntry> Race::next(std::string_view of_model) const {
    for (const Index distance : plan.distances)
        for (const std::string& model : plan.models) {
            if (!of_model.empty() && model != of_model) continue;
            for (const double rate : plan.rates)
                if (RaceEntry entry{model, distance, rate, first_seed}; !find(entry)) return entry;
            const double rate = *best_rate(model, distance);
            for (Index i = 1; i < plan.seeds; ++i)
                if (RaceEntry entry{model, distance, rate, first_seed + std::uint64_t(i)}; !find(entry))
                    return entry;
        }
    return std::nullopt;
}

Index Race::entries() const {
    return Index(plan.distances.size() * plan.models.size()) * (Index(plan.rates.size()) + plan.seeds - 1);
}

RaceScore score_of(const Race& race, const std::string& model, Index distance) {
    RaceScore score;
    for (const RaceResult* result : race.best(model, distance)) {
        const double accuracy = result->accuracy();
        score.low = score.seeds == 0 ? accuracy : std::min(score.low, accuracy);
        score.high = std::max(score.high, accuracy);
        score.accuracy += accuracy;
        score.seconds_a_step += result->seconds_a_step();
        ++score.seeds;
        if (!result->has_learnt(race.plan)) continue;
        ++score.learnt;
        score.steps += double(result->steps());
        score.seconds += result->seconds();
    }
    if (score.seeds > 0) score.accuracy /= double(score.seeds), score.seconds_a_step /= double(score.seeds);
    if (score.learnt > 0) score.steps /= double(score.learnt), score.seconds /= double(score.learnt);
    return score;
}

// --- a training --------------------------------------------------------------------------------------------

RaceTraining::RaceTraining(const RacePlan& plan, std::unique_ptr<TrainingRun> run, RaceEntry entry)
    : plan_(plan), run_(std::move(run)) {
    result_.entry = std::move(entry);
    result_.parameters = model().parameters.learned();
    result_.d_model = model().config.d_model;
}

Result<std::unique_ptr<RaceTraining>> RaceTraining::begin(const RacePlan& plan, const RaceEntry& entry,
                                                          const std::string& assets) {
    const Racer& racer = *racer_of(entry.model);
    ModelConfig sizes = recipe_for(plan.task).sizes;
    sizes.encoder_layers = sizes.decoder_layers = racer.layers;
    sizes.norm = racer.norm;
    sizes.dropout = 0;
    sizes.max_length = words_read;
    const TrainingState state = state_for(plan, entry);
    Result<std::unique_ptr<Task>> task = make_task_of(state, assets);
    if (!task) return task.error();
    Result<std::unique_ptr<TrainingRun>> run =
        TrainingRun::begin(*std::move(task), sizes, 0, state, {racer.architecture, plan.parameters});
    if (!run) return run.error();
    return std::unique_ptr<RaceTraining>(new RaceTraining(plan, *std::move(run), entry));
}

bool RaceTraining::step() {
    if (result_.is_over) return false;
    const ThreadStopwatch watch; // its only thread is this one
    const StepResult step = run_->step();
    seconds_ += watch.seconds();
    if (!std::isfinite(step.loss) || !std::isfinite(step.gradient_norm)) {
        result_.is_finite = false;
        result_.is_over = true;
        return false;
    }
    loss_ += step.loss;
    if (step.step % plan_.record_every == 0 || step.step == plan_.steps) judge();
    return !result_.is_over;
}

void RaceTraining::judge() {
    const Index step = run_->steps(), since = step - result_.steps();
    const Evaluation held_out = run_->evaluate();
    RaceCheckpoint checkpoint{step, loss_ / double(since), held_out.exact_match, seconds_, held_out, {}};
    if (model().config.norm == Norm::batch) checkpoint.by_batch = run_->evaluate_by_batches();
    result_.checkpoints.push_back(std::move(checkpoint));
    loss_ = 0;
    result_.is_over = step >= plan_.steps || result_.accuracy() >= plan_.learnt_at;
}

} // namespace headlight
