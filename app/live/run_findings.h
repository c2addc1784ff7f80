// What goes wrong in a training, from what was measured of it: each in a form that one sentence can say.
#pragma once

#include "app/live/run_channel.h"

#include <optional>
#include <span>
#include <vector>

namespace headlight {

struct Run;

// What is looked at; all of it is a run's.
struct RunMetrics {
    std::span<const StepPoint> steps = {}; // of first_step + 1, …
    Index first_step = 0;
    std::span<const Judgement> judged = {};
    double chance = 0; // the loss of who guesses among all words alike: ln of their number
    Index warmup = 0;  // steps
    bool judged_on_training = false;
    double goal_exact = 0;    // 0: none
    double silent_units = -1; // see Evaluation
    bool not_finite = false;  // it stands because its numbers overflowed

    Index step() const { return first_step + Index(steps.size()); }
};
RunMetrics metrics_of(const Run& run);

enum class RunSign {
    too_fast,    // value: the loss now; step: none
    silent,      // value: the share of ReLUs that nothing opens
    overfitting, // step: the best; value: its held-out loss; now: the present one
    memorised,   // nothing is held out, and all of it is said right
    chance,      // value: the loss now
    plateau,     // step: since when; value: the loss
    recedes      // the goal; step: since when; value: the share that was right then
};

struct RunFinding {
    RunSign sign;
    Index step = 0;
    double value = 0, now = 0;
};

// The most telling first; none of a run that learns, or that is too young to tell.
std::vector<RunFinding> find_signs(const RunMetrics& metrics);

// Steps until so large a share of the judged pairs is right, by how that share rose of late. Nothing while it
// does not rise by more than chance would have it.
std::optional<double> steps_to_exact(std::span<const Judgement> judged, double goal);

double chance_loss(const RunModel& model);
// The loss that label smoothing leaves to a perfect model of so many words.
double smoothing_floor(double smoothing, Index words);
Index words_to_choose_from(const RunModel& model); // or classes

} // namespace headlight
