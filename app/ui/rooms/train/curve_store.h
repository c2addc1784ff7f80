// The curves of runs, thinned for drawing: however many steps a run has, a curve is a few thousand points,
// each of them a number that was really measured at that step, and no peak is lost.
#pragma once

#include "app/live/run.h"
#include "app/session/training/training_desk.h"

#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace headlight {

// Points come one after another; of many that fall together the lowest and the highest stay.
class ThinnedCurve {
public:
    void add(float x, float y);
    std::span<const float> x() const;
    std::span<const float> y() const;

private:
    struct Bucket {
        float low_x, low, high_x, high;
    };
    static constexpr std::size_t most_buckets = 4096;
    void halve();

    std::vector<Bucket> buckets_;
    std::size_t points_a_bucket_ = 1, in_last_ = 0;
    mutable std::vector<float> x_, y_; // of the buckets, until the next point
    mutable bool laid_out_ = true;
};

class CurveStore {
public:
    // A number of every step: training loss, learning rate or gradient norm; as it is, or as the mean of the
    // past with weights that fall by `smoothing` a step.
    const ThinnedCurve& of_steps(const Run& run, Curve curve, double smoothing);
    // Of the held-out pairs, at each step at which they were judged.
    const ThinnedCurve& of_judgements(const Run& run, Curve curve);
    // Forgets runs that are gone.
    void keep(std::span<const std::unique_ptr<Run>> runs);

private:
    struct Known {
        ThinnedCurve curve;
        std::size_t taken = 0;
        double smoothing = 0, sum = 0, weight = 0;
    };
    std::map<std::pair<Index, int>, Known> known_; // by the run's number, which is never reused, and curve
};

} // namespace headlight
