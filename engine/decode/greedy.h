// Inference: the decoder's own words are fed back to it, one after another, until it says </s>.
#pragma once

#include "engine/decode/answer.h"

#include <span>
#include <vector>

namespace headlight {

// Words of a sentence as a model is given them: those of a stream that is read with what stands around them,
// or the words alone, as a beginning that is written on from.
std::vector<TokenId> as_given(const ModelMap& map, std::vector<TokenId> words);

// At each step the most probable word (of equals, the first) that may be said. `source` is fed as it is, </s>
// included, to every stream that is read. The encoder runs once; each further word computes its own row of
// the decoder alone (GrowingPass). Ends at </s> or when the target is full. Returns the words without <s> and
// </s>. Afterwards the graph holds the values of a whole pass, in which the decoder was fed `<s> words`: all
// that was said, and why. A model with a loss has been asked to say `words </s>`, and its loss is computed:
// how surprising its own words are to it.
//
// Where nothing is only read, `source` are the words that are continued, and what is returned follows them;
// the last word said need not have room to be fed. At most `most_words` are said then, or as many as are
// usual for the model. A model that writes nothing is computed once, and says nothing.
std::vector<TokenId> greedy_decode(Model& model, std::span<const TokenId> source, Index most_words = 0);

// What a model answers, whether it writes or not: greedy_decode, or what is most probable at once: for each
// word that was read the word that is said, that of the last, </s>, left out; or the one class of all.
std::vector<TokenId> most_probable_answer(Model& model, std::span<const TokenId> source);

} // namespace headlight
