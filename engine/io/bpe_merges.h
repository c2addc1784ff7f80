// The merges of byte-pair encoding as files have them: two tokens each, in the order of their ranks.
#pragma once

#include "engine/base/result.h"
#include "engine/text/bpe.h"

#include <string>
#include <string_view>
#include <vector>

namespace headlight {

class BpeMerges {
public:
    BpeMerges(const Vocabulary& vocabulary, std::string file)
        : vocabulary_(vocabulary), file_(std::move(file)) {}

    void reserve(std::size_t merges) { pairs_.reserve(merges); }
    // “a b”: a space between the two, and no other. False: it is not that, or one of the two, or both joined,
    // is no token of the model; `error` then says which merge.
    bool add(std::string_view merge);
    bool add(std::string_view left, std::string_view right);
    const Error& error() const { return error_; }
    std::vector<Bpe::Pair> take() { return std::move(pairs_); }

private:
    bool refuse(std::string_view left, std::string_view right);
    const Vocabulary& vocabulary_;
    std::string file_;
    std::vector<Bpe::Pair> pairs_;
    std::string joined_;
    Error error_;
};

} // namespace headlight
