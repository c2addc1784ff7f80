// What a layer costs: measured on this machine, and counted (Vaswani et al. 2017, §4 and Table 1).
#pragma once

#include "engine/model/recurrent.h"
#include "engine/tensor/real.h"

#include <atomic>
#include <optional>
#include <string_view>
#include <vector>

namespace headlight {

enum class CostPart {
    attention,    // multi-head self-attention with its four projections
    feed_forward, // d → 4d → d
    rnn,          // one recurrent layer, steps one after another
    lstm,
    gru,
};
constexpr std::string_view cost_part_names[] = {"attention", "feed-forward", "rnn", "lstm", "gru"};
constexpr std::string_view name_of(CostPart part) { return cost_part_names[std::size_t(part)]; }

struct CostPoint {
    CostPart part = CostPart::attention;
    Index length = 0, d_model = 0;
    Index multiplications = 0;   // in products of matrices, of one forward pass (Op::multiplications)
    Index bytes = 0;             // of the values that one forward pass holds, weights not among them
    double forward_seconds = 0;  // of one sequence, the least of several passes
    double training_seconds = 0; // forward and backward, the same
};

// One sequence of `length` positions through one layer of width d_model, its weights random, on one thread:
// measured for about so many seconds, and at least once. Heads are 8, or fewer where d_model is smaller.
CostPoint measure_cost(CostPart part, Index length, Index d_model, double seconds);
// The same; nothing when `give_up` is raised before it is done, which is looked at between passes.
std::optional<CostPoint> measure_cost(CostPart part, Index length, Index d_model, double seconds,
                                      const std::atomic<bool>& give_up);

} // namespace headlight
