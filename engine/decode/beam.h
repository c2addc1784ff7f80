// Beam search: several beginnings of an answer are kept side by side, because the most probable first word
// does not always begin the most probable sentence.
#pragma once

#include "engine/model/model.h"

#include <span>
#include <vector>

namespace headlight {

// Keeps the `width` most probable beginnings, and takes of those that end the one whose mean log-probability
// of a word (</s> among them) is highest: a sum alone would prefer short answers. A width of 1 is greedy
// decoding. `source` is fed as it is, </s> included. The encoder runs once. An answer ends at </s> or when
// the target is full. Returns the words without <s> and </s>. Where nothing is only read, `source` are the
// words that are continued, as in greedy_decode.
std::vector<TokenId> beam_search(Model& model, std::span<const TokenId> source, Index width);

} // namespace headlight
