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

std::vector<TokenId> greedy_decode(Model& model, const ModelConfig& config, std::span<const TokenId> source) {
    std::vector<TokenId> fed{config.bos_id}, goal;
    for (const Stream& stream : model.map.streams)
        if (!stream.begins) feed(stream.tokens, source, 1, Index(source.size()));
    for (Index first = 0;; first = model.map.target()->tokens->index) {
        feed(model.map.target()->tokens, fed, 1, Index(fed.size()));
        if (model.map.output.goal) { // as if the sentence ended here, which is right when it does
            goal.assign(fed.begin() + 1, fed.end());
            goal.push_back(config.eos_id);
            feed(model.map.output.goal, goal, 1, Index(goal.size()));
        }
        model.graph.forward(first, model.end_of_output());
        const TokenId next = most_probable(model.map.output.values->value, Index(fed.size()) - 1);
        if (next == config.eos_id || Index(fed.size()) >= config.max_length) break;
        fed.push_back(next);
    }
    if (model.map.output.loss) model.graph.forward(model.map.output.loss->index);
    fed.erase(fed.begin());
    return fed;
}

} // namespace headlight
