// Where the things that the program reads but people may edit lie: strings, grammars, lessons, models.
#pragma once

#include "engine/base/result.h"

#include <filesystem>

namespace headlight {

// The folder that has strings/ in it: $HEADLIGHT_ASSETS when that is set, else share/headlight/assets or
// assets beside the program or one folder above it, else that of the source tree it was built from. Errors:
// error.assets_missing (where it was looked for).
Result<std::filesystem::path> find_assets();

// The folder of a model that a person named in the terminal: the folder itself, or, where there is none of
// that name, the shipped model that is called so ("copy").
std::filesystem::path find_model(const std::filesystem::path& assets, const std::filesystem::path& named);
// Of one that a session, a lesson or a command of the window names: they mean the same wherever the program
// was started, so the shipped model comes first; one's own folder of the same name is written with its place
// ("./copy").
std::filesystem::path model_folder(const std::filesystem::path& assets, const std::filesystem::path& named);

} // namespace headlight
