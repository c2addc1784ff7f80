#include "app/ui/rooms/train/training_parts.h"

#include <algorithm>
#include <cmath>

namespace headlight {

namespace {

constexpr int of_held_out = 100; // apart from the same curve of the steps

float number_of_step(const StepPoint& point, Curve curve) {
    return curve == Curve::rate       ? point.learning_rate
           : curve == Curve::gradient ? point.gradient_norm
                                      : point.loss;
}

float number_of_judgement(const Judgement& judged, Curve curve) {
    return float(curve == Curve::tokens  ? judged.token_accuracy
                 : curve == Curve::exact ? judged.exact_match
                                         : judged.loss);
}

} // namespace

void ThinnedCurve::add(float x, float y) {
    laid_out_ = false;
    if (buckets_.empty() || in_last_ == points_a_bucket_) {
        if (buckets_.size() == most_buckets) halve();
        buckets_.push_back({x, y, x, y});
        in_last_ = 1;
        return;
    }
    Bucket& last = buckets_.back();
    if (!(y >= last.low)) last.low_x = x, last.low = y;
    if (!(y <= last.high)) last.high_x = x, last.high = y;
    ++in_last_;
}

void ThinnedCurve::halve() {
    for (std::size_t i = 0; i < most_buckets / 2; ++i) {
        Bucket joined = buckets_[2 * i];
        const Bucket& second = buckets_[2 * i + 1];
        if (!(second.low >= joined.low)) joined.low = second.low, joined.low_x = second.low_x;
        if (!(second.high <= joined.high)) joined.high = second.high, joined.high_x = second.high_x;
        buckets_[i] = joined;
    }
    buckets_.resize(most_buckets / 2);
    points_a_bucket_ *= 2;
}

std::span<const float> ThinnedCurve::x() const {
    if (!laid_out_) {
        x_.clear();
        y_.clear();
        for (const Bucket& bucket : buckets_) {
            const bool low_first = bucket.low_x <= bucket.high_x;
            x_.push_back(low_first ? bucket.low_x : bucket.high_x);
            y_.push_back(low_first ? bucket.low : bucket.high);
            if (bucket.low_x == bucket.high_x) continue;
            x_.push_back(low_first ? bucket.high_x : bucket.low_x);
            y_.push_back(low_first ? bucket.high : bucket.low);
        }
        laid_out_ = true;
    }
    return x_;
}

std::span<const float> ThinnedCurve::y() const {
    (void)x();
    return y_;
}

const ThinnedCurve& CurveStore::of_steps(const Run& run, Curve curve, double smoothing) {
    Known& known = known_[{run.number, int(curve)}];
    if (known.smoothing != smoothing) {
        known = {};
        known.smoothing = smoothing;
    }
    for (; known.taken < run.steps.size(); ++known.taken) {
        const float number = number_of_step(run.steps[known.taken], curve);
        known.sum = known.sum * smoothing + double(number);
        known.weight = known.weight * smoothing + 1;
        known.curve.add(float(run.first_step + Index(known.taken) + 1), float(known.sum / known.weight));
    }
    return known.curve;
}

const ThinnedCurve& CurveStore::of_judgements(const Run& run, Curve curve) {
    Known& known = known_[{run.number, of_held_out + int(curve)}];
    for (; known.taken < run.judged.size(); ++known.taken)
        known.curve.add(float(run.judged[known.taken].step),
                        number_of_judgement(run.judged[known.taken], curve));
    return known.curve;
}

void CurveStore::keep(std::span<const std::unique_ptr<Run>> runs) {
    std::erase_if(known_, [&](const auto& entry) {
        return std::none_of(runs.begin(), runs.end(),
                            [&](const auto& run) { return run->number == entry.first.first; });
    });
}

} // namespace headlight
