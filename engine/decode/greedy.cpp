#include "engine/decode/greedy.h"

#include "engine/ops/leaves.h"

#include <algorithm>

namespace headlight {

namespace {

bool may_be_said(const Stream& target, TokenId word) {
    return std::find(target.never.begin(), target.never.end(), word) == target.never.end();
}

TokenId most_probable(const Tensor& logits, Index position, const Stream& target) {
    const Real* row = logits.row(0, position);
    TokenId best = TokenId(std::max_element(row, row + logits.columns()) - row);
    if (may_be_said(target, best)) return best;
    best = -1;
    for (TokenId word = 0; word < TokenId(logits.columns()); ++word)
        if (may_be_said(target, word) && (best < 0 || row[word] > row[best])) best = word;
    return best;
}

} // namespace

std::vector<TokenId> as_given(const ModelMap& map, std::vector<TokenId> words) {
    return map.source() ? map.source()->around(std::move(words)) : words;
}

std::vector<TokenId> beginning(const ModelMap& map, std::span<const TokenId> source) {
    const Stream& target = *map.target();
    std::vector<TokenId> fed = target.before;
    if (!map.source()) fed.insert(fed.end(), source.begin(), source.end());
    if (fed.empty() && !target.ends.empty()) fed.push_back(target.ends.front()); // GPT-2 begins behind an end
    return fed;
}

std::vector<TokenId> greedy_decode(Model& model, std::span<const TokenId> source, Index most_words) {
    for (const Stream& stream : model.map.streams)
        if (!stream.is_written) feed(stream.tokens, source, 1, Index(source.size()));
    if (!model.map.target()) {
        model.graph.forward(0, model.end_of_output());
        return {};
    }
    const Stream& target = *model.map.target();
    const bool continues = !model.map.source();
    if (most_words == 0) most_words = target.usual_words;
    std::vector<TokenId> fed = beginning(model.map, source), said, goal;
    for (Index first = 0; !fed.empty(); first = target.tokens->index) {
        feed(target.tokens, fed, 1, Index(fed.size()));
        if (model.map.output.goal) { // as if the sentence ended here, which is right when it does
            goal.assign(fed.begin() + 1, fed.end());
            goal.push_back(target.ends.empty() ? fed.back() : target.ends.front());
            feed(model.map.output.goal, goal, 1, Index(goal.size()));
        }
        model.graph.forward(first, model.end_of_output());
        const TokenId next = most_probable(model.map.output.values->value, Index(fed.size()) - 1, target);
        const bool is_full = Index(fed.size()) >= target.max_length;
        if (target.is_end(next) || (is_full && !continues)) break;
        said.push_back(next);
        if (is_full || (most_words > 0 && Index(said.size()) >= most_words)) break;
        fed.push_back(next);
    }
    if (model.map.output.loss) model.graph.forward(model.map.output.loss->index);
    return said;
}

std::vector<TokenId> most_probable_answer(Model& model, std::span<const TokenId> source) {
    const Output& output = model.map.output;
    if (model.map.target()) return greedy_decode(model, source);
    for (const Stream& stream : model.map.streams) feed(stream.tokens, source, 1, Index(source.size()));
    model.graph.forward(0, model.end_of_output());
    const Tensor& logits = output.values->value;
    const bool ends = output.meaning == Output::Meaning::words;
    std::vector<TokenId> said;
    for (Index t = 0; t < logits.rows() - (ends ? 1 : 0); ++t) {
        const Real* row = logits.row(0, t);
        said.push_back(TokenId(std::max_element(row, row + logits.columns()) - row));
    }
    return said;
}

} // namespace headlight
