#include "app/live/run_channel.h"

#include <utility>

namespace headlight {

void RunChannel::add_step(const StepPoint& point, double seconds) {
    const std::lock_guard lock(mutex_);
    news_.steps.push_back(point);
    news_.seconds = seconds;
}

void RunChannel::add_judgement(const Judgement& judgement, double silent_units) {
    const std::lock_guard lock(mutex_);
    news_.judged.push_back(judgement);
    news_.silent_units = silent_units;
}

void RunChannel::add_examples(Index step, std::vector<JudgedExample> examples) {
    const std::lock_guard lock(mutex_);
    news_.step_of_examples = step;
    has_examples_ = true;
    wants_examples_ = false;
    news_.examples = std::move(examples);
}

void RunChannel::prepared(std::shared_ptr<const RunModel> model, Moment first) {
    const std::lock_guard lock(mutex_);
    wants_snapshot_ = false;
    news_.newest = Snapshot{first.step, first.weights};
    timeline_.add(std::move(first));
    timeline_changed_ = true;
    news_.model = std::move(model);
}

void RunChannel::publish(Snapshot snapshot) {
    const std::lock_guard lock(mutex_);
    wants_snapshot_ = false;
    news_.newest = std::move(snapshot);
}

void RunChannel::pause(Pause pause) {
    const std::lock_guard lock(mutex_);
    news_.pause = std::move(pause);
}

void RunChannel::fail(Error error, unsigned long order) {
    const std::lock_guard lock(mutex_);
    news_.error = std::move(error);
    news_.pause = Pause{order, PauseReason::failed, {}};
}

bool RunChannel::wants_moment(Index step) const {
    const std::lock_guard lock(mutex_);
    return awaits_moment_ || timeline_.wants(step);
}

bool RunChannel::wants_optimizer(Index step) const {
    const std::lock_guard lock(mutex_);
    return awaits_moment_ || timeline_.wants_optimizer(step);
}

void RunChannel::keep(Moment moment) {
    const std::lock_guard lock(mutex_);
    if (moment.optimizer && std::exchange(awaits_moment_, false)) asked_moment_ = moment;
    timeline_.add(std::move(moment));
    timeline_changed_ = true;
}

bool RunChannel::has_moment(Index step) const {
    const std::lock_guard lock(mutex_);
    return timeline_.has(step);
}

void RunChannel::set_best(Index step) {
    const std::lock_guard lock(mutex_);
    timeline_.set_best(step);
    timeline_changed_ = true;
}

RunNews RunChannel::take() {
    const std::lock_guard lock(mutex_);
    const double seconds = news_.seconds;
    RunNews news = std::exchange(news_, {});
    news_.seconds = seconds;
    if (news.newest) wants_snapshot_ = true;
    has_examples_ = false;
    news.kept_bytes = timeline_.bytes();
    if (std::exchange(timeline_changed_, false)) {
        news.kept.emplace();
        for (const Moment& moment : timeline_.moments())
            news.kept->push_back(
                {moment.step, moment.optimizer != nullptr, timeline_.pinned().contains(moment.step)});
    }
    return news;
}

void RunChannel::set_budget(Index bytes) {
    const std::lock_guard lock(mutex_);
    timeline_.set_budget(bytes);
    timeline_changed_ = true;
}

void RunChannel::pin(Index step) {
    const std::lock_guard lock(mutex_);
    timeline_.pin(step);
    timeline_changed_ = true;
}

void RunChannel::unpin(Index step) {
    const std::lock_guard lock(mutex_);
    timeline_.unpin(step);
    timeline_changed_ = true;
}

void RunChannel::ask_for_moment() {
    const std::lock_guard lock(mutex_);
    awaits_moment_ = true;
    asked_moment_.reset();
}

std::optional<Moment> RunChannel::take_asked_moment(Index step) {
    const std::lock_guard lock(mutex_);
    if (!asked_moment_ || asked_moment_->step > step) return std::nullopt;
    return std::exchange(asked_moment_, std::nullopt);
}

std::vector<Moment> RunChannel::moments() const {
    const std::lock_guard lock(mutex_);
    return timeline_.moments();
}

std::optional<Moment> RunChannel::moment_near(Index step) const {
    const std::lock_guard lock(mutex_);
    const std::ptrdiff_t place = timeline_.nearest(step);
    return place < 0 ? std::nullopt : std::optional(timeline_.moments()[std::size_t(place)]);
}

std::optional<Moment> RunChannel::whole_moment_before(Index step) const {
    const std::lock_guard lock(mutex_);
    const Moment* moment = timeline_.last_with_optimizer(step);
    return moment ? std::optional(*moment) : std::nullopt;
}

} // namespace headlight
