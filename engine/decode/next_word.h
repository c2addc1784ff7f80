// How the next word is chosen from what the model finds probable: the most probable one, or a draw.
#pragma once

#include "engine/tensor/real.h"
#include "engine/text/vocabulary.h"

#include <cstdint>
#include <span>
#include <vector>

namespace headlight {

// What a draw is made from: softmax(z / temperature), of which the top_k most probable words are left, and of
// these the fewest whose probabilities sum to top_p or more (Holtzman et al. 2020, §3.1); what is left is
// scaled to a sum of 1. In the limit of temperature 0 all is on the most probable word; the most probable
// word is never cut off.
struct Sampling {
    double temperature = 1;
    Index top_k = 0; // 0: all
    double top_p = 1;

    bool changes_nothing() const { return temperature == 1 && top_k == 0 && top_p == 1; }
    bool operator==(const Sampling&) const = default;
};

// softmax(logits), words that are `never` said left out (0).
std::vector<double> probabilities_of(std::span<const Real> logits, std::span<const TokenId> never = {});
// What is drawn from, one number a word: exactly 0 where it was cut off.
std::vector<double> drawn_from(std::span<const Real> logits, const Sampling& sampling,
                               std::span<const TokenId> never = {});

// A number in [0, 1) for each place of an answer, the same for the same seed: another choice before it draws
// no other number after it.
double chance(std::uint64_t seed, Index place);
// The word at which the probabilities, summed in order of the vocabulary, exceed u.
TokenId draw(std::span<const double> probabilities, double u);

// log Σ exp(logits); the logarithm of softmax(logits) at a word.
double log_sum_exp(std::span<const Real> logits);
double log_probability_of(std::span<const Real> logits, TokenId word);

// Of equals the first. At least one word may be said.
TokenId most_probable(std::span<const Real> logits, std::span<const TokenId> never = {});

} // namespace headlight
