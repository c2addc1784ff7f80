#include "engine/decode/next_word.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace headlight {

namespace {

bool is_among(std::span<const TokenId> words, TokenId word) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

// softmax(logits / temperature) over what may be said.
std::vector<double> tempered(std::span<const Real> logits, double temperature,
                             std::span<const TokenId> never) {
    std::vector<double> p(logits.size(), 0.0);
    const TokenId best = most_probable(logits, never);
    const double greatest = logits[std::size_t(best)];
    double sum = 0;
    for (std::size_t i = 0; i < p.size(); ++i) {
        if (is_among(never, TokenId(i))) continue;
        const double behind = double(logits[i]) - greatest;
        p[i] = temperature > 0 ? std::exp(behind / temperature) : double(TokenId(i) == best);
        sum += p[i];
    }
    for (double& x : p) x /= sum;
    return p;
}

} // namespace

std::vector<double> probabilities_of(std::span<const Real> logits, std::span<const TokenId> never) {
    return tempered(logits, 1, never);
}

std::vector<double> drawn_from(std::span<const Real> logits, const Sampling& sampling,
                               std::span<const TokenId> never) {
    std::vector<double> p = tempered(logits, sampling.temperature, never);
    std::size_t left = p.size();
    if (sampling.top_k > 0) left = std::min(left, std::size_t(sampling.top_k));
    if (left == p.size() && sampling.top_p >= 1) return p;
    std::vector<std::size_t> order(p.size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return p[a] > p[b]; });
    const double of_left = std::accumulate(order.begin(), order.begin() + std::ptrdiff_t(left), 0.0,
                                           [&](double sum, std::size_t i) { return sum + p[i]; });
    double sum = 0;
    std::size_t kept = 0;
    while (kept < left && (kept == 0 || (sampling.top_p >= 1 || sum < sampling.top_p * of_left)))
        sum += p[order[kept++]];
    for (std::size_t i = 0; i < order.size(); ++i) p[order[i]] = i < kept ? p[order[i]] / sum : 0.0;
    return p;
}

double log_sum_exp(std::span<const Real> logits) {
    const double greatest = *std::max_element(logits.begin(), logits.end());
    double sum = 0;
    for (const Real z : logits) sum += std::exp(double(z) - greatest);
    return greatest + std::log(sum);
}

double log_probability_of(std::span<const Real> logits, TokenId word) {
    return double(logits[std::size_t(word)]) - log_sum_exp(logits);
}

double chance(std::uint64_t seed, Index place) {
    // SplitMix64 (Steele et al. 2014), begun anew for each place.
    std::uint64_t x = seed * 0x9E3779B97F4A7C15u + (std::uint64_t(place) + 1) * 0xD1B54A32D192ED03u;
    for (int twice = 0; twice < 2; ++twice) {
        x += 0x9E3779B97F4A7C15u;
        x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
        x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
        x ^= x >> 31;
    }
    return double(x >> 11) * 0x1p-53;
}

TokenId draw(std::span<const double> probabilities, double u) {
    double sum = 0;
    TokenId last = 0;
    for (std::size_t i = 0; i < probabilities.size(); ++i) {
        if (probabilities[i] <= 0) continue;
        last = TokenId(i);
        sum += probabilities[i];
        if (sum > u) return last;
    }
    return last; // the sum fell short of 1 by rounding
}

TokenId most_probable(std::span<const Real> logits, std::span<const TokenId> never) {
    const auto best = std::max_element(logits.begin(), logits.end()) - logits.begin();
    if (!is_among(never, TokenId(best))) return TokenId(best);
    TokenId word = -1;
    for (TokenId id = 0; id < TokenId(logits.size()); ++id)
        if (!is_among(never, id) && (word < 0 || logits[std::size_t(id)] > logits[std::size_t(word)]))
            word = id;
    return word;
}

} // namespace headlight
