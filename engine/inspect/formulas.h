#pragma once

#include "engine/graph/explanation.h"
#include "engine/graph/graph.h"
#include "engine/model/model_map.h"
#include "engine/tensor/real.h"

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace headlight {

// Formulas of a model's values, derived from the operations that compute them and the symbols that the
// model's map gives: so that none says what is not done.

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

// The products of matrices of a graph and nothing else: as fast as training could be if all between them were
// free.

class BareProducts {
public:
    // Of what the graph has just computed and differentiated: the same shapes, forward and backward, in as
    // much memory of its own. What a recurrence computes row by row is one product here: a limit all the
    // more.
    explicit BareProducts(const Graph& graph);

    void run(); // each product once, as the operations compute them
    bool empty() const { return products_.empty(); }

private:
    // C = A·Bᵀ or A·B, and for the gradients that are needed ∂A = ∂C·B or ∂C·Bᵀ, ∂B = ∂Cᵀ·A or Aᵀ·∂C.
    struct Product {
        MatrixProduct sizes;
        bool is_transposed = false, of_a = false, of_b = false;
        Tensor a, b, c, gradient_a, gradient_b;
    };
    Arena memory_;
    std::vector<Product> products_;
};

// An explanation to be read as lists: every long sum or maximum stands in a step of its own, so that its
// terms can be shown under one another and the arithmetic around it in one short line after them.

// "mean = (a + b + c) / 3" becomes "sum = a + b + c" and "mean = sum / 3": the same arithmetic, the same last
// value. The new steps are called "sum" and "largest"; a line that is nothing but its list keeps its name.
Explanation with_sums_apart(const Explanation& explanation);

// Why scores are divided by √d_k (Vaswani et al. 2017, §3.2.1, footnote 4): measured, not derived.

// What happens to dot products of vectors whose numbers have mean 0 and variance 1, at one width.
struct DotProducts {
    Index d_k = 0;
    // Of q · k over thousands of pairs, so that it is steady; the variance grows as d_k does.
    double mean = 0, variance = 0;
    // How many dot products fall into each of equal parts of −end … end, as they are and ÷√d_k.
    static constexpr std::size_t bins = 41;
    double end = 0;
    std::array<int, bins> unscaled{}, scaled{};
    // After softmax over the keys, without ÷√d_k and with it:
    double largest_unscaled = 0, largest_scaled = 0; // the largest weight of a row, mean of the rows
    double slope_unscaled = 0,
           slope_scaled = 0; // ∂weight/∂score = p (1 − p), mean: what of a gradient passes
};

// `queries` vectors against `keys` vectors of d_k normal numbers each, drawn from the seed; the variance from
// as many again as it takes to be right within a few hundredths. All positive.
DotProducts measure_dot_products(Index d_k, Index queries, Index keys, std::uint64_t seed);

} // namespace headlight
