// What of the training the window shows: the newest weights, or those of a moment that was kept.
#pragma once

#include "app/live/live_training.h"
#include "app/session/loaded_model.h"
#include "app/session/training/over_time.h"

#include <memory>
#include <optional>

namespace headlight {

// The same sentence in the model as it was after two steps of a run.
struct MomentDifference {
    Index from = 0, to = 0;
};

struct TrainingView {
    explicit TrainingView(std::filesystem::path assets) : training(std::move(assets)) {}

    LiveTraining training;
    bool shown = false;   // the window's model is that of a run
    bool awaited = false; // will be, as soon as the run is prepared
    bool live = true;     // follows the newest weights
    Index step = 0;       // after which the weights are as they are shown
    bool playing = false; // the film: from one kept moment to the next
    std::optional<MomentDifference> difference;
    std::optional<OverTime> over_time;
    bool compared = false; // there was a difference in the frame before

    // --- for those who follow it
    std::shared_ptr<const RunModel> model; // of the run that is shown
    double film_clock = 0;                 // seconds since the last picture
    double seconds_to_rest = 0;            // before the newest weights are shown again

    // Another model takes the place of the one that was shown: of a run, or none of it any more.
    void show(std::shared_ptr<const RunModel> other) {
        model = std::move(other);
        shown = model != nullptr;
        awaited = playing = false;
        live = true;
        difference.reset();
        if (!shown) over_time.reset();
    }
};

// A model to be shown, of a run: no file is needed, and new weights are copied into it.
std::unique_ptr<LoadedModel> model_of_run(const RunModel& model, const std::string& name);

} // namespace headlight
