#include "app/live/cost_measuring.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace headlight {

namespace {

auto place_of_point(const CostPoint& point) { return std::tuple(point.part, point.d_model, point.length); }

} // namespace

CostMeasuring::~CostMeasuring() {
    {
        const std::lock_guard lock(mutex_);
        ending_ = give_up_ = true;
        waiting_.clear();
    }
    if (!work_) return;
    work_->wake();
    work_->join();
}

void CostMeasuring::begin(std::vector<CostOrder> orders, double seconds) {
    stop();
    orders_ = std::move(orders);
    ordered_ = orders_.size(), done_ = 0;
    {
        const std::lock_guard lock(mutex_);
        waiting_.assign(orders_.rbegin(), orders_.rend());
        seconds_ = seconds;
    }
    if (!work_) work_ = std::make_unique<BackgroundWork>([this] { return work(); });
    work_->wake();
}

void CostMeasuring::stop() {
    {
        const std::lock_guard lock(mutex_);
        waiting_.clear();
        give_up_ = is_measuring_;
    }
    collect();
    ordered_ = done_;
}

bool CostMeasuring::collect() {
    std::vector<CostPoint> fresh;
    {
        const std::lock_guard lock(mutex_);
        fresh = std::exchange(fresh_, {});
    }
    for (const CostPoint& point : fresh) put(point);
    done_ = std::min(done_ + fresh.size(), ordered_);
    return !fresh.empty();
}

void CostMeasuring::finish() {
    if (work_) work_->help();
    {
        std::unique_lock lock(mutex_);
        measured_.wait(lock, [&] { return waiting_.empty() && !is_measuring_; });
    }
    collect();
}

const CostPoint* CostMeasuring::find(const CostOrder& order) const {
    const auto is_it = [&](const CostPoint& point) {
        return point.part == order.part && point.length == order.length && point.d_model == order.d_model;
    };
    const auto found = std::find_if(points_.begin(), points_.end(), is_it);
    return found == points_.end() ? nullptr : &*found;
}

void CostMeasuring::put(const CostPoint& point) {
    const auto at =
        std::lower_bound(points_.begin(), points_.end(), point, [](const CostPoint& a, const CostPoint& b) {
            return place_of_point(a) < place_of_point(b);
        });
    if (at != points_.end() && place_of_point(*at) == place_of_point(point))
        *at = point;
    else
        points_.insert(at, point);
}

// One point.
Portion CostMeasuring::work() {
    std::unique_lock lock(mutex_);
    if (ending_) return Portion::ended;
    if (waiting_.empty()) return Portion::waits;
    const CostOrder order = waiting_.back();
    waiting_.pop_back();
    is_measuring_ = true;
    give_up_ = false;
    const double seconds = seconds_;
    lock.unlock();
    const std::optional<CostPoint> point =
        measure_cost(order.part, order.length, order.d_model, seconds, give_up_);
    lock.lock();
    // Given up between the last pass and now: another order has begun, to which it does not belong.
    if (point && !give_up_) fresh_.push_back(*point);
    is_measuring_ = false;
    measured_.notify_all();
    return Portion::more;
}

} // namespace headlight
