// Multi-head attention looks at columns h·d_k … (h+1)·d_k of Q, K and V on their own: Vaswani et al. 2017,
// §3.2.2.
#pragma once

#include "engine/graph/graph.h"

namespace headlight {

// [n × T × heads·d_k] → [n·heads × T × d_k]; matrix n·heads + h is head h of sequence n.
Node* split_heads(Node* x, Index heads);

// The inverse: heads side by side again, Concat(head_1, …, head_h).
Node* merge_heads(Node* x, Index heads);

} // namespace headlight
