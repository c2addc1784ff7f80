#include "app/live/run.h"

#include "app/live/run_findings.h"

#include <algorithm>
#include <cmath>

namespace headlight {

namespace {
constexpr double pace_seconds = 4; // over which the pace is measured
} // namespace

bool Run::take_news() {
    RunNews news = channel->take();
    const bool changed = !news.steps.empty() || !news.judged.empty() || news.model || news.newest
                         || news.examples || news.kept || news.pause || news.error;
    if (!changed) return false;
    const bool is_other = news.kept && *news.kept != kept;
    if (!news.steps.empty() || !news.judged.empty() || is_other) is_remembered = is_newest_remembered = false;
    steps.insert(steps.end(), news.steps.begin(), news.steps.end());
    judged.insert(judged.end(), news.judged.begin(), news.judged.end());
    if (!news.judged.empty()) silent_units = news.silent_units;
    if (news.model) {
        model = std::move(news.model);
        plan.reset();
    }
    if (news.newest) newest = std::move(news.newest);
    if (news.examples) {
        examples = *std::move(news.examples);
        step_of_examples = news.step_of_examples;
    }
    if (news.kept) kept = *std::move(news.kept);
    kept_bytes = news.kept_bytes;
    seconds = std::max(seconds, news.seconds);
    if (!news.steps.empty()) {
        pace.emplace_back(seconds, step());
        const auto recent = std::find_if(pace.begin(), pace.end(), [&](const auto& point) {
            return point.first >= seconds - pace_seconds;
        });
        pace.erase(pace.begin(), recent);
    }
    if (news.error) error = std::move(news.error);
    if (news.pause && (news.pause->order == order || news.pause->reason == PauseReason::failed)) {
        training = false;
        pause = std::move(news.pause);
    }
    return true;
}

double Run::steps_per_second() const {
    if (pace.size() < 2 || pace.back().first <= pace.front().first) return 0;
    return double(pace.back().second - pace.front().second) / (pace.back().first - pace.front().first);
}

bool Run::has_reached_goal() const {
    const bool exact =
        settings.goal_exact > 0 && !judged.empty() && judged.back().exact_match >= settings.goal_exact;
    return exact || (settings.goal_steps > 0 && step() >= settings.goal_steps);
}

const Judgement* Run::best() const {
    const Judgement* best = nullptr;
    for (const Judgement& one : judged)
        if (std::isfinite(one.loss) && (!best || one.loss < best->loss)) best = &one;
    return best;
}

void Run::rename(std::string other) {
    name = std::move(other);
    is_remembered = is_newest_remembered = false;
}

void Run::hide(bool on) {
    hidden = on;
    is_remembered = is_newest_remembered = false;
}

std::optional<double> Run::seconds_to_goal() const {
    const double rate = steps_per_second();
    if (rate <= 0 || has_reached_goal()) return std::nullopt;
    std::optional<double> steps_left;
    if (settings.goal_steps > 0) steps_left = double(settings.goal_steps - step());
    if (const std::optional<double> left = steps_to_exact(judged, settings.goal_exact)) {
        const double since = double(step() - judged.back().step); // it was judged
        steps_left = std::min(steps_left.value_or(*left), std::max(0.0, *left - since));
    }
    if (!steps_left) return std::nullopt;
    return *steps_left / rate;
}

} // namespace headlight
