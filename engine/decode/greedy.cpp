#include "engine/decode/greedy.h"

#include "engine/ops/leaves.h"

#include <algorithm>

namespace headlight {

namespace {

TokenId most_probable(const Tensor& logits, Index position) {
    const Real* row = logits.row(0, position);
    return TokenId(std::max_element(row, row + logits.columns()) - row);
}

} // namespace

std::vector<TokenId> greedy_decode(Transformer& model, const ModelConfig& config,
                                   std::span<const TokenId> source) {
    std::vector<TokenId> fed{config.bos_id};
    feed(model.source_tokens, source, 1, Index(source.size()));
    for (Index first = 0;; first = model.first_of_decoder) {
        feed(model.target_tokens, fed, 1, Index(fed.size()));
        model.graph.forward(first);
        const TokenId next = most_probable(model.logits->value, Index(fed.size()) - 1);
        if (next == config.eos_id || Index(fed.size()) >= config.max_length) break;
        fed.push_back(next);
    }
    fed.erase(fed.begin());
    return fed;
}

} // namespace headlight
