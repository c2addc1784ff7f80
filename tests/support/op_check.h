// Puts an operation to the test: value, gradient and explanation, against its naive twin.
#pragma once

#include "engine/graph/graph.h"
#include "tests/support/numbers.h"

#include <functional>
#include <string>
#include <vector>

namespace headlight::test {

// A value of the graph with a gradient of its own, of any shape: what parameters are to a model.
Node* input(Graph& graph, const Numbers& numbers);

// Σ weights · x, the weights drawn from `seed`: a [1 × 1] loss on which every cell of x has a say.
Node* weighted_sum(Node* x, std::uint64_t seed);
double weighted_sum(const Numbers& x, std::uint64_t seed);

using Inputs = std::vector<Node*>;
using Build = std::function<Node*(Graph&, const Inputs&)>;
using Twin = std::function<Numbers(const std::vector<Numbers>&)>;

// "" when the operation, built on these inputs, has the twin's value; when the gradient of every cell of
// every input is the twin's, found by central differences; and when every cell of every node is explained,
// value and gradient.
// The same once more with the operation built twice on the same inputs and its values added, so that each
// gradient is written and then added to. Float or double: what is compared is the precision of the build.
// Edits name nodes by their path "once.…".
std::string fault(const std::vector<Numbers>& inputs, const Build& build, const Twin& twin,
                  const std::vector<Edit>& edits = {});

// 1e-6 in double; what float can give in the other build. Relative to the largest gradient of the input.
extern const double gradient_tolerance;
// Of a value against its twin, relative to the largest of the value.
extern const double value_tolerance;

} // namespace headlight::test
