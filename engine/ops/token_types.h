// Which of two sentences a token belongs to: the segments of BERT (Devlin et al. 2018, §3).
#pragma once

#include "engine/graph/graph.h"

#include <cstdint>
#include <span>

namespace headlight {

// A type for each token, [sequences × length × 1], held as Reals: 0 unless told.
Node* token_types(Node* tokens);
// Position t of every sequence has the type types[t]; those behind the last have 0.
void feed_types(Node* token_types, std::span<const std::int32_t> types);

} // namespace headlight
