// What a run needs beside its model to go on as if it had never stopped: training.json, which a person can
// read, and optimizer.safetensors, Adam's moments, in the model's folder.
#pragma once

#include "engine/base/result.h"
#include "engine/io/folder_transaction.h"
#include "engine/io/safetensors.h"
#include "engine/model/parameters.h"
#include "engine/task/task.h"
#include "engine/train/trainer.h"

#include <filesystem>
#include <optional>
#include <string>

namespace headlight {

struct TrainingState {
    std::string task;  // of task_names(), memory_task_names(), or own_pairs
    std::string pairs; // the file, when the task is own_pairs, or learnt on one of a person's own
    TokenizerKind unit = TokenizerKind::words; // by which a text of one's own is cut
    Index vocabulary = 0;                      // tokens that byte pairs learn; 0: the usual number
    Index distance = usual_distance;           // of a task of memory (engine/task/tasks.h)
    bool reversed = false;                     // of own pairs: from the second language to the first
    StoredAs stored = StoredAs::f32;           // how the model's weights are written
    TrainingOptions options;
    Index step = 0;    // optimizer steps taken
    Index planned = 0; // steps that the run was to take in all
    bool operator==(const TrainingState&) const = default;
};

inline constexpr const char* own_pairs = "pairs";

// Writes both files, with the model that they belong to. The moments carry a fingerprint of the weights they
// belong to; where the model is stored as F16, the exact weights are beside them, so that training goes on
// from these, and who ships the model leaves optimizer.safetensors behind.
Result<Done> write_training_state(FolderTransaction& to, const TrainingState& state,
                                  const Parameters& parameters, const Adam& adam);

// What training.json says (options.threads: as it was); nothing when there is none.
Result<std::optional<TrainingState>> read_training_state(const std::filesystem::path& folder);

// The task that it was: make_task, or, with a file, make_own_task.
Result<std::unique_ptr<Task>> make_task_of(const TrainingState& state, const std::string& assets);

// Gives Adam the folder's moments, and the weights their exact numbers. False, and nothing changes, when
// there are none or the weights are no longer those that the moments belong to: another program trained them
// on.
Result<bool> restore_optimizer(const std::filesystem::path& folder, Parameters& parameters,
                               const TrainingState& state, Adam& adam);

} // namespace headlight
