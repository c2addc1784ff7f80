// Formulas of the formula language, read as what they say: numbers computed from a text, to be held against
// those that an operation computed.
#pragma once

#include "engine/tensor/tensor.h"

#include <map>
#include <string>
#include <vector>

namespace headlight::test {

// A matrix in double; one row stands for a vector that is the same for every row.
struct Numbers2 {
    Index rows = 0, columns = 0;
    std::vector<double> data = {};

    double& at(Index r, Index c) { return data[std::size_t(r * columns + c)]; }
    double at(Index r, Index c) const { return data[std::size_t(r * columns + c)]; }
};

using Bindings = std::map<std::string, Numbers2>; // "K", "\\sqrt{d_k}", "\\mathrm{head}_1"

// The value of "\\frac{Q\\,K^T}{\\sqrt{d_k}} + M". Throws std::runtime_error where it cannot be read.
Numbers2 evaluate_formula(const std::string& text, const Bindings& letters);

std::string without_colours(std::string text);
// What stands behind the first sign of equality that is outside of all brackets; all where there is none.
std::string right_hand_side(const std::string& equation);

} // namespace headlight::test
