// From the words after the program's name to a command that runs.
#pragma once

namespace headlight {

// Returns the exit status: 0, 2 for wrong usage or input, 1 for any other failure.
int run_command_line(int count, char** words);

} // namespace headlight
