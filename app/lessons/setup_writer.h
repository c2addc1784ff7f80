// Writes the commands that lead to a state into a card of a lesson's file.
#pragma once

#include "engine/base/result.h"

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

// A lesson's text with these commands as the setup of a card, from 0: in the place of its setup blocks, or
// behind its heading where it has none. Everything else stays as it was; so does all of it where there is no
// such card.
std::string with_setup(std::string_view text, std::size_t card, const std::vector<std::string>& commands);

Result<Done> write_setup_of_card(const std::filesystem::path& file, std::size_t card,
                                 const std::vector<std::string>& commands);

} // namespace headlight
