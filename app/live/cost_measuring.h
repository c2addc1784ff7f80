// What layers cost, measured point by point beside the window while one watches.
#pragma once

#include "engine/base/background.h"
#include "engine/inspect/cost.h"

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

namespace headlight {

struct CostOrder {
    CostPart part = CostPart::attention;
    Index length = 0, d_model = 0;
    bool operator==(const CostOrder&) const = default;
};

class CostMeasuring {
public:
    CostMeasuring() = default;
    ~CostMeasuring(); // gives up what is not measured yet, after the pass that is being made
    CostMeasuring(const CostMeasuring&) = delete;
    CostMeasuring& operator=(const CostMeasuring&) = delete;

    // Measures these, one after another, each for about so many seconds. What was measured of the same part
    // and size before stays until there is the new point; what was still to be measured is given up.
    void begin(std::vector<CostOrder> orders, double seconds);
    void stop();
    // Takes over what is measured by now. True when there is something new, or when it has come to its end.
    bool collect();
    void finish(); // waits until all of it is measured, and collects

    bool goes_on() const { return ordered_ > done_; }
    std::size_t ordered() const { return ordered_; } // the last time, and how many of them are measured
    std::size_t done() const { return done_; }
    const CostOrder& present() const { return orders_[done_]; } // that is being measured, while it goes on
    // One for each part and size, in order of part, width and length.
    std::span<const CostPoint> points() const { return points_; }
    const CostPoint* find(const CostOrder& order) const;

private:
    Portion work();
    void put(const CostPoint& point);

    std::vector<CostOrder> orders_;
    std::vector<CostPoint> points_;
    std::size_t ordered_ = 0, done_ = 0;

    std::mutex mutex_;
    std::condition_variable measured_;
    std::vector<CostOrder> waiting_; // the next is the last
    std::vector<CostPoint> fresh_;
    double seconds_ = 0;
    std::atomic<bool> give_up_ = false; // the point at hand
    bool is_measuring_ = false, ending_ = false;
    std::unique_ptr<BackgroundWork> work_; // from the first order on
};

} // namespace headlight
