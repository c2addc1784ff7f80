// Sentence pairs as token ids, and batches of them.
#pragma once

#include "engine/model/config.h"
#include "engine/model/transformer.h"

#include <span>
#include <vector>

namespace headlight {

// What is fed for one pair: the source as `tokens </s>`, and `target` as `tokens </s>`. The decoder reads
// `<s> tokens` and should say `tokens </s>`: teacher forcing. An encoder alone should say `target` at once, a
// word for each that it reads, or the number of a class. A decoder alone is given the source without </s> as
// the beginning of what it writes.
struct EncodedPair {
    std::vector<TokenId> source, target;
    bool beginning_counts = true; // of a decoder alone: else what it is given has no part in the loss
};

// Sequences one under another, each padded to the longest.
struct Batch {
    Index sequences = 0, source_length = 0, target_length = 0;
    std::vector<TokenId> source, target, goal; // [sequences × length], row-major
    Index goal_tokens = 0;                     // that are not padding, which those that do not count are

    void fill(std::span<const EncodedPair* const> pairs, const ModelConfig& config);
};

void feed(Model& model, const Batch& batch);

} // namespace headlight
