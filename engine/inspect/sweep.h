// One what-if after another, each alone: every head silenced in turn, every position of every layer patched
// from another run, and how probable a chosen word is each time, on the scale that tells most.
#pragma once

#include "engine/model/transformer.h"
#include "engine/tensor/tensor.h"

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

// How probable a word is, on four scales. From 0.99999 to 0.9999 hardly anything happens to the probability,
// and the odds become ten times as bad: a step of ln 10 = 2.3 nats.
enum class SweepMeasure {
    probability,     // p
    log_probability, // ln p, in nats: minus the loss of that word; tells what happens near 0
    log_odds,        // ln (p / (1 − p)), in nats: tells what happens near 0 and near 1
    logit,           // z, or the difference of two, in nats: what direct attributions add up to
    count
};
std::string_view name_of(SweepMeasure measure); // "log_probability"

// The scale on which changes of this probability are seen: p itself unless it is nearly 0 or nearly 1.
SweepMeasure telling_measure(double probability);

// Of a word (or class) in a computed pass: from the logits, in double, so that nothing is lost near 0 and 1.
// Where the probability itself was edited, from that. Of a model that says numbers it is the number itself,
// on every scale.
double watched(const Model& pass, Index row, TokenId word, SweepMeasure measure);

// Whose probability is watched: [row, word] of what the model says. The logit is that of the word minus that
// of another, where there is one to compare with.
struct SweepTarget {
    Index row = 0;
    TokenId word = 0;
    std::optional<TokenId> against = {};
    bool operator==(const SweepTarget&) const = default;
};
double watched(const Model& pass, const SweepTarget& target, SweepMeasure measure);

// Of activation patching, with m = logit(right) − logit(wrong): (m_patched − m_corrupted) / (m_clean −
// m_corrupted). 1: all of the clean run's answer is restored, 0: nothing. None where the two runs hardly
// differ: then it would say nothing (Zhang & Nanda 2023, §2).
std::optional<double> normalised_effect(double patched, double corrupted, double clean);

// One what-if of a sweep, at its place in the table of results.
struct SweepTrial {
    Index row = 0, column = 0;
    std::vector<Edit> edits;
    // Instead: made when its turn comes, by passes of its own over the sweep's pass, in which the sweep's
    // edits hold.
    std::function<std::vector<Edit>(Model& pass, const std::vector<Edit>& edits)> made_by = {};
};

struct SweepPlan {
    std::vector<std::string> rows; // paths: "decoder.1.cross_attn", "encoder.0.norm2"
    Index columns = 0;             // heads, or positions
    std::vector<SweepTrial> trials;
};

// A row for each attention, a column for each of its heads.
SweepPlan plan_silenced_heads(const ModelMap& map);

// A row for each stream's embedding and for each layer's output, a column for each position of the longer of
// the two sentences. Where one of them has no such position there is no trial. Both are computed.
SweepPlan plan_patched_positions(const ModelMap& map, const Graph& other);

// One row, the stream's tokens; a column for each of `words` tokens, the first of which stands at `first`:
// fed as <pad>, so that nobody attends to it and no mean counts it, while the others stay where they stood
// (as heads.h does it).
SweepPlan plan_silenced_words(const Stream& stream, Index first, Index words, TokenId pad);

// Done step by step, so that whoever waits sees how far it is.
class Sweep {
public:
    // The pass has been fed, and is this sweep's alone until it is finished. `edits` are made in every trial,
    // before its own. The first target is watched to begin with.
    Sweep(Model& pass, std::vector<Edit> edits, SweepPlan plan, std::vector<SweepTarget> targets);

    bool advance(); // one trial more; false when all are done
    Index done() const { return Index(next_); }
    Index total() const { return Index(plan_.trials.size()); }

    const SweepPlan& plan() const { return plan_; }
    // All targets are measured in every trial; what follows is told of the one that is watched.
    void watch(std::size_t target) { watched_ = target; }
    const SweepTarget& target() const { return targets_[watched_]; }
    // The target from which one trial takes most probability; where none loses a hundredth, most log-odds.
    std::size_t most_harmed() const;
    // Without any trial's edits.
    double baseline(SweepMeasure measure = SweepMeasure::probability) const { return of(measure).baseline; }
    // [1 × rows × columns]; NaN where there is no trial, or not yet.
    const KeptTensor& values(SweepMeasure measure) const { return of(measure).values; }
    const KeptTensor& probabilities() const { return values(SweepMeasure::probability); }
    // What is most probable at the target's row; −1 where there is no trial, or not yet. What it is without
    // any trial's edits.
    TokenId said(Index row, Index column) const;
    TokenId said() const { return said_[watched_].baseline; }
    bool turns(Index row, Index column) const {
        return said(row, column) >= 0 && said(row, column) != said();
    }
    // Value − baseline.
    const KeptTensor& changes(SweepMeasure measure = SweepMeasure::probability) const {
        return of(measure).changes;
    }

private:
    struct Table {
        double baseline = 0;
        KeptTensor values, changes;
    };
    using Tables = std::array<Table, std::size_t(SweepMeasure::count)>; // by measure
    struct Said {
        TokenId baseline = 0;
        std::vector<TokenId> values; // [rows × columns]
    };
    const Table& of(SweepMeasure measure) const { return tables_[watched_][std::size_t(measure)]; }

    Model& pass_;
    std::vector<Edit> edits_;
    SweepPlan plan_;
    std::vector<SweepTarget> targets_;
    std::vector<Tables> tables_; // by target
    std::vector<Said> said_;     // likewise
    std::size_t watched_ = 0;
    std::vector<std::pair<Index, std::size_t>> order_; // (first node that a trial changes, trial), last first
    std::size_t next_ = 0;
};

} // namespace headlight
