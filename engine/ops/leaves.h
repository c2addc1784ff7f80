// Where a graph begins: token ids, weights, and the positional encoding.
#pragma once

#include "engine/graph/graph.h"
#include "engine/model/parameters.h"

#include <cstdint>
#include <span>
#include <vector>

namespace headlight {

// Token ids as fed, [sequences × length × 1]. Ids are held as Reals, exactly.
Node* tokens(Graph& graph);
// Sequences lie one under another in `ids`, each padded to `length`.
void feed(Node* tokens, std::span<const std::int32_t> ids, Index sequences, Index length);
// As it was fed; also of rows that were computed before those at hand (Graph::rows_before).
std::int32_t fed_token(const Node& tokens, Index sequence, Index position);

// Rows first … first + rows of a parameter, as a value of the graph; rows = −1 means all of them.
// W_Q is such a slice of PyTorch's in_proj_weight. A vector is one row, and a slice of it takes columns.
// Gradients are written to `gradients`, a stretch laid out like Parameters::data(); when it is null, to
// memory of the pass. `axes`: what its rows and columns stand for, which only its module knows.
Node* parameter(Graph& graph, Parameters& parameters, std::string_view parameter_name,
                Real* gradients = nullptr, Index first = 0, Index count = -1, Axes axes = {});

// The same of numbers that a person sets: nothing learns them, and they have no gradient.
Node* given(Graph& graph, Parameters& parameters, std::string_view parameter_name);

// The same of a running statistic (Parameters::declare_buffer): training keeps it, no gradient reaches it.
// A vector over features.
Node* kept(Graph& graph, Parameters& parameters, std::string_view parameter_name);

// Where the sines and the cosines of a positional encoding stand.
enum class Sinusoids {
    alternating, // PE(pos, 2i) = sin(pos / 10000^(2i/d_model)), PE(pos, 2i+1) = cos(same): Vaswani 2017, §3.5
    in_halves,   // PE(pos, i) = sin(same), PE(pos, ⌈d_model/2⌉ + i) = cos(same): Marian
};
// [1 × length × d_model], as long as the sequence of `tokens`.
Node* sinusoidal_positions(Node* tokens, Index d_model, Sinusoids sinusoids = Sinusoids::alternating);

} // namespace headlight
