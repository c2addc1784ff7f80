// Direct logit attribution: how much of one logit, or of the difference of two, each part of the residual
// stream brings by itself (Elhage et al. 2021; Wang et al. 2022).
//
// With the statistics of every norm on the way held as they are, the way from the stream to a logit is
// linear, so a direction that the logit reads at the end, W_U[w] − W_U[w'], can be carried back through it:
// through a norm, g = (u ⊙ γ − mean(u ⊙ γ)) / σ (without a centre u ⊙ γ / σ), through W_O of an attention to
// the vectors of its heads. Then a part c brings c · g. Carried back through the norms of a post-norm model
// it passes each of them: the sum is exact there too, but a part then means "with all later norms as they
// are".
#pragma once

#include "engine/inspect/sweep.h"
#include "engine/model/model.h"

#include <vector>

namespace headlight {

struct AttributedPart {
    enum class Kind {
        embedding,      // of the words
        positions,      // their codes
        heads,          // of an attention; a share for each of them
        attention_bias, // b_O
        feed_forward,   // all that such a network adds
        shift,          // β of a norm
        bias,           // of the logits
        change,         // what a what-if adds to a value by hand
        other,
    };
    Kind kind = Kind::other;
    const Node* value = nullptr; // of the model: what brings the share
    const Node* share = nullptr; // of the measure: [1 × 1 × 1], of heads [heads × 1 × 1]
};

struct Attribution {
    std::vector<AttributedPart> parts; // in order of computation
    const Node* sum = nullptr;         // of all shares
    const Node* logit = nullptr;       // as the model computed it: the same but for rounding
};

// Whether the way from the residual stream to what is said is linear, norms held; else there is an activation
// on it, as in BERT's heads.
bool has_linear_way(const ModelMap& map);

// Of the logit of target's word in its row, or of the difference to another word's.
// "measures.attribution.…": "VALUE.share", "ATTENTION.heads", "ATTENTION.by_key" [heads × 1 × keys] (through
// which key a head brings it), "sum", "logit". There is a linear way.
Attribution build_attribution(Graph& graph, const Model& model, const SweepTarget& target);

} // namespace headlight
