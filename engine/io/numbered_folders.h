// A folder of folders that are called 1, 2, 3, …: one for each who came, in their order.
#pragma once

#include "engine/tensor/real.h"

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace headlight {

// Number and name, by number.
std::vector<std::pair<Index, std::string>> numbered_folders(const std::filesystem::path& folder);

// A folder that is nobody's yet, behind all others: whoever makes it has it. Where it cannot be made, its
// path alone: writing into it says why.
std::filesystem::path claim_numbered_folder(const std::filesystem::path& folder);

} // namespace headlight
