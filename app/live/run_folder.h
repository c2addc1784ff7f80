#pragma once

#include "app/live/run.h"
#include "engine/base/result.h"
#include "engine/io/folder_transaction.h"
#include "engine/train/training_run.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace headlight::run_files {

// What the files of a run's folder are called, and which of their formats is written.

inline constexpr const char *run_file = "run.json", *curves_file = "curves.safetensors",
                            *timeline_file = "timeline.safetensors";
inline constexpr int format = 1;

} // namespace headlight::run_files

namespace headlight {

// A run on disk: a model folder with the newest weights, which any program may open and `headlight train
// --from` goes on with, and beside it what the window knows of the run: run.json (settings and judgements),
// curves.safetensors (every step) and timeline.safetensors (every kept checkpoint, as of the last time that
// all was written: it is by far the largest, and may lack the latest).

// What of a run is written, apart from it: it can be written beside the window while the run goes on.
struct RunRecord {
    std::string name;
    Index number = 0, colour = -1;
    bool hidden = false;
    TrainingSettings settings;
    std::optional<Run::Origin> origin;
    Index first_step = 0;
    std::shared_ptr<const RunModel> model;
    std::vector<StepPoint> steps;
    std::vector<Judgement> judged;
    double seconds = 0;
    std::vector<Checkpoint> checkpoints; // at least one; none is later than the last step
    std::vector<Index> pinned;           // of them
};
// As the window knows it now, or as it was at a moment that the trainer was asked for. Nothing as long as the
// run is not prepared.
std::optional<RunRecord> record_of(const Run& run, const std::optional<Checkpoint>& at = {});

// Writes all of it, or, after an Error, nothing. The folder is made when it is missing. Errors: a folder that
// holds something else, another writer, a full disk.
Result<Done> write_run(const std::filesystem::path& folder, const RunRecord& record);
// The same as a part of a change that is not yet committed.
Result<Done> write_run(FolderTransaction& to, const RunRecord& record);
// All but the timeline, which stays as it was, or is none yet: what is read then has the newest checkpoint
// too.
Result<Done> write_newest_of_run(FolderTransaction& to, const RunRecord& record);

// What stands beside the model folder alone: curves, settings, judgements.
Result<Done> write_story_of_run(FolderTransaction& to, const RunRecord& record);

// A run as it was written, paused. Curves that go beyond the last kept checkpoint, because the run went on
// when it was written, end there. Errors: a file that is missing or damaged, or does not belong to the
// others.
Result<std::unique_ptr<Run>> read_run(const std::filesystem::path& folder);

// A training that no window watches, as a run: beside the model that comes of it stand its curves and what is
// known of it, so that a window opens it like one of its own.

class RunRecorder {
public:
    // Before the first step. `name`: what the run is called.
    RunRecorder(const TrainingRun& run, const TrainingState& state, const RunLimits& limits,
                std::string name);
    // The run of this folder, if there is one and it ended at the step from which this one goes on: its
    // curves are this one's beginning.
    void begin_with(const std::filesystem::path& folder);
    void add(const StepResult& step);
    void add(const TrainingRecord& record);
    // Into the folder that has, or will have, the model as it is now.
    Result<Done> write(FolderTransaction& to) const;

private:
    RunRecord record_;
    double seconds_before_ = 0;
    std::filesystem::path begun_in_; // whose kept checkpoints are of this run too
};

} // namespace headlight
