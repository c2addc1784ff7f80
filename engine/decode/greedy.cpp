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

std::vector<TokenId> as_given(const ModelMap& map, std::vector<TokenId> words) {
    if (const Stream* source = map.source()) {
        words.insert(words.begin(), source->before.begin(), source->before.end());
        words.insert(words.end(), source->after.begin(), source->after.end());
    }
    return words;
}

std::vector<TokenId> greedy_decode(Model& model, std::span<const TokenId> source) {
    const Stream& target = *model.map.target();
    std::vector<TokenId> fed = target.before, goal;
    if (!model.map.source()) fed.insert(fed.end(), source.begin(), source.end());
    const auto given = std::ptrdiff_t(fed.size());
    for (const Stream& stream : model.map.streams)
        if (!stream.is_written) feed(stream.tokens, source, 1, Index(source.size()));
    for (Index first = 0;; first = target.tokens->index) {
        feed(target.tokens, fed, 1, Index(fed.size()));
        if (model.map.output.goal) { // as if the sentence ended here, which is right when it does
            goal.assign(fed.begin() + 1, fed.end());
            goal.push_back(target.ends.front());
            feed(model.map.output.goal, goal, 1, Index(goal.size()));
        }
        model.graph.forward(first, model.end_of_output());
        const TokenId next = most_probable(model.map.output.values->value, Index(fed.size()) - 1);
        if (target.is_end(next) || Index(fed.size()) >= target.max_length) break;
        fed.push_back(next);
    }
    if (model.map.output.loss) model.graph.forward(model.map.output.loss->index);
    return {fed.begin() + given, fed.end()};
}

std::vector<TokenId> most_probable_answer(Model& model, std::span<const TokenId> source) {
    if (model.map.target()) return greedy_decode(model, source);
    for (const Stream& stream : model.map.streams) feed(stream.tokens, source, 1, Index(source.size()));
    model.graph.forward(0, model.end_of_output());
    const Output& output = model.map.output;
    const Tensor& logits = output.values->value;
    const bool ends = output.meaning == Output::Meaning::words;
    std::vector<TokenId> said;
    for (Index t = 0; t < logits.rows() - (ends ? 1 : 0); ++t) said.push_back(most_probable(logits, t));
    return said;
}

} // namespace headlight
