// What of the training the window shows: the newest weights, or those of a moment that was kept, or the model
// that was open before.
#pragma once

#include "app/session/loaded_model.h"
#include "app/session/sentence.h"
#include "app/session/training/live_training.h"
#include "app/session/training/over_time.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace headlight {

// The same sentence in the model as it was at two moments of a run.
struct MomentDifference {
    Index from = 0, to = 0;              // steps
    std::unique_ptr<LoadedModel> before; // with the weights of `from`; the window's model has those of `to`
};

struct TrainingView {
    explicit TrainingView(std::filesystem::path assets) : training(std::move(assets)) {}

    LiveTraining training;
    bool shown = false;   // the window's model is that of a run
    bool awaited = false; // will be, as soon as the run is prepared
    bool live = true;     // follows the newest weights
    Index step = 0;       // after which the weights are as they are shown
    bool playing = false; // the film: from one kept moment to the next
    double moments_per_second = 12;
    std::optional<MomentDifference> difference;
    std::optional<OverTime> over_time;

    // --- for Session
    std::shared_ptr<const RunModel> model;  // of the run that is shown
    double film_clock = 0;                  // seconds since the last picture
    double seconds_to_rest = 0;             // before the newest weights are shown again
    std::shared_ptr<LoadedModel> put_aside; // what was open before
    std::vector<std::string> examples_before;
    std::string source_before;
    std::optional<std::string> target_before;
};

// A model to be shown, of a run: no file is needed, and new weights are copied into it.
std::unique_ptr<LoadedModel> model_of_run(const RunModel& model, const std::string& name);
// Copies the weights; the graph stays as it is.
void put_weights(LoadedModel& model, const Numbers& weights);
// Feeds `to` with what `from` was fed, token by token, and computes it.
void compute_like(const LoadedModel& from, LoadedModel& to);

} // namespace headlight
