#pragma once

#include "engine/graph/graph.h"

#include <cstdint>
#include <span>
#include <vector>

namespace headlight {

// Operations whose rows are computed one after another, of all sequences at once: the parts of a recurrence.

// They need not stand in one: then all of their rows are there, and are done in a go.
struct RowByRow : Op {
    bool runs_by_rows() const override { return true; }
    void forward(Node& node) const override {
        for (Index t = 0; t < node.value.rows(); ++t) forward_row(node, t);
    }
    void backward(Node& node) const override {
        for (Index t = node.value.rows() - 1; t >= 0; --t) backward_row(node, t);
        backward_rest(node);
    }
};

// visit(r) for row t of every matrix of the batch, r being its place among all rows.
template <class Visit>
void for_each_row_at(const Tensor& x, Index t, Visit visit) {
    for (Index b = 0; b < x.batch(); ++b) visit(b * x.rows() + t);
}

// Rows of a table: the embedding of each token.

// y[b, t, :] = table[tokens[b, t], :]. table [1 × vocabulary × d_model] → [sequences × length × d_model].
Node* gather(Node* table, Node* tokens);

// y[0, t, :] = table[t, :], as many rows as `tokens` is long: learned positions.
Node* first_rows(Node* table, Node* tokens);

// y[b, 0, :] = x[b, 0, :]: of each sequence the vector of its first token, which stands for the whole
// (BERT's [CLS]): [n × T × d] → [n × 1 × d].
Node* first_row(Node* x);

// Which of two sentences a token belongs to: the segments of BERT (Devlin et al. 2018, §3).

// A type for each token, [sequences × length × 1], held as Reals: 0 unless told.
Node* token_types(Node* tokens);
// Position t of every sequence has the type types[t]; those behind the last have 0.
void feed_types(Node* token_types, std::span<const std::int32_t> types);

// One vector for a whole sequence.

// The mean of the rows of x whose token is not <pad>: x [n × T × c], tokens [n × T × 1] → [n × 1 × c]. Zeros
// where every token is.
Node* mean_of_words(Node* x, Node* tokens, std::int32_t pad_id);

// Rotary position embedding: queries and keys are turned by an angle that grows with their position, so that
// their product depends on how far apart they stand (Su et al. 2021, §3.2).

// How fast each pair of numbers turns: f_j = θ^(−2j/d_k) in radians a position, j = 0 … d_k/2 − 1.
struct Rotation {
    enum class Scaling {
        none,
        linear, // f / factor: positions are pressed together (Chen et al. 2023)
        llama3, // slow ones divided by the factor, fast ones kept, a ramp between (Llama 3.1)
    };
    double theta = 10000;
    Scaling scaling = Scaling::none;
    double factor = 1;
    // Of llama3: with λ = 2π / f and L the length that the model was first trained on, slow is λ > L / low,
    // fast is λ < L / high.
    double low = 1, high = 4, original_length = 8192;

    double frequency(Index pair, Index d_k) const;
    bool operator==(const Rotation&) const = default;
};

// Of each row x at position t (its place in its matrix, from 0) the pairs (x_j, x_{j+d_k/2}) are turned as
// vectors of the plane by the angle t·f_j: [n × T × d_k] → the same; d_k is even. The pairs are those of
// Hugging Face's Llama, not neighbours.
Node* rotate(Node* x, const Rotation& rotation);

} // namespace headlight
