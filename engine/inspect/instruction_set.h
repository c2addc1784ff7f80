// How many numbers this library computes at a time. It may be built more than once, for several processors,
// and the loader takes one of them: the library itself is asked, not the program.
#pragma once

#include "engine/tensor/real.h"

#include <string>
#include <vector>

namespace headlight {

struct InstructionSet {
    std::string used;               // that products and lanes were compiled for: "AVX2, FMA"
    Index at_once = 1;              // numbers that one of its instructions takes
    std::vector<std::string> other; // that the processor at hand also has, and this library does not use
};

InstructionSet instruction_set();

} // namespace headlight
