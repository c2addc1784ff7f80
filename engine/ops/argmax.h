// The chosen word.
#pragma once

#include "engine/graph/graph.h"

namespace headlight {

// The column of the largest number of each row (of equals, the first): [n × T × V] → [n × T × 1]. No
// gradient.
Node* argmax(Node* x);

} // namespace headlight
