// How a recurrent network gets from one step in time to the next: Elman 1990. Rows are steps.
#pragma once

#include "engine/graph/graph.h"

#include <cstdint>

namespace headlight {

// What the step before left: row t is row t − 1 of the node that is fed back (Graph::feed_back), row 0 that
// of `initial` [n × 1 × columns], or zeros when it is null. `steps` [n × T × …] only says how many rows there
// are: → [n × T × columns].
Node* row_before(Node* steps, Index columns, Node* initial = nullptr);

// The row of the last token of each sequence that is not <pad>: what a recurrent network has read in the end,
// however much padding follows. x [n × T × c], tokens [n × T × 1] → [n × 1 × c]. Zeros where every token is.
Node* last_word(Node* x, Node* tokens, std::int32_t pad_id);

} // namespace headlight
