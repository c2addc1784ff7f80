// One value holds back another, number by number: what gated networks do (Dauphin et al. 2017; Shazeer 2020).
#pragma once

#include "engine/graph/graph.h"

namespace headlight {

// a ⊙ b, cell by cell; both of the same shape.
Node* gate(Node* a, Node* b);

} // namespace headlight
