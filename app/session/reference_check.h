// Does this machine compute what PyTorch computed? Shipped with the models are values of a forward pass of
// some of them (assets/reference, made by make_reference.py); here the same sentences are computed anew and
// compared.
#pragma once

#include "engine/base/result.h"
#include "engine/tensor/real.h"

#include <filesystem>
#include <string>
#include <vector>

namespace headlight {

// Of the largest magnitude of a value. PyTorch's numbers are those of double precision, so all of it is for
// rounding in single: what was measured with and without AVX2 stays below a tenth of it.
constexpr double reference_tolerance = 1e-5;

struct ComparedModel {
    std::string name, text; // of the shipped model, and what it was given
    Index values = 0, numbers = 0;
    double worst = 0; // difference, relative to the largest magnitude of its value
    std::string worst_path;

    bool agrees() const { return worst <= reference_tolerance; } // false too for what is not a number
};

// One for each reference, in the order of their names. Errors: no references, a file or a model that cannot
// be read, values of other names or shapes than the model's.
Result<std::vector<ComparedModel>> compare_with_reference(const std::filesystem::path& assets);

} // namespace headlight
