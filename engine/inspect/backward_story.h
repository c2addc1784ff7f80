// The backward pass as a story: ordered steps from the loss back to the weights of every layer and to the
// tables, each with the chain rule that gives its gradient. Derived from the graph, as the forward story is.
#pragma once

#include "engine/model/model.h"

#include <string>
#include <vector>

namespace headlight {

struct BackwardStep {
    const Node* node = nullptr;                // whose gradient this step finds
    std::string role;                          // as in the forward story; weights too: "self_attn.w_q"
    std::string block;                         // the box of the architecture that it belongs to
    std::string formula;                       // "\\frac{\\partial L}{\\partial Q_h} = …"
    std::vector<const Node*> gradients_from;   // the values that hand back to it, last computed first
    std::vector<const Node*> values_from = {}; // the values and weights that the formula multiplies with
    bool is_weight = false;

    const std::string& path() const { return node->path; }
};

// Every value and weight that the loss depends on, in an order in which each gradient is made from earlier
// ones: the loss first, a weight right after the value that it helped to compute. The model must have a loss.
std::vector<BackwardStep> tell_backward(const Model& model);

// Keys of a step's strings, "gradient.<key>.title" and ".text", the most specific first; the last is
// "weight", "bias" or "value", for which there always are texts.
std::vector<std::string> gradient_keys(const BackwardStep& step);

} // namespace headlight
