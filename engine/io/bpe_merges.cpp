#include "engine/io/bpe_merges.h"

#include "engine/text/unicode.h"

#include <algorithm>

namespace headlight {

bool BpeMerges::refuse(std::string_view left, std::string_view right) {
    const std::string merge = valid_utf8(std::string(left) + " " + std::string(right));
    error_ = {"error.tokenizer_merge", {file_, std::to_string(pairs_.size() + 1), merge}};
    return false;
}

bool BpeMerges::add(std::string_view merge) {
    const std::size_t space = merge.find(' ');
    if (space == merge.npos || merge.find(' ', space + 1) != merge.npos) return refuse(merge, "");
    return add(merge.substr(0, space), merge.substr(space + 1));
}

bool BpeMerges::add(std::string_view left, std::string_view right) {
    joined_.assign(left).append(right);
    const Bpe::Pair pair = {vocabulary_.find_in_model(left), vocabulary_.find_in_model(right),
                            vocabulary_.find_in_model(joined_)};
    if (std::min({pair.left, pair.right, pair.result}) == no_token) return refuse(left, right);
    pairs_.push_back(pair);
    return true;
}

} // namespace headlight
