// What a target begins with: fixtures from where they lie, and what was found before
// (tests/data/fuzz/TARGET).
#pragma once

#include "tests/fuzz/folder_input.h"
#include "tests/fuzz/target.h"

namespace headlight::fuzz {

struct Example {
    std::string name; // its path
    std::string input;
};

std::vector<Example> examples_of(const Target& target);
// These files, or folders, of a target that takes folders.
std::vector<Example> examples_in(const Target& target, const std::vector<std::string>& paths);

} // namespace headlight::fuzz
