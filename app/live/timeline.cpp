#include "app/live/timeline.h"

#include "engine/base/check.h"

#include <algorithm>
#include <bit>
#include <cstdint>

namespace headlight {

namespace {

constexpr Index all = Index(1) << (sizeof(Index) > 4 ? 50 : 30); // a density that keeps every step
constexpr Index optimizer_one_in = 8;                            // of the kept moments

} // namespace

Index Moment::bytes() const {
    const std::size_t count =
        (weights ? weights->size() : 0) + (optimizer ? optimizer->m.size() + optimizer->v.size() : 0);
    return Index(count * sizeof(Real) + sizeof(Moment));
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
    if (moments_.empty()) return;
    const Index newest = moments_.back().step;
    for (Moment& moment : moments_)
        if (moment.step != newest && !wants_optimizer(moment.step)) moment.optimizer.reset();
    std::erase_if(moments_,
                  [&](const Moment& moment) { return moment.step != newest && !wants(moment.step); });
    bytes_ = 0;
    for (const Moment& moment : moments_) bytes_ += moment.bytes();
}

void Timeline::add(Moment moment) {
    HEADLIGHT_CHECK(moment.weights && (moments_.empty() || moments_.back().step <= moment.step),
                    "moment of step " + std::to_string(moment.step) + " added after "
                        + std::to_string(moments_.empty() ? -1 : moments_.back().step));
    const bool is_there = !moments_.empty() && moments_.back().step == moment.step;
    if (is_there && !moment.optimizer) return; // nothing new
    if (is_there)
        moments_.back() = std::move(moment);
    else
        moments_.push_back(std::move(moment));
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
    while (density_ > 0 && (bytes_ > budget_ || moments_.size() > most_moments)) {
        // Densities that would keep everything are passed over at once.
        const Index span = moments_.back().step - first_step_ + 1;
        density_ = std::min(density_ / 2, Index(std::bit_ceil(std::uint64_t(span))) / 2);
        hold_to_rule();
    }
}

std::ptrdiff_t Timeline::nearest(Index step) const {
    if (moments_.empty()) return -1;
    const auto after = std::lower_bound(moments_.begin(), moments_.end(), step,
                                        [](const Moment& m, Index wanted) { return m.step < wanted; });
    if (after == moments_.end()) return std::ptrdiff_t(moments_.size()) - 1;
    if (after == moments_.begin()) return 0;
    const auto before = after - 1;
    return (after->step - step < step - before->step ? after : before) - moments_.begin();
}

bool Timeline::has(Index step) const {
    const std::ptrdiff_t place = nearest(step);
    return place >= 0 && moments_[std::size_t(place)].step == step;
}

const Moment* Timeline::last_with_optimizer(Index step) const {
    for (auto moment = moments_.rbegin(); moment != moments_.rend(); ++moment)
        if (moment->step <= step && moment->optimizer) return &*moment;
    return nullptr;
}

} // namespace headlight
