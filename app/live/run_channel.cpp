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

void RunChannel::prepared(std::shared_ptr<const RunModel> model, Checkpoint first) {
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

bool RunChannel::wants_checkpoint(Index step) const {
    const std::lock_guard lock(mutex_);
    return awaits_checkpoint_ || timeline_.wants(step);
}

bool RunChannel::wants_optimizer(Index step) const {
    const std::lock_guard lock(mutex_);
    return awaits_checkpoint_ || timeline_.wants_optimizer(step);
}

void RunChannel::keep(Checkpoint checkpoint) {
    const std::lock_guard lock(mutex_);
    if (checkpoint.optimizer && std::exchange(awaits_checkpoint_, false)) asked_checkpoint_ = checkpoint;
    timeline_.add(std::move(checkpoint));
    timeline_changed_ = true;
}

bool RunChannel::has_checkpoint(Index step) const {
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
        for (const Checkpoint& checkpoint : timeline_.checkpoints())
            news.kept->push_back({checkpoint.step, checkpoint.optimizer != nullptr,
                                  timeline_.pinned().contains(checkpoint.step)});
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

void RunChannel::ask_for_checkpoint() {
    const std::lock_guard lock(mutex_);
    awaits_checkpoint_ = true;
    asked_checkpoint_.reset();
}

std::optional<Checkpoint> RunChannel::take_asked_checkpoint(Index step) {
    const std::lock_guard lock(mutex_);
    if (!asked_checkpoint_ || asked_checkpoint_->step > step) return std::nullopt;
    return std::exchange(asked_checkpoint_, std::nullopt);
}

std::vector<Checkpoint> RunChannel::checkpoints() const {
    const std::lock_guard lock(mutex_);
    return timeline_.checkpoints();
}

std::optional<Checkpoint> RunChannel::checkpoint_near(Index step) const {
    const std::lock_guard lock(mutex_);
    const std::ptrdiff_t place = timeline_.nearest(step);
    return place < 0 ? std::nullopt : std::optional(timeline_.checkpoints()[std::size_t(place)]);
}

std::optional<Checkpoint> RunChannel::whole_checkpoint_before(Index step) const {
    const std::lock_guard lock(mutex_);
    const Checkpoint* checkpoint = timeline_.last_with_optimizer(step);
    return checkpoint ? std::optional(*checkpoint) : std::nullopt;
}

} // namespace headlight
