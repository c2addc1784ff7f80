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
    std::vector<TokenId> fed{config.bos_id}, goal;
    feed(model.source_tokens, source, 1, Index(source.size()));
    for (Index first = 0;; first = model.first_of_decoder) {
        feed(model.target_tokens, fed, 1, Index(fed.size()));
        if (model.goal_tokens) { // as if the sentence ended here, which is right when it does
            goal.assign(fed.begin() + 1, fed.end());
            goal.push_back(config.eos_id);
            feed(model.goal_tokens, goal, 1, Index(goal.size()));
        }
        model.graph.forward(first, model.end_of_words());
        const TokenId next = most_probable(model.logits->value, Index(fed.size()) - 1);
        if (next == config.eos_id || Index(fed.size()) >= config.max_length) break;
        fed.push_back(next);
    }
    if (model.loss) model.graph.forward(model.loss->index);
    fed.erase(fed.begin());
    return fed;
}

} // namespace headlight
