// One vector for a whole sequence.
#pragma once

#include "engine/graph/graph.h"

#include <cstdint>

namespace headlight {

// The mean of the rows of x whose token is not <pad>: x [n × T × c], tokens [n × T × 1] → [n × 1 × c]. Zeros
// where every token is.
Node* mean_of_words(Node* x, Node* tokens, std::int32_t pad_id);

} // namespace headlight
