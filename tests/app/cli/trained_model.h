// A model that was trained by the program itself, once for all tests.
#pragma once

#include "tests/app/cli/program.h"

namespace headlight::test {

// Sizes that make a step of training a matter of a millisecond.
inline const std::vector<std::string> tiny_sizes{"--d-model", "16",     "--heads", "2",       "--layers",
                                                 "1",         "--d-ff", "32",      "--batch", "8"};

// Three pairs that it knows by heart: the cat → o gato, the king → o rei, a → um.
const std::filesystem::path& trained_model();
std::filesystem::path trained_pairs();

std::vector<std::string> with(std::vector<std::string> words, const std::vector<std::string>& more);

} // namespace headlight::test
