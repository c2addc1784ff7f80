// What recurrent cells are made of, with the equations of torch.nn.RNN, LSTM and GRU: Hochreiter &
// Schmidhuber 1997 with the forget gate of Gers et al. 2000; Cho et al. 2014. All values [n × T × H], rows
// are steps.
#pragma once

#include "engine/graph/graph.h"

#include <string>

namespace headlight {

// Which part of what all gates share: block `number` of `count` blocks of H columns each, known by a letter.
struct GateBlock {
    Index number = 0, count = 1;
    std::string letter = {}; // "i"
};

enum class Squash { sigmoid, tanh };

// φ(u + v) of one block of each: u = x W_ih + b_ih and v = h' W_hh + b_hh [n × T × count·H], h' being the
// step before. With `reset` φ(u + r ⊙ v), as the GRU's candidate is computed.
Node* recurrent_gate(Node* u, Node* v, Squash squash, const GateBlock& block, Node* reset = nullptr);

// c = f ⊙ c' + i ⊙ g: what the LSTM keeps of the step before, and what it writes.
Node* cell_state(Node* forget, Node* before, Node* input, Node* candidate);

// h = o ⊙ tanh(c): what it shows.
Node* shown_state(Node* output, Node* cell);

// h = (1 − z) ⊙ n + z ⊙ h': the GRU, between what is new and what was.
Node* updated_state(Node* update, Node* candidate, Node* before);

} // namespace headlight
