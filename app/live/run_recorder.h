// A training that no window watches, as a run: beside the model that comes of it stand its curves and what is
// known of it, so that a window opens it like one of its own.
#pragma once

#include "app/live/run_folder.h"
#include "engine/train/training_run.h"

#include <filesystem>
#include <string>

namespace headlight {

class RunRecorder {
public:
    // Before the first step. `name`: what the run is called.
    RunRecorder(const TrainingRun& run, const TrainingState& state, const RunLimits& limits,
                std::string name);
    // The run of this folder, if there is one and it ended at the step from which this one goes on: its curves
    // are this one's beginning.
    void begin_with(const std::filesystem::path& folder);
    void add(const StepResult& step);
    void add(const TrainingRecord& record);
    // Into the folder that has, or will have, the model as it is now.
    Result<Done> write(FolderTransaction& to) const;

private:
    RunRecord record_;
    double seconds_before_ = 0;
    std::filesystem::path begun_in_; // whose kept moments are of this run too
};

} // namespace headlight
