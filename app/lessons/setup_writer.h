// Writes the commands that lead to a state into a card of a lesson's file.
#pragma once

#include "engine/base/result.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

// The text with the setup block of the card whose heading stands in that line (from 1) replaced by these
// commands; behind the heading where the card has none. Everything else stays as it was.
std::string with_setup(std::string_view text, int heading, const std::vector<std::string>& commands);

Result<Done> write_setup_of_card(const std::filesystem::path& file, int heading,
                                 const std::vector<std::string>& commands);

} // namespace headlight
