// `headlight --check`: what this machine is, and whether the program computes here what PyTorch computed
// elsewhere.
#pragma once

#include "app/cli/terminal.h"

#include <filesystem>

namespace headlight {

// Prints a line for each thing. Returns succeeded, or failed where a number is wrong or nothing could be
// compared; that there are no graphics is said and no failure: the terminal's commands need none.
int check_program(Terminal& terminal, const std::filesystem::path& assets);

} // namespace headlight
