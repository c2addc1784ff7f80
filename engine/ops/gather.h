// Rows of a table: the embedding of each token.
#pragma once

#include "engine/graph/graph.h"

namespace headlight {

// y[b, t, :] = table[tokens[b, t], :]. table [1 × vocabulary × d_model] → [sequences × length × d_model].
Node* gather(Node* table, Node* tokens);

// y[0, t, :] = table[t, :], as many rows as `tokens` is long: learned positions.
Node* first_rows(Node* table, Node* tokens);

// y[b, 0, :] = x[b, 0, :]: of each sequence the vector of its first token, which stands for the whole
// (BERT's [CLS]): [n × T × d] → [n × 1 × d].
Node* first_row(Node* x);

} // namespace headlight
