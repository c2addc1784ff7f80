// A model and its task as a folder that stands alone, for those who go on in PyTorch, on many machines
// perhaps:
//
//     README.md  model.py  train.py  data.py  folders.py    from assets/pytorch, as they are
//     model/     the model as a run at step 0 (app/live/run_folder.h), which train.py's checkpoints are made
//     like data/      training.jsonl, held_out.jsonl: a pair a line; task.json: what of a pair is said and
//     judged
#pragma once

#include "engine/base/result.h"

#include <filesystem>
#include <string>

namespace headlight {

struct PytorchExport {
    std::filesystem::path model; // its folder
    std::filesystem::path assets, out;
    std::string language = "en"; // of the README
};

// Pairs of a task without end are drawn, so many, as are those of one whose pairs are not all as likely.
constexpr Index drawn_for_pytorch = 40'000;

// A model of which no task is known is of own pairs that are yet to come: data/ has none. Errors: a model
// that is not one of our Transformers; its task's file, which is missing or does not fit it; a folder that
// holds something already, or cannot be written.
Result<Done> export_for_pytorch(const PytorchExport& request);

} // namespace headlight
