// Runs side by side: how each is called, which is looked at, and those that were put away.
#include "app/live/live_training.h"

#include <algorithm>
#include <utility>

namespace headlight {

namespace {
constexpr std::size_t longest_run_name = 200; // bytes, as run.json has it
}

bool LiveTraining::is_taken(const std::string& name) const {
    return std::any_of(runs_.begin(), runs_.end(), [&](const auto& run) { return run->name == name; });
}

// Name, number and colour are its own: none of those that are there has the same.
void LiveTraining::settle_in(Run& run) {
    const auto has = [&](auto member, const auto& value) {
        return std::any_of(runs_.begin(), runs_.end(), [&](const auto& other) {
            return other.get() != &run && (*other).*member == value;
        });
    };
    const bool is_named = !run.name.empty() && !has(&Run::name, run.name);
    if (run.number < 1 || !is_named || has(&Run::number, run.number)) run.number = runs_numbered_ + 1;
    const auto name_by_number = [&] { run.name = run.settings.task + " " + std::to_string(run.number); };
    if (!is_named) name_by_number();
    while (has(&Run::name, run.name)) {
        ++run.number;
        name_by_number();
    }
    runs_numbered_ = std::max(runs_numbered_, run.number);
    if (run.colour < 0 || has(&Run::colour, run.colour))
        for (run.colour = 0; has(&Run::colour, run.colour);) ++run.colour;
}

Result<Run*> LiveTraining::add_run(std::unique_ptr<Run> run) {
    if (runs_.size() >= most_runs) return Error{"error.training_too_many_runs", {std::to_string(most_runs)}};
    settle_in(*run);
    runs_.push_back(std::move(run));
    looked_at_ = runs_.size() - 1;
    return runs_.back().get();
}

std::vector<std::string> LiveTraining::what_differs() const {
    std::vector<std::string> differing;
    for (const std::string& name : setting_names()) {
        if (!learning_depends_on(name)) continue;
        const bool differs = std::any_of(runs_.begin(), runs_.end(), [&](const auto& run) {
            return setting(run->settings, name) != setting(runs_.front()->settings, name);
        });
        if (differs) differing.push_back(name);
    }
    return differing;
}

Error LiveTraining::no_run(const std::string& called) const {
    if (runs_.empty()) return {"error.training_no_runs", {}};
    std::string names;
    for (const auto& run : runs_)
        names += (names.empty() ? "" : ", ") + std::to_string(run->number) + " (" + run->name + ")";
    return {"error.training_no_run", {called, names}};
}

Result<std::size_t> LiveTraining::find(const std::string& called) const {
    if (called.empty() && run()) return looked_at_;
    const auto named =
        std::find_if(runs_.begin(), runs_.end(), [&](const auto& run) { return run->name == called; });
    const auto found =
        named != runs_.end() ? named : std::find_if(runs_.begin(), runs_.end(), [&](const auto& run) {
            return std::to_string(run->number) == called;
        });
    if (found != runs_.end()) return std::size_t(found - runs_.begin());
    return no_run(called);
}

Result<Done> LiveTraining::look_at(std::size_t number) {
    if (number >= runs_.size()) return no_run(std::to_string(number + 1));
    looked_at_ = number;
    choose(runs_[number]->settings);
    return Done{};
}

void LiveTraining::put_away(std::size_t number) {
    std::unique_ptr<Run> run = std::move(runs_[number]);
    if (present_.run == run.get()) retire_worker();
    run->take_news(); // as far as it came
    run->training = false;
    if (kept_) kept_->spare(run->remembered_as);
    runs_.erase(runs_.begin() + std::ptrdiff_t(number));
    if (looked_at_ > number || looked_at_ >= runs_.size()) looked_at_ = looked_at_ > 0 ? looked_at_ - 1 : 0;
    const bool is_missed = !run->steps.empty();
    if (is_missed) deleted_.push_back({std::move(run), number});
    if (is_missed && deleted_.size() <= most_deleted) return;
    const Run* gone = is_missed ? deleted_.front().run.get() : run.get();
    for (Work& work : ending_)
        if (work.run == gone) work.run = nullptr; // another may come to lie in its place
    if (is_missed) deleted_.erase(deleted_.begin());
}

Result<Done> LiveTraining::remove(std::size_t number) {
    if (number >= runs_.size()) return no_run(std::to_string(number + 1));
    put_away(number);
    return Done{};
}

Result<Done> LiveTraining::bring_back() {
    if (deleted_.empty()) return Error{"error.training_none_deleted", {}};
    if (runs_.size() >= most_runs) return Error{"error.training_too_many_runs", {std::to_string(most_runs)}};
    Deleted last = std::move(deleted_.back());
    deleted_.pop_back();
    settle_in(*last.run);
    last.run->is_remembered = last.run->is_newest_remembered = false;
    const std::size_t place = std::min(last.place, runs_.size());
    runs_.insert(runs_.begin() + std::ptrdiff_t(place), std::move(last.run));
    return look_at(place);
}

Result<Done> LiveTraining::rename(std::string name) {
    Run* run = looked_at();
    if (!run) return no_run({});
    if (name.empty() || name.size() > longest_run_name)
        return Error{"error.training_name", {std::to_string(longest_run_name)}};
    if (name != run->name && is_taken(name)) return Error{"error.training_name_taken", {name}};
    run->rename(std::move(name));
    return Done{};
}

Result<Done> LiveTraining::hide(std::size_t number, bool hidden) {
    if (number >= runs_.size()) return no_run(std::to_string(number + 1));
    runs_[number]->hide(hidden);
    return Done{};
}

Result<Done> LiveTraining::pin(Index step, bool pinned) {
    const std::optional<Checkpoint> checkpoint = checkpoint_near(step);
    if (!checkpoint) return Error{"error.training_no_moment", {}};
    if (pinned)
        run()->channel->pin(checkpoint->step);
    else
        run()->channel->unpin(checkpoint->step);
    poll();
    return Done{};
}

} // namespace headlight
