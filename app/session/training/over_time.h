#pragma once

#include "app/live/run.h"
#include "app/session/loaded_model.h"
#include "engine/inspect/measures/measures.h"

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace headlight {

// One value of the sentence at many checkpoints of a run: a head as small pictures side by side, or how one
// number grew, such as the probability of a word.

class OverTime {
public:
    struct Wanted {
        std::string path;
        Index head = -1; // of a per-head value; −1: all of them
        std::optional<Cell>
            cell;                // one number, at every kept checkpoint; else matrices, at `pictures` of them
        SweepTarget target = {}; // of an attribution: which number is taken apart
        bool operator==(const Wanted&) const = default;
    };
    static constexpr std::size_t pictures = 12;

    explicit OverTime(Wanted wanted) : wanted_(std::move(wanted)) {}

    // Works for about so many seconds on what is missing: the sentence as the window's model has it, with the
    // weights of each checkpoint. True when there is something new.
    bool advance(const Run& run, const LoadedModel& window, double seconds);

    const Wanted& wanted() const { return wanted_; }
    // By step, as far as they are computed: row-major, [heads ×] rows × columns of the value; of a cell one
    // number.
    const std::map<Index, Reals>& values() const { return values_; }
    const Shape& shape() const { return shape_; } // of the whole value, now
    bool is_complete() const { return is_complete_; }

private:
    std::vector<Index> steps_wanted(const Run& run) const;
    Reals read(const Node& node) const;

    Wanted wanted_;
    std::shared_ptr<const RunModel> model_; // of the run
    std::unique_ptr<LoadedModel> scratch_;  // its graph, with the weights of one checkpoint after another
    std::vector<Real> fed_;                 // the tokens that values_ belong to
    Shape shape_;
    std::map<Index, Reals> values_;
    bool is_complete_ = false;
};

// The curves of runs as a table that other programs read.

// A line a step: run, step, loss, gradient_norm, learning_rate, and of the steps after which the held-out
// pairs were judged held_out_loss, token_accuracy, exact_match, seconds; else these are empty. Numbers are
// written with a point, whatever the language.
std::string curves_table(std::span<const std::unique_ptr<Run>> runs, char separator);

} // namespace headlight
