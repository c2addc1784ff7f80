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
    return step == first_step_ || (density_ > 0 && (step - first_step_) % stride(step) == 0);
}

bool Timeline::wants_optimizer(Index step) const {
    return step == first_step_
           || (density_ > 0 && (step - first_step_) % (optimizer_one_in * stride(step)) == 0);
}

// The newest moment stays whole whatever its step. When a newer one comes it is held to the rule.
void Timeline::settle_last() {
    Moment& last = moments_.back();
    bytes_ -= last.bytes();
    if (!wants(last.step)) {
        moments_.pop_back();
        return;
    }
    if (!wants_optimizer(last.step)) last.optimizer.reset();
    bytes_ += last.bytes();
}

void Timeline::add(Moment moment) {
    HEADLIGHT_CHECK(moment.weights && (moments_.empty() || moments_.back().step <= moment.step),
                    "moment of step " + std::to_string(moment.step) + " added after "
                        + std::to_string(moments_.empty() ? -1 : moments_.back().step));
    if (!moments_.empty() && moments_.back().step == moment.step) {
        if (!moment.optimizer) return; // nothing new
        bytes_ -= moments_.back().bytes();
        moments_.pop_back();
    } else if (!moments_.empty()) {
        settle_last();
    }
    bytes_ += moment.bytes();
    moments_.push_back(std::move(moment));
    thin();
}

void Timeline::set_budget(Index bytes) {
    budget_ = bytes;
    thin();
}

void Timeline::thin() {
    while (density_ > 0 && (bytes_ > budget_ || moments_.size() > most_moments)) {
        // Densities that would keep everything are passed over at once.
        const Index span = moments_.back().step - first_step_ + 1;
        density_ = std::min(density_ / 2, Index(std::bit_ceil(std::uint64_t(span))) / 2);
        std::vector<Moment> kept;
        bytes_ = 0;
        for (std::size_t i = 0; i < moments_.size(); ++i) {
            const bool is_last = i + 1 == moments_.size();
            if (!is_last && !wants(moments_[i].step)) continue;
            if (!is_last && !wants_optimizer(moments_[i].step)) moments_[i].optimizer.reset();
            bytes_ += moments_[i].bytes();
            kept.push_back(std::move(moments_[i]));
        }
        moments_ = std::move(kept);
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

const Moment* Timeline::last_with_optimizer(Index step) const {
    for (auto moment = moments_.rbegin(); moment != moments_.rend(); ++moment)
        if (moment->step <= step && moment->optimizer) return &*moment;
    return nullptr;
}

} // namespace headlight
