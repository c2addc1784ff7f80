// What a head does, measured on the sentence at hand: numbers between 0 and 1 (and an entropy), each beside
// what a head would have that looks at every allowed key alike. A name is given only to what stands out.
#pragma once

#include "engine/inspect/patterns.h"
#include "engine/model/model_map.h"
#include "engine/tensor/kept_tensor.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace headlight {

struct MeasuredHead {
    // Of each measure the mean weight on its pattern, over the queries that have such keys.
    double entropy = 0;         // bits, the mean of the rows: 0 looks at one key alone
    double uniform_entropy = 0; // of a head that looks at every allowed key alike
    // None where it does not apply: "self" between two sentences, "same word" when no word comes twice.
    // Nor where the mask forbids it.
    std::optional<double> value[head_measures], uniform[head_measures];
    Index queries[head_measures] = {}; // that have such keys: the mean is over these
    Index rows = 0; // that were measured: not those where nothing is allowed, nor those with NaN

    // The measure furthest above what looking at everything alike would give, as a share of how far it could
    // be: (value − uniform) / (1 − uniform). None below `threshold`.
    std::optional<HeadMeasure> strongest(double threshold = 0.4) const;
    // Looks at nearly everything alike.
    bool is_spread() const { return uniform_entropy > 0 && entropy > 0.9 * uniform_entropy; }
    // "heads.previous", …; "heads.spread"; else "heads.mixed".
    std::string label() const;
};

// The heads of one attention of a computed graph of one sentence. `queries` and `keys` are the words at its
// rows and columns.
// Measured on words that come twice, of which a sentence has few: their number is told with the measure.
bool is_of_repeated_words(HeadMeasure measure);
constexpr Index fewest_queries = 2; // for such a measure to name a head

std::vector<MeasuredHead> measure_heads(const Attention& attention, std::span<const std::string> queries,
                                        std::span<const std::string> keys);

// --- several heads in one map ------------------------------------------------------------------------------
// [1 × queries × keys] each. Lines of many heads drawn over one another are misread; these are one number a
// pair of words, and their names say which.

KeptTensor mean_of_heads(const Tensor& weights);
KeptTensor maximum_of_heads(const Tensor& weights);

// Attention roll-out (Abnar & Zuidema 2020): Ā_l … Ā_1 with Ā = ½ (mean of the heads) + ½ I, rows made to sum
// to 1: how much of each position of the stack's input lies in each position after the layers given, if
// attention and residual were all there is. `weights` are those of a stack's self-attentions, first layer
// first; there is at least one.
KeptTensor attention_rollout(std::span<const Tensor> weights);

} // namespace headlight
