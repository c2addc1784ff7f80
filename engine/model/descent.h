// The way that gradient descent walks: which weights and costs there are after each step; and the cost around
// it, seen from above.
#pragma once

#include "engine/model/descent_net.h"

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace headlight {

// So many steps at one rate.
struct DescentStretch {
    Index steps = 0;
    double rate = 0;
    bool operator==(const DescentStretch&) const = default;
};
constexpr Index most_descent_steps = 10000; // of one way: all of it is kept

// What a person sets; all weights on the way follow from it.
struct DescentSetting {
    DescentTask task = fresh_task(DescentKind::weight);
    std::vector<double> start = fresh_weights(task);
    std::vector<DescentStretch> way;
    std::optional<Index> at; // the step that is looked at; none: the last
    double rate = 0.05;      // α of the steps to come
    bool operator==(const DescentSetting&) const = default;

    Index steps() const;
    void look_at(Index step); // or the last, where there are not so many
    // So many steps more, from where one looks: what came after is gone.
    void go(Index steps);
    // The way begins anew, with other weights or another task.
    void begin(std::vector<double> weights);
    void begin(DescentTask next); // with fresh weights where the present ones do not fit
};

// The way, computed, and the net as it is at the step that is looked at.
class Descent {
public:
    // Goes on with `before` where the way is the same as far as that one went.
    static std::shared_ptr<Descent> compute(const DescentSetting& setting,
                                            std::shared_ptr<Descent> before = nullptr);

    const Graph& graph() const { return net_.graph(); }
    const DescentNet& net() const { return net_; }
    Index step() const { return step_; }                  // that is looked at
    Index last() const { return Index(way_.size()) - 1; } // of the way, as far as it came
    bool diverged() const { return diverged_; } // the way ends early: the next numbers are beyond use
    const std::vector<double>& weights(Index step) const { return way_[std::size_t(step)]; }
    const std::vector<float>& costs() const { return costs_; } // by step
    double cost() const { return net_.cost(); }

    explicit Descent(const DescentSetting& setting) : of_(setting), net_(setting.task) {}

private:
    void walk(const DescentSetting& setting);

    DescentSetting of_;
    DescentNet net_;
    std::vector<std::vector<double>> way_;
    std::vector<float> costs_;
    Index step_ = 0;
    bool diverged_ = false;
};

// C over one weight at the others' present values, at `count` places from low to high, ends included.
std::vector<float> cost_along(const DescentTask& task, std::span<const double> weights, std::size_t which,
                              double low, double high, std::size_t count);
// C over the two weights of a line, row by row: b downwards from high to low, w to the right.
std::vector<float> cost_over_line(const DescentTask& task, std::array<double, 2> w, std::array<double, 2> b,
                                  std::size_t columns, std::size_t rows);
// What the net says at points of the plane, row by row: x₂ downwards from high to low, x₁ to the right.
std::vector<float> said_over_plane(const DescentTask& task, std::span<const double> weights, double reach,
                                   std::size_t side);

} // namespace headlight
