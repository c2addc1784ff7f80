// How much of a long test is done: a sample in every run, all of it with HEADLIGHT_SOAK=1 in the environment.
#pragma once

#include <cstdlib>

namespace headlight::test {

inline bool soaks() { return std::getenv("HEADLIGHT_SOAK") != nullptr; }

// Of cells: one of seven, which is no divisor of the shipped models' widths, so that all columns are met.
inline int sampled_cells() { return soaks() ? 1 : 7; }

} // namespace headlight::test
