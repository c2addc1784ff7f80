// Which word of one sentence stands for which of another.
#pragma once

#include "engine/model/config.h"
#include "engine/tensor/real.h"

#include <span>
#include <string>
#include <vector>

namespace headlight {

// A place in both sentences, or a word of one that has no partner in the other (−1).
struct WordPair {
    Index first = -1, second = -1;
    bool same = false; // the same token

    bool both() const { return first >= 0 && second >= 0; }
    bool operator==(const WordPair&) const = default;
};

// Both sentences as one row of pairs, each in its own order. Partners are the tokens of a longest common
// subsequence; and between two of these, where both sentences have as many words, those words one by one
// ("tired" and "wide"): they stand in the same place, though they are not the same. The others stay alone.
std::vector<WordPair> align(std::span<const TokenId> first, std::span<const TokenId> second);
// The same of words; the same text, the same word.
std::vector<WordPair> align_words(const std::vector<std::string>& first,
                                  const std::vector<std::string>& second);

// As patching takes numbers from one sentence into another: between sentences of one length each word stands
// for that in its place; others are aligned as above.
std::vector<WordPair> align_places(std::span<const TokenId> first, std::span<const TokenId> second);

} // namespace headlight
