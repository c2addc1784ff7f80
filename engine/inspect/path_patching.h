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

// Three passes over `pass`, which has been fed the original sentence; `other` has computed another of the
// same lengths with the same weights. (1) as it is; (2) with the sender's output as in the other run and
// every other head as it was, all else computed anew: the receivers' inputs are kept; (3) as it is but for
// these inputs. `edits` are made in every pass. Leaves the graph as the third pass computed it, with `edits`
// alone.
PathEffect patch_path(Model& pass, const std::vector<Edit>& edits, const Graph& other,
                      const PathSender& sender, const std::vector<PathReceiver>& receivers,
                      const SweepTarget& target);

} // namespace headlight
