// What layers and models cost on paper: multiplications in products of matrices, parameters and bytes by
// formulas of their sizes alone (Vaswani et al. 2017, §4 and Table 1). Nothing is computed with them.
#pragma once

#include "engine/inspect/cost.h"

#include <optional>
#include <span>

namespace headlight {

// Of one forward pass of one sequence through the layer of measure_cost().
Index counted_multiplications(CostPart part, Index length, Index d_model);

// Attention costs more than the feed-forward network for sequences longer than this: 4Nd² + 2N²d > 8Nd².
constexpr Index even_length(Index d_model) { return 2 * d_model; }

// The sizes of a Transformer, of one stack or of both.
struct CountedModel {
    std::string_view name{}; // as strings have it: "gpt2"
    Index encoder_layers = 0, decoder_layers = 0;
    Index d_model = 0, heads = 0, d_ff = 0;
    Index key_heads = 0, d_k = 0; // keys and values are shared by groups of heads (Ainslie et al. 2023)
    Index vocabulary = 0;         // words; one matrix of them for all that is read and said
    Index positions = 0;          // that are learned; 0: computed
    Index longest = 0;            // tokens, that it was made for; 0: nobody has said
    bool is_gated = false;        // a feed-forward network of three matrices (Shazeer 2020)
    bool is_biased = true;        // else no bias, and norms with a scale alone
    bool has_final_norm = false;  // after the last layer of a stack
};

// The base model of Vaswani et al. 2017 (Table 3, with 37,000 tokens), GPT-2 small, Llama 3.2 1B.
std::span<const CountedModel> counted_models();

struct ModelCost {
    Index parameters = 0;
    // Multiplications, of all layers: what makes Q, K, V and the output; scores and blends; the feed-forward
    // networks; the scores of all words.
    Index projections = 0, mixing = 0, feed_forward = 0, output = 0;
    Index score_bytes = 0; // of the attention weights of all heads and layers, 4 bytes each

    Index attention() const { return projections + mixing; }
    Index all() const { return attention() + feed_forward + output; }
};
// One forward pass over `length` tokens; of both stacks over so many on either side.
ModelCost cost_of(const CountedModel& model, Index length);
// Beyond so many tokens its attention multiplies more than its feed-forward networks.
double even_length(const CountedModel& model);

// Where `a`, which was below, is above `b` from then on: between two places, as straight lines between
// logarithms have it. Nothing where it never is, or always. All three alike long, x ascending, all above
// zero.
std::optional<double> crossing(std::span<const double> x, std::span<const double> a,
                               std::span<const double> b);

} // namespace headlight
