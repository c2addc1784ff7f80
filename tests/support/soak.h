// How much of a long test is done: a sample in every run, all of it with HEADLIGHT_SOAK=1 in the environment.
#pragma once

#include <cstdlib>

namespace headlight::test {

inline bool soaks() { return std::getenv("HEADLIGHT_SOAK") != nullptr; }

} // namespace headlight::test
