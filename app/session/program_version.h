// What this program is and what it was made with.
#pragma once

#include <string>

namespace headlight {

std::string program_version(); // "0.1.0"
std::string compiler_name();   // "GCC 12.2.0"
std::string system_name();     // "Linux, x86-64"

} // namespace headlight
