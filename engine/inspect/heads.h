#pragma once

#include "engine/inspect/sweep.h"
#include "engine/model/model_map.h"
#include "engine/tensor/real.h"
#include "engine/tensor/tensor.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace headlight {

// Which keys each query would look at, if a head did one simple thing: the word before, the same word, the
// word after an earlier same one. Head scores are shares of the attention on them (Olsson et al. 2022;
// TransformerLens, head_detector).

// Strings "heads.<name>" name each measure, "heads.<name>.text" explain it.
enum class HeadMeasure {
    self,      // the query's own position
    previous,  // the position before
    next,      // the position after
    first,     // the first key
    duplicate, // earlier positions that hold the same word
    same_word, // other positions that hold the same word, earlier or later
    induction, // right behind earlier positions that hold the same word
    diagonal,  // between two sentences, within one position of the line from corner to corner: an alignment
    count
};
constexpr std::size_t head_measures = std::size_t(HeadMeasure::count);
std::string name_of(HeadMeasure measure); // "same_word"

// The words at the rows and columns of an attention: the same number, the same word.
struct PatternWords {
    std::vector<Index> queries, keys;
    bool one_sentence = true; // queries and keys are positions of the same sentence
};

bool is_in_pattern(HeadMeasure measure, Index query, Index key, const PatternWords& words);

// What a head does, measured on the sentence at hand: numbers between 0 and 1 (and an entropy), each beside
// what a head would have that looks at every allowed key alike. A name is given only to what stands out.

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

// Which words moved an answer: each of them taken away in turn, and how probable the answer is without it.

// What is watched, computed again and again with one token of `fed` silenced: fed as <pad>, so that nobody
// attends to it and no mean counts it, while the others stay where they stood. `fed` is as it is
// fed; the model is of one stream, and built with probabilities. One number for each token, on the given
// scale; that of a token which is <pad> already is the baseline. Leaves the graph with the values of the
// whole sentence.
std::vector<double> watch_silenced_words(Model& model, std::span<const TokenId> fed, TokenId pad,
                                         const SweepTarget& target,
                                         SweepMeasure measure = SweepMeasure::probability);

} // namespace headlight
