// One what-if after another, each alone: every head silenced in turn, every position of every layer patched
// from another run, and how probable a chosen word is each time.
#pragma once

#include "engine/model/transformer.h"
#include "engine/tensor/kept_tensor.h"

#include <string>
#include <vector>

namespace headlight {

// Whose probability is watched: output.probabilities [row, word].
struct SweepTarget {
    Index row = 0;
    TokenId word = 0;
};

// One what-if of a sweep, at its place in the table of results.
struct SweepTrial {
    Index row = 0, column = 0;
    std::vector<Edit> edits;
};

struct SweepPlan {
    std::vector<std::string> rows; // paths: "decoder.1.cross_attn", "encoder.0.norm2"
    Index columns = 0;             // heads, or positions
    std::vector<SweepTrial> trials;
};

// A row for each attention, a column for each of its heads.
SweepPlan plan_silenced_heads(const Graph& graph);

// A row for each stack's embedding and for each layer's output, a column for each position of the longer of
// the two sentences. Where one of them has no such position there is no trial. Both graphs are computed.
SweepPlan plan_patched_positions(const Graph& graph, const Graph& other);

// Done step by step, so that whoever waits sees how far it is.
class Sweep {
public:
    // The pass has been fed, and is this sweep's alone until it is finished. `edits` are made in every trial,
    // before its own.
    Sweep(Transformer& pass, std::vector<Edit> edits, SweepPlan plan, SweepTarget target);

    bool advance(); // one trial more; false when all are done
    Index done() const { return Index(next_); }
    Index total() const { return Index(plan_.trials.size()); }

    const SweepPlan& plan() const { return plan_; }
    const SweepTarget& target() const { return target_; }
    double baseline() const { return baseline_; } // the probability without any trial's edits
    // [1 × rows × columns]; NaN where there is no trial, or not yet.
    const KeptTensor& probabilities() const { return probabilities_; }
    const KeptTensor& changes() const { return changes_; } // probability − baseline

private:
    double probability() const;

    Transformer& pass_;
    std::vector<Edit> edits_;
    SweepPlan plan_;
    SweepTarget target_;
    double baseline_ = 0;
    KeptTensor probabilities_, changes_;
    std::vector<std::pair<Index, std::size_t>> order_; // (first node that a trial changes, trial), last first
    std::size_t next_ = 0;
};

} // namespace headlight
