// A link is a session in an address (app/web/link.js): its commands, a line each. It comes from anybody.
#pragma once

#include "engine/base/result.h"

#include <cstddef>
#include <string_view>

namespace headlight {

// A session as it is shared has a hundredth of this; a page is not to be kept busy by what an address says.
constexpr std::size_t longest_link = 64 * 1024; // bytes
constexpr int most_lines_of_a_link = 500;

// Error: it says more than a session that somebody shares does.
Result<Done> check_link(std::string_view lines);

} // namespace headlight
