// The graph of one sentence as a story: ordered, titled steps from token ids to the chosen word. The order is
// that of computation; nothing is listed by hand but what a step is called and how its formula is written.
#pragma once

#include "engine/model/config.h"
#include "engine/model/transformer.h"

#include <string>
#include <vector>

namespace headlight {

struct StoryStep {
    const Node* node = nullptr;
    std::string
        role; // what it is wherever it stands: "self_attn.scores"; strings "step.<role>.title", ".text"
    std::string block;   // the box of the architecture that it belongs to: "encoder.0.self_attn"
    std::string formula; // in the formula language: "S = Q\\,K^T"
    std::string sized;   // the same with this model's sizes: "\\frac{S}{\\sqrt{16}} = \\frac{S}{4}"
    std::vector<const Node*> operands; // values and weights that it is made from

    const std::string& path() const { return node->path; }
};

// Every named value of the graph that is not a weight, in the order of computation; the goal stands before
// the loss.
std::vector<StoryStep> tell(const Transformer& model, const ModelConfig& config);

// A box of the architecture's map, in order: its steps are steps[first] … steps[first + count − 1].
struct StoryBlock {
    std::string id;   // "decoder.1.cross_attn"
    std::string kind; // "cross_attn", "embed", "add_norm", "ffn", "output", …; string "block.<kind>"
    std::string side; // "encoder", "decoder" or "output"
    Index layer = -1; // from 0; −1 outside the layers
    Index first = 0, count = 0;
};

std::vector<StoryBlock> blocks_of(const std::vector<StoryStep>& steps);

// The role of a path: "encoder.0.self_attn.scores" → "self_attn.scores", "decoder.2.add1" → "add1".
std::string role_of(std::string_view path);

// The box of a path: the path without the last name; a residual sum and its norm share one.
std::string block_of(std::string_view path);

} // namespace headlight
