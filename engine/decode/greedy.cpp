#include "engine/decode/greedy.h"

#include "engine/ops/leaves.h"

#include <algorithm>

namespace headlight {

std::vector<TokenId> as_given(const ModelMap& map, std::vector<TokenId> words) {
    return map.source() ? map.source()->around(std::move(words)) : words;
}

std::vector<TokenId> greedy_decode(Model& model, std::span<const TokenId> source, Index most_words) {
    if (model.map.target() && !beginning(model.map, source).empty()) {
        Writing writing(model, source);
        std::vector<TokenId> words = write_answer(writing, {.most_words = most_words}).words();
        writing.leave(words);
        return words;
    }
    for (const Stream& stream : model.map.streams)
        if (!stream.is_written) feed(stream.tokens, source, 1, Index(source.size()));
    model.graph.forward(0, model.end_of_output());
    return {};
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
