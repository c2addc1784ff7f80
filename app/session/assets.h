// Where the things that the program reads but people may edit lie: strings, grammars, lessons, models.
#pragma once

#include "engine/base/result.h"

#include <filesystem>

namespace headlight {

// The folder that has strings/ in it: $HEADLIGHT_ASSETS when that is set, else share/headlight/assets or
// assets beside the program or one folder above it, else that of the source tree it was built from. Errors:
// error.assets_missing (where it was looked for).
Result<std::filesystem::path> find_assets();

} // namespace headlight
