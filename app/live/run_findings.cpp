#include "app/live/run_findings.h"

#include "app/live/run.h"

#include <algorithm>
#include <cmath>

namespace headlight {

namespace {

constexpr std::size_t block = 50; // steps whose mean loss is one number
constexpr double pairs_judged = 200;

double mean_loss(std::span<const StepPoint> steps) {
    double sum = 0;
    for (const StepPoint& step : steps) sum += double(step.loss);
    return sum / double(std::max<std::size_t>(1, steps.size()));
}

// Of the training, about the step; of the newest steps where it lies at their end.
double loss_about(const RunMetrics& metrics, Index step) {
    const auto size = metrics.steps.size(), length = std::min(block, size);
    const Index last =
        std::clamp<Index>(step - metrics.first_step + Index(block / 2), Index(length), Index(size));
    return mean_loss(metrics.steps.subspan(std::size_t(last) - length, length));
}

double lowest_block(std::span<const StepPoint> steps) {
    double lowest = mean_loss(steps.first(block));
    for (std::size_t first = block; first + block <= steps.size(); first += block)
        lowest = std::min(lowest, mean_loss(steps.subspan(first, block)));
    return lowest;
}

// The loss is far above what guessing costs, or rose far above what it was.
std::optional<RunFinding> is_too_fast(const RunMetrics& metrics) {
    if (metrics.not_finite)
        return RunFinding{RunSign::too_fast, 0,
                          metrics.steps.empty() ? 0 : double(metrics.steps.back().loss)};
    if (metrics.steps.size() < 2 * block) return {};
    const double now = mean_loss(metrics.steps.last(block));
    const bool is_far_above = now > 1.5 * metrics.chance + 0.5;
    const bool rose =
        metrics.steps.size() >= 4 * block && now > 2 * lowest_block(metrics.steps) + 0.3 * metrics.chance;
    if (!is_far_above && !rose) return {};
    return RunFinding{RunSign::too_fast, 0, now};
}

// Held-out loss rises while training's falls, and no more sentences come out right.
std::optional<RunFinding> overfits(const RunMetrics& metrics) {
    const std::span<const Judgement> judged = metrics.judged;
    if (metrics.judged_on_training || judged.size() < 5 || metrics.steps.size() < 2 * block) return {};
    const auto best = std::min_element(judged.begin(), judged.end(),
                                       [](const auto& a, const auto& b) { return a.loss < b.loss; });
    if (judged.end() - best < 4) return {};
    double now = judged.back().loss;
    for (const Judgement& one : judged.last(3)) now = std::min(now, one.loss);
    const bool falls = loss_about(metrics, metrics.step()) < loss_about(metrics, best->step);
    const bool learns = judged.back().exact_match > best->exact_match + 0.02;
    if (!falls || learns || now < 1.2 * best->loss + 0.05 * metrics.chance) return {};
    return RunFinding{RunSign::overfitting, best->step, best->loss, judged.back().loss};
}

std::optional<RunFinding> is_at_chance(const RunMetrics& metrics) {
    constexpr std::size_t long_enough = 400;
    if (metrics.steps.size() < long_enough || metrics.step() < metrics.warmup * 3 / 2) return {};
    const double now = mean_loss(metrics.steps.last(2 * block));
    if (now < 0.97 * metrics.chance) return {};
    return RunFinding{RunSign::chance, 0, now};
}

// Once is enough: of few pairs the share goes up and down.
bool is_reached(const RunMetrics& metrics) {
    return metrics.goal_exact > 0
           && std::any_of(metrics.judged.begin(), metrics.judged.end(),
                          [&](const Judgement& one) { return one.exact_match >= metrics.goal_exact; });
}

// The best of some judgements: least loss, most that is right.
Judgement best_of(std::span<const Judgement> judged) {
    Judgement best = judged.front();
    for (const Judgement& one : judged) {
        best.loss = std::min(best.loss, one.loss);
        if (one.exact_match > best.exact_match) best.exact_match = one.exact_match, best.step = one.step;
    }
    return best;
}

// Neither loss moves any more, nor what is right; and something is left to be learned.
std::optional<RunFinding> stands_still(const RunMetrics& metrics) {
    constexpr std::size_t long_enough = 1000, judgements = 8;
    const std::size_t size = metrics.steps.size(), judged = metrics.judged.size();
    if (size < long_enough || judged < judgements || is_reached(metrics)) return {};
    const double before = mean_loss(metrics.steps.subspan(size / 2, size / 4)),
                 now = mean_loss(metrics.steps.subspan(size * 3 / 4));
    const Judgement earlier = best_of(metrics.judged.first(judged / 2)),
                    later = best_of(metrics.judged.subspan(judged / 2));
    const bool moves = now < 0.99 * before || later.loss < 0.99 * earlier.loss
                       || later.exact_match > earlier.exact_match + 0.01;
    if (moves || later.loss < 0.02 * metrics.chance) return {};
    return RunFinding{RunSign::plateau, metrics.judged[judged / 2].step, now};
}

// For half of its time no more sentences came out right than before, and the goal is not reached.
std::optional<RunFinding> goal_recedes(const RunMetrics& metrics) {
    constexpr std::size_t judgements = 12;
    const std::size_t judged = metrics.judged.size();
    if (metrics.goal_exact <= 0 || judged < judgements || is_reached(metrics)) return {};
    const Judgement earlier = best_of(metrics.judged.first(judged / 2)),
                    later = best_of(metrics.judged.subspan(judged / 2));
    const bool learns = later.exact_match > earlier.exact_match + 0.005 || later.loss < 0.95 * earlier.loss;
    constexpr double almost = 0.05; // of few pairs one more or less
    if (learns || earlier.exact_match <= 0 || earlier.exact_match > metrics.goal_exact - almost) return {};
    return RunFinding{RunSign::recedes, earlier.step, earlier.exact_match};
}

} // namespace

RunMetrics metrics_of(const Run& run) {
    RunMetrics metrics;
    metrics.steps = run.steps;
    metrics.first_step = run.first_step;
    metrics.judged = run.judged;
    metrics.chance = run.model ? chance_loss(*run.model) : 0;
    metrics.warmup = run.settings.options.schedule.warmup;
    metrics.judged_on_training = run.model && run.model->held_out_is_training;
    metrics.goal_exact = run.settings.goal_exact;
    metrics.silent_units = run.silent_units;
    metrics.not_finite = !run.training && run.pause && run.pause->reason == PauseReason::not_finite;
    return metrics;
}

std::vector<RunFinding> find_signs(const RunMetrics& metrics) {
    std::vector<RunFinding> found;
    const auto add = [&](const std::optional<RunFinding>& one) {
        if (one) found.push_back(*one);
    };
    if (metrics.chance <= 0) return found;
    add(is_too_fast(metrics));
    constexpr double most_silent = 0.5;
    if (metrics.silent_units >= most_silent) found.push_back({RunSign::silent, 0, metrics.silent_units});
    add(overfits(metrics));
    if (metrics.judged_on_training && !metrics.judged.empty() && metrics.judged.back().exact_match >= 0.99)
        found.push_back({RunSign::memorised});
    if (found.empty()) add(is_at_chance(metrics));
    if (found.empty()) add(stands_still(metrics));
    if (found.empty()) add(goal_recedes(metrics));
    return found;
}

std::optional<double> steps_to_exact(std::span<const Judgement> judged, double goal) {
    constexpr std::size_t most = 5, least = 2;
    const std::size_t length = std::min(most, judged.size() / 2);
    if (goal <= 0 || length < least) return {};
    const auto mean = [](std::span<const Judgement> some) {
        Judgement all;
        double step = 0;
        for (const Judgement& one : some) all.exact_match += one.exact_match, step += double(one.step);
        return std::pair(step / double(some.size()), all.exact_match / double(some.size()));
    };
    const auto [step, now] = mean(judged.last(length));
    const auto [step_before, before] = mean(judged.last(2 * length).first(length));
    // How far two such means lie apart by chance alone.
    const double noise = std::sqrt(std::max(now * (1 - now), 1e-4) * 2 / (pairs_judged * double(length)));
    if (now - before < 2 * noise || step <= step_before) return {};
    const double left = (goal - now) * (step - step_before) / (now - before);
    return std::max(0.0, step + left - double(judged.back().step));
}

Index words_to_choose_from(const RunModel& model) {
    return model.config.sorts() ? Index(model.config.labels.size()) : Index(model.config.target_vocab_size);
}

double chance_loss(const RunModel& model) {
    return std::log(double(std::max<Index>(1, words_to_choose_from(model))));
}

double smoothing_floor(double smoothing, Index words) {
    if (smoothing <= 0 || words < 2) return 0;
    const double each = smoothing / double(words), wanted = 1 - smoothing + each;
    return -wanted * std::log(wanted) - double(words - 1) * each * std::log(each);
}

} // namespace headlight
