// Formulas of a model's values, derived from the operations that compute them and the symbols that the
// model's map gives: so that none says what is not done.
#pragma once

#include "engine/model/model_map.h"

#include <string>
#include <utility>
#include <vector>

namespace headlight {

struct WrittenFormula {
    std::string text;  // in the formula language: "S = Q\\,K^T"
    std::string sized; // the same with this model's sizes: "\\frac{S}{\\sqrt{16}} = \\frac{S}{4}"; or empty
    // What its letters stand for: values and weights, as the formula writes them.
    std::vector<std::pair<std::string, const Node*>> letters = {};
};

// With the graph's edits: where one removes the step, it says what is done instead.
WrittenFormula formula_of(const ModelMap& map, const Node& value);

// What is done to the value's first input, in little: "\\times\\,K^T", "\\mathrm{softmax}"; empty where there
// is nothing to say.
std::string sign_of(const ModelMap& map, const Node& value);

// "\\color{query}{Q_h}": of one head, where the value has heads. What gradients are written with.
std::string symbol_of(const ModelMap& map, const Node& value);

} // namespace headlight
