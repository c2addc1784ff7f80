#include "engine/model/descent.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace headlight {

Index DescentSetting::steps() const {
    return std::accumulate(way.begin(), way.end(), Index(0),
                           [](Index sum, const DescentStretch& stretch) { return sum + stretch.steps; });
}

void DescentSetting::look_at(Index step) {
    at = std::max<Index>(step, 0);
    if (*at >= steps()) at.reset();
}

void DescentSetting::go(Index more) {
    if (at) { // what came after is cut off
        Index left = *at;
        std::vector<DescentStretch> kept;
        for (const DescentStretch& stretch : way) {
            if (left <= 0) break;
            kept.push_back({std::min(stretch.steps, left), stretch.rate});
            left -= stretch.steps;
        }
        way = std::move(kept);
        at.reset();
    }
    more = std::min(more, most_descent_steps - steps());
    if (more <= 0) return;
    if (!way.empty() && way.back().rate == rate)
        way.back().steps += more;
    else
        way.push_back({more, rate});
}

void DescentSetting::begin(std::vector<double> weights) {
    start = std::move(weights);
    way.clear();
    at.reset();
}

void DescentSetting::begin(DescentTask next) {
    task = std::move(next);
    begin(Index(start.size()) == task.weights() ? start : fresh_weights(task));
}

void Descent::walk(const DescentSetting& setting) {
    Index known = Index(way_.size()) - 1, done = 0;
    if (known < 0) {
        net_.compute(setting.start);
        net_.differentiate();
        way_ = {net_.weights()};
        costs_ = {float(net_.cost())};
        known = 0;
    } else {
        net_.compute(way_.back());
        net_.differentiate();
    }
    for (const DescentStretch& stretch : setting.way)
        for (Index i = 0; i < stretch.steps && !diverged_; ++i)
            if (++done > known) {
                diverged_ = !net_.step(stretch.rate);
                if (diverged_) break;
                way_.push_back(net_.weights());
                costs_.push_back(float(net_.cost()));
            }
    step_ = std::clamp<Index>(setting.at.value_or(last()), 0, last());
    if (step_ != last()) {
        net_.compute(way_[std::size_t(step_)]);
        net_.differentiate();
    }
}

namespace {

// Whether all of one way is the beginning of the other.
bool begins_with(const std::vector<DescentStretch>& whole, const std::vector<DescentStretch>& part) {
    if (part.size() > whole.size()) return false;
    for (std::size_t i = 0; i < part.size(); ++i) {
        const bool is_last = i + 1 == part.size();
        if (part[i].rate != whole[i].rate) return false;
        if (is_last ? part[i].steps > whole[i].steps : part[i].steps != whole[i].steps) return false;
    }
    return true;
}

} // namespace

std::shared_ptr<Descent> Descent::compute(const DescentSetting& setting, std::shared_ptr<Descent> before) {
    const bool goes_on = before && before->of_.task == setting.task && before->of_.start == setting.start
                         && begins_with(setting.way, before->of_.way);
    if (!goes_on) before = std::make_shared<Descent>(setting);
    before->of_ = setting;
    before->walk(setting);
    return before;
}

// --- seen from above ------------------------------------------------------------------------------------

std::vector<float> cost_along(const DescentTask& task, std::span<const double> weights, std::size_t which,
                              double low, double high, std::size_t count) {
    DescentNet net(task);
    std::vector<double> moved(weights.begin(), weights.end());
    std::vector<float> costs;
    for (std::size_t i = 0; i < count; ++i) {
        moved[which] = std::lerp(low, high, count > 1 ? double(i) / double(count - 1) : 0.5);
        net.compute(moved);
        costs.push_back(float(net.cost()));
    }
    return costs;
}

std::vector<float> cost_over_line(const DescentTask& task, std::array<double, 2> w, std::array<double, 2> b,
                                  std::size_t columns, std::size_t rows) {
    DescentNet net(task);
    std::vector<float> costs;
    for (std::size_t r = 0; r < rows; ++r)
        for (std::size_t c = 0; c < columns; ++c) {
            const std::array<double, 2> weights = {std::lerp(w[0], w[1], (double(c) + 0.5) / double(columns)),
                                                   std::lerp(b[1], b[0], (double(r) + 0.5) / double(rows))};
            net.compute(weights);
            costs.push_back(float(net.cost()));
        }
    return costs;
}

std::vector<float> said_over_plane(const DescentTask& task, std::span<const double> weights, double reach,
                                   std::size_t side) {
    DescentTask all = task;
    all.points.clear();
    const auto place = [&](std::size_t i) { return ((double(i) + 0.5) / double(side) * 2 - 1) * reach; };
    for (std::size_t r = 0; r < side; ++r)
        for (std::size_t c = 0; c < side; ++c) all.points.push_back({place(c), -place(r)});
    DescentNet net(all);
    net.compute(weights);
    const Tensor& said = net.graph().find("descent.prediction")->value;
    return {said.data(), said.data() + said.size()};
}

} // namespace headlight
