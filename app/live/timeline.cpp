#include "app/live/timeline.h"

#include "engine/base/check.h"

#include <algorithm>
#include <bit>
#include <cstdint>

namespace headlight {

namespace {

constexpr Index all = Index(1) << (sizeof(Index) > 4 ? 50 : 30); // a density that keeps every step
constexpr Index optimizer_one_in = 8;                            // of the kept checkpoints

} // namespace

Index Checkpoint::bytes() const {
    const std::size_t count =
        (weights ? weights->size() : 0) + (optimizer ? optimizer->m.size() + optimizer->v.size() : 0);
    return Index(count * sizeof(Real) + sizeof(Checkpoint));
}

Timeline::Timeline(Index first_step, Index budget)
    : first_step_(first_step), budget_(budget), density_(all) {}

Index Timeline::stride(Index step) const {
    const Index ratio = std::max<Index>(1, (step - first_step_) / std::max<Index>(1, density_));
    return Index(std::bit_floor(std::uint64_t(ratio)));
}

bool Timeline::wants(Index step) const {
    if (step == first_step_ || step == best_ || pinned_.contains(step)) return true;
    return density_ > 0 && (step - first_step_) % stride(step) == 0;
}

bool Timeline::wants_optimizer(Index step) const {
    if (step == first_step_ || pinned_.contains(step)) return true;
    return density_ > 0 && (step - first_step_) % (optimizer_one_in * stride(step)) == 0;
}

// All but the newest, which stays whole whatever its step. Needs no memory: it may be all there is none of.
void Timeline::hold_to_rule() {
    if (checkpoints_.empty()) return;
    const Index newest = checkpoints_.back().step;
    for (Checkpoint& checkpoint : checkpoints_)
        if (checkpoint.step != newest && !wants_optimizer(checkpoint.step)) checkpoint.optimizer.reset();
    std::erase_if(checkpoints_, [&](const Checkpoint& checkpoint) {
        return checkpoint.step != newest && !wants(checkpoint.step);
    });
    bytes_ = 0;
    for (const Checkpoint& checkpoint : checkpoints_) bytes_ += checkpoint.bytes();
}

void Timeline::add(Checkpoint checkpoint) {
    HEADLIGHT_CHECK(checkpoint.weights
                        && (checkpoints_.empty() || checkpoints_.back().step <= checkpoint.step),
                    "moment of step " + std::to_string(checkpoint.step) + " added after "
                        + std::to_string(checkpoints_.empty() ? -1 : checkpoints_.back().step));
    const bool is_there = !checkpoints_.empty() && checkpoints_.back().step == checkpoint.step;
    if (is_there && !checkpoint.optimizer) return; // nothing new
    if (is_there)
        checkpoints_.back() = std::move(checkpoint);
    else
        checkpoints_.push_back(std::move(checkpoint));
    hold_to_rule();
    thin();
}

void Timeline::set_budget(Index bytes) {
    budget_ = bytes;
    thin();
}

void Timeline::set_best(Index step) {
    best_ = step;
    hold_to_rule();
}

void Timeline::pin(Index step) { pinned_.insert(step); }

void Timeline::unpin(Index step) {
    pinned_.erase(step);
    hold_to_rule();
}

void Timeline::thin() {
    while (density_ > 0 && (bytes_ > budget_ || checkpoints_.size() > most_checkpoints)) {
        // Densities that would keep everything are passed over at once.
        const Index span = checkpoints_.back().step - first_step_ + 1;
        density_ = std::min(density_ / 2, Index(std::bit_ceil(std::uint64_t(span))) / 2);
        hold_to_rule();
    }
}

std::ptrdiff_t Timeline::nearest(Index step) const {
    if (checkpoints_.empty()) return -1;
    const auto after = std::lower_bound(checkpoints_.begin(), checkpoints_.end(), step,
                                        [](const Checkpoint& m, Index wanted) { return m.step < wanted; });
    if (after == checkpoints_.end()) return std::ptrdiff_t(checkpoints_.size()) - 1;
    if (after == checkpoints_.begin()) return 0;
    const auto before = after - 1;
    return (after->step - step < step - before->step ? after : before) - checkpoints_.begin();
}

bool Timeline::has(Index step) const {
    const std::ptrdiff_t place = nearest(step);
    return place >= 0 && checkpoints_[std::size_t(place)].step == step;
}

const Checkpoint* Timeline::last_with_optimizer(Index step) const {
    for (auto checkpoint = checkpoints_.rbegin(); checkpoint != checkpoints_.rend(); ++checkpoint)
        if (checkpoint->step <= step && checkpoint->optimizer) return &*checkpoint;
    return nullptr;
}

} // namespace headlight
