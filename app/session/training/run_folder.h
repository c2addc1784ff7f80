// A run on disk: a model folder with the newest weights, which any program may open and `headlight train
// --from` goes on with, and beside it what the window knows of the run: run.json (settings and judgements),
// curves.safetensors (every step) and timeline.safetensors (every kept moment).
#pragma once

#include "app/session/training/run.h"
#include "engine/base/result.h"

#include <filesystem>
#include <memory>

namespace headlight {

// The run does not train meanwhile and has been prepared. The folder is made when it is missing. Each file
// appears whole or not at all, run.json last. Errors: a folder that holds something else, a full disk.
Result<Done> write_run(const std::filesystem::path& folder, const Run& run);

// A run as it was written, paused. Curves that go beyond the last kept moment, because the writing was cut
// short, end there. Errors: a file that is missing or damaged, or does not belong to the others.
Result<std::unique_ptr<Run>> read_run(const std::filesystem::path& folder, Index timeline_budget);

} // namespace headlight
