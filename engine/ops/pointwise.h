#pragma once

#include "engine/graph/graph.h"

#include <string>

namespace headlight {

// What a number becomes on its own between two linear layers, beyond relu and gelu (pointwise.h).

// Any of these, and of relu and gelu: x → y of the same shape, cell by cell.
using Activate = Node* (*)(Node*);

// x · σ(x), σ(x) = 1 / (1 + e^−x): Ramachandran, Zoph & Le 2017 (“swish”); Elfwing et al. 2018.
Node* silu(Node* x);

// ½ x (1 + tanh(√(2/π) (x + 0.044715 x³))): GELU as GPT-2 computes it (Hendrycks & Gimpel 2016, §2).
Node* gelu_tanh(Node* x);

// x · σ(1.702 x): GELU's other approximation (the same).
Node* quick_gelu(Node* x);

// The hyperbolic tangent.
Node* tanh(Node* x);

// σ(x) = 1 / (1 + e^−x), the logistic function.
Node* sigmoid(Node* x);

// Operations that look at one cell at a time.

// a + b; a batch of one in b is added to every batch of a (positions to every sequence).
Node* add(Node* a, Node* b);

// x · factor and x / divisor, constants that are known by a symbol: square_root("d_model", 64).
Node* multiply(Node* x, Constant factor);
Node* divide(Node* x, Constant divisor);

// max(0, x).
Node* relu(Node* x);

// x · Φ(x) = x · ½ (1 + erf(x / √2)): Hendrycks & Gimpel 2016, exactly.
Node* gelu(Node* x);

// Each number is dropped with probability p, the others divided by 1 − p (Srivastava et al. 2014).
// Which ones follows from the graph's random_seed. For training graphs only.
Node* dropout(Node* x, double p);

// One value holds back another, number by number: what gated networks do (Dauphin et al. 2017; Shazeer 2020).

// a ⊙ b, cell by cell; both of the same shape.
Node* gate(Node* a, Node* b);

// What recurrent cells are made of, with the equations of torch.nn.RNN, LSTM and GRU: Hochreiter &
// Schmidhuber 1997 with the forget gate of Gers et al. 2000; Cho et al. 2014. All values [n × T × H], rows
// are steps.

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
