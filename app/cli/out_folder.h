// A folder that results may be written into.
#pragma once

#include "engine/base/result.h"

#include <filesystem>
#include <optional>

namespace headlight {

struct OutFolderProblem {
    Error error;
    bool is_misuse; // the wrong folder was named; else the system does not let us write there
};

// Makes the folder when it is missing, and finds out whether files can be written there. A folder that has
// something in it must be a model folder of ours (config.json of an encoder-decoder): nothing else is
// overwritten.
std::optional<OutFolderProblem> prepare_out_folder(const std::filesystem::path& folder);

} // namespace headlight
