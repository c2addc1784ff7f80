// Which words moved an answer: each of them taken away in turn, and how probable the answer is without it.
#pragma once

#include "engine/inspect/sweep.h"

#include <span>
#include <vector>

namespace headlight {

// What is watched, computed again and again with one token of `fed` silenced: fed as <pad>, so that nobody
// attends to it and no mean counts it, while the others stay where they stood. `fed` is as it is
// fed; the model is of one stream, and built with probabilities. One number for each token, on the given
// scale; that of a token which is <pad> already is the baseline. Leaves the graph with the values of the
// whole sentence.
std::vector<double> watch_silenced_words(Model& model, std::span<const TokenId> fed, TokenId pad,
                                         const SweepTarget& target,
                                         SweepMeasure measure = SweepMeasure::probability);

} // namespace headlight
