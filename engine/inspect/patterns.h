// Which keys each query would look at, if a head did one simple thing: the word before, the same word, the
// word after an earlier same one. Head scores are shares of the attention on them (Olsson et al. 2022;
// TransformerLens, head_detector).
#pragma once

#include "engine/tensor/real.h"

#include <string>
#include <vector>

namespace headlight {

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

} // namespace headlight
