#pragma once

#include "engine/inspect/formulas.h"
#include "engine/model/transformer.h"

#include <string>
#include <vector>

namespace headlight {

// The graph of one sentence as a story: ordered, titled steps from token ids to what the model says. The
// order is that of computation, the boxes are those of the architecture, the formulas are the operations'
// own.

struct StoryStep {
    const Node* node = nullptr;
    std::string
        role; // what it is wherever it stands: "self_attn.scores"; strings "step.<role>.title", ".text"
    std::string family;  // what it is among its like: "attn.scores", "add"
    std::string block;   // the box of the architecture that it belongs to: "encoder.0.self_attn"
    std::string formula; // in the formula language: "S = Q\\,K^T"
    std::string sign;    // what it does to its first operand, in little: "\\div\\,\\sqrt{d_k}"
    std::string sized;   // the same with this model's sizes: "\\frac{S}{\\sqrt{16}} = \\frac{S}{4}"
    std::vector<std::pair<std::string, const Node*>> letters; // what those of the formula stand for
    std::vector<const Node*> operands;                        // values and weights that it is made from

    const std::string& path() const { return node->path; }
};

// Every named value of the graph that is not a weight, in the order of computation; the goal stands before
// the loss.
std::vector<StoryStep> tell(const Model& model);
// Its formula and sign as they are now: a loss has another with label smoothing, an edited value with its
// edits.
void write_formula(StoryStep& step, const ModelMap& map);

// A box of the architecture's map, in order: its steps are steps[first] … steps[first + count − 1].
struct StoryBlock {
    std::string id;   // "decoder.1.cross_attn"
    std::string kind; // "cross_attn", "embed", "add_norm", "ffn", "output", …; string "block.<kind>"
    std::string side; // the stack: "encoder", "decoder", "output"; empty outside of stacks
    Index layer = -1; // from 0; −1 outside the layers
    Index first = 0, count = 0;
    bool attends = false;   // it is an attention
    bool in_stream = false; // its stack is one that tokens pass
};

std::vector<StoryBlock> blocks_of(const Model& model, const std::vector<StoryStep>& steps);

// What a value is wherever it stands: its name within its layer or stack, "self_attn.scores", "add1".
std::string role_of(const Node& value);
// What it shares with values of the same kind: "attn.scores", "add".
std::string family_of(const Node& value);
// The name of its stack, "encoder"; empty outside of stacks.
std::string stack_of(const Node& value);

// The backward pass as a story: ordered steps from the loss back to the weights of every layer and to the
// tables, each with the chain rule that gives its gradient. Derived from the graph, as the forward story is.

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
