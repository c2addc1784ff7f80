// A folder of one of the families that others made, as it was downloaded.
#pragma once

#include "engine/io/model_folder.h"

#include <filesystem>
#include <optional>
#include <string>

namespace headlight {

// "gpt2" of a folder whose config.json says so; "" of one of our own, and of one without a config.json.
std::string family_of_folder(const std::filesystem::path& folder);

// What a folder is that is no model: an adapter, or without a config.json a file of another program.
std::optional<Error> why_no_model(const std::filesystem::path& folder);

// config.json, the weights and the tokenizer, each checked; see family_config.h and weight_files.h.
Result<ModelFiles> read_family_folder(const std::filesystem::path& folder);

} // namespace headlight
