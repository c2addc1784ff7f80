// Path patching: what one head tells another, and nothing else (Wang et al. 2022; Goldowsky-Dill et al.
// 2023).
#pragma once

#include "engine/inspect/sweep.h"

#include <string>
#include <vector>

namespace headlight {

struct PathSender {
    std::string attention; // "decoder.0.self_attn"
    Index head = 0;
};

enum class PathInput { q, k, v };

// A head of an attention that is computed later, and by which of its inputs it listens. Heads that share
// their keys and values listen together.
struct PathReceiver {
    std::string attention;
    Index head = 0;
    PathInput input = PathInput::q;
};

struct PathEffect {
    double original = 0, patched = 0; // what is watched, as logit
    double change() const { return patched - original; }
    // As a share of the original; none where that is nearly 0.
    std::optional<double> relative() const;
};

// What the receivers hear when the sender says what it says in another run: edits that put their inputs in
// place. Two passes over `pass`, which has been fed the original sentence; `other` has computed another of
// the same lengths with the same weights. (1) as it is; (2) with the sender's output as in the other run and
// every other head as it was, all else computed anew: the receivers' inputs are kept. `edits` are made in
// both.
std::vector<Edit> heard_through_path(Model& pass, const std::vector<Edit>& edits, const Graph& other,
                                     const PathSender& sender, const std::vector<PathReceiver>& receivers);

// And what comes of it, in a pass (3) that is as it is but for these inputs. Leaves the graph as that pass
// computed it, with `edits` alone.
PathEffect patch_path(Model& pass, const std::vector<Edit>& edits, const Graph& other,
                      const PathSender& sender, const std::vector<PathReceiver>& receivers,
                      const SweepTarget& target);

// A sweep over every sender: a row for each attention that is computed before the receiver hears, a column
// for each of its heads. `other` is as above, and stays while the sweep lasts.
SweepPlan plan_patched_paths(const ModelMap& map, const Graph& other, const PathReceiver& receiver);
// Whether every side of the two is equally long.
bool same_lengths(const ModelMap& map, const Graph& other);

} // namespace headlight
