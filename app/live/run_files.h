// What the files of a run's folder are called, and which of their formats is written.
#pragma once

#include "app/live/run_folder.h"

namespace headlight::run_files {

inline constexpr const char *run_file = "run.json", *curves_file = "curves.safetensors",
                            *timeline_file = "timeline.safetensors";
inline constexpr int format = 1;

} // namespace headlight::run_files
