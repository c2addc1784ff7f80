#pragma once

#include "engine/graph/graph.h"
#include "engine/model/parameters.h"
#include "engine/model/recurrent.h"
#include "engine/tensor/real.h"

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

// What a layer costs: measured on this machine, and counted (Vaswani et al. 2017, §4 and Table 1).

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

// What layers of one size cost on paper, as a graph: so that each count can be asked where it comes from
// (Vaswani et al. 2017, Table 1).

// One sequence of `length` positions, each a vector of `d_model` numbers.
struct LayerSize {
    Index length = 128, d_model = 64;
    bool operator==(const LayerSize&) const = default;
};
constexpr Index longest_layer = 65'536, widest_layer = 4096;

// Values, all [1 × 1]: "costs.length" N and "costs.width" d; "costs.square" d², "costs.projection" N d² (one
// matrix [d × d] applied at all positions), "costs.pairs" N², "costs.products" N² d (a dot product of each
// pair); multiplications of attention in "costs.projections" and "costs.mixing", in all "costs.attention";
// "costs.feed_forward", "costs.rnn", "costs.lstm", "costs.gru" (counted_multiplications).
struct LayerCounts {
    LayerSize size;
    Parameters parameters;
    Graph graph;
};

// Built and computed.
std::unique_ptr<LayerCounts> build_layer_counts(const LayerSize& size = {});

// Where the time of training goes: what each kind of operation took, forward and backward, beside the
// floating-point operations and the bytes that it cannot do without.

// Of one pass, or of several added up.
struct PassWork {
    double seconds = 0;
    // Of a product of matrices 2 for each pair of numbers multiplied; else 1 for each cell that is written.
    double floating_point_operations = 0;
    double bytes = 0; // of the values and gradients that are read and written, each once
};

struct OperationCost {
    std::string_view operation; // Op::name
    Index nodes = 0;
    PassWork forward, backward;
    double seconds() const { return forward.seconds + backward.seconds; }
};

PassWork forward_work(const Node& node);  // without the seconds
PassWork backward_work(const Node& node); // after Graph::backward; all zero where nothing is differentiated

// By kind of operation, the dearest first; of parameters and fed tokens, which are found rather than
// computed, nothing. `times` of several graphs alike (shards of a batch) are added up by add().
class OperationCosts {
public:
    void add(const Graph& graph, const NodeTimes& times);
    std::vector<OperationCost> dearest_first() const;

private:
    std::vector<OperationCost> costs_;
};

// How many numbers this library computes at a time. It may be built more than once, for several processors,
// and the loader takes one of them: the library itself is asked, not the program.

struct InstructionSet {
    std::string used;               // that products and lanes were compiled for: "AVX2, FMA"
    Index at_once = 1;              // numbers that one of its instructions takes
    std::vector<std::string> other; // that the processor at hand also has, and this library does not use
};

InstructionSet instruction_set();

} // namespace headlight
