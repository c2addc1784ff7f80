// The time machine's memory: a model's weights as they were after many of its steps. Dense at the beginning
// of a run, where everything happens, then thinner and thinner, always in powers of two, and never more than
// a given number of bytes but for what shall stay whatever comes.
#pragma once

#include "engine/tensor/real.h"

#include <cstddef>
#include <memory>
#include <set>
#include <vector>

namespace headlight {

using Reals = std::vector<Real>;
using SharedReals = std::shared_ptr<const Reals>; // never changed once they are shared

// Adam's moments, laid out like the weights.
struct OptimizerMoments {
    Reals m, v;
};

// A model after `step` steps of optimization.
struct Checkpoint {
    Index step = 0;
    SharedReals weights;                               // laid out like Parameters::data()
    std::shared_ptr<const OptimizerMoments> optimizer; // may be missing: see Timeline

    Index bytes() const;
};

// Which steps stay depends on the step, counted from the first, and on how full the memory is. With density D
// each of the steps below 2·D stays, each second one below 4·D, each fourth one below 8·D, …; when the memory
// is full, D is halved. The first checkpoint and the newest always stay, however large they are; so do the
// best one and those that somebody pinned.
//
// Adam's moments are two thirds of what it takes to go on exactly from a checkpoint. They stay with one in
// eight of the kept ones, and with the first and the newest: training is deterministic, so from any other
// checkpoint one goes on by repeating the few steps since the last one that has them.
class Timeline {
public:
#ifdef __EMSCRIPTEN__                                        // all that a page may have is little
    static constexpr Index default_budget = Index(32) << 20; // bytes
#else
    static constexpr Index default_budget = Index(128) << 20;
#endif
    static constexpr std::size_t most_checkpoints = 2048; // more than anyone can tell apart on a slider

    explicit Timeline(Index first_step = 0, Index budget = default_budget);

    // Whether a checkpoint of this step, added now, would stay; and whether with Adam's moments.
    bool wants(Index step) const;
    bool wants_optimizer(Index step) const;
    // After all that are there; one of the step of the newest replaces it.
    void add(Checkpoint checkpoint);
    void set_budget(Index bytes);
    // The best from now on; the one before is held to the rule again.
    void set_best(Index step);
    void pin(Index step);
    void unpin(Index step);
    const std::set<Index>& pinned() const { return pinned_; }

    const std::vector<Checkpoint>& checkpoints() const { return checkpoints_; } // by step
    Index bytes() const { return bytes_; }
    Index budget() const { return budget_; }

    // Of the checkpoint whose step is nearest (of two, the earlier); −1 when there is none at all.
    std::ptrdiff_t nearest(Index step) const;
    bool has(Index step) const;
    // The latest at or before `step` that has Adam's moments; nullptr when there is none.
    const Checkpoint* last_with_optimizer(Index step) const;

private:
    Index stride(Index step) const;
    void hold_to_rule();
    void thin();

    Index first_step_, budget_;
    Index best_ = -1; // none yet
    std::set<Index> pinned_;
    Index density_; // a power of two; 0: the first and the newest alone
    Index bytes_ = 0;
    std::vector<Checkpoint> checkpoints_;
};

} // namespace headlight
