// The graph of one sentence as a story: ordered, titled steps from token ids to what the model says. The
// order is that of computation, the boxes are those of the architecture, the formulas are the operations'
// own.
#pragma once

#include "engine/inspect/formulas.h"
#include "engine/model/model.h"

#include <string>
#include <vector>

namespace headlight {

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
// Its formula and sign as they are now: a loss has another with label smoothing, an edited value with its edits.
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

} // namespace headlight
