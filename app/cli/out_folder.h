// A folder that results may be written into.
#pragma once

#include "engine/base/result.h"

#include <filesystem>

namespace headlight {

// A folder that has something in it must be a model folder of ours (config.json of one of our
// architectures): nothing else is overwritten. Errors: a file, a folder of somebody else's. Whether it can be
// written into is found out by FolderTransaction::begin.
Result<Done> check_out_folder(const std::filesystem::path& folder);

} // namespace headlight
