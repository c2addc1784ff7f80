#include "app/cli/asked_model.h"

#include "engine/decode/writing.h"
#include "engine/ops/leaves.h"

#include <algorithm>

namespace headlight {

namespace {

TokenId greatest(const Tensor& logits, Index row) {
    const Real* begin = logits.row(0, row);
    return TokenId(std::max_element(begin, begin + logits.columns()) - begin);
}

// The token that stands for a word that is to be found.
std::optional<TokenId> mask_of(const ModelFiles& files) {
    for (const char* name : {"[MASK]", "<mask>"})
        if (const std::optional<TokenId> mask = files.source.vocabulary().find(name)) return mask;
    return {};
}

// Each mask is the word that is most probable in its place.
std::string filled_in(const ModelFiles& files, const Model& model, std::vector<TokenId> ids) {
    const std::optional<TokenId> mask = mask_of(files);
    for (std::size_t i = 0; i < ids.size(); ++i)
        if (ids[i] == mask) ids[i] = greatest(model.map.output.values->value, Index(i));
    return files.source.decode(ids);
}

} // namespace

FedText fed_text(const Tokenizer& tokenizer, const Stream& stream, const std::string& text) {
    return {stream.around(tokenizer.encode_ids(text)), {}};
}

FedText fed_text(const Tokenizer& tokenizer, const Stream& stream, const std::string& first,
                 const std::string& second) {
    if (tokenizer.parts().post_processor.pair.empty()) {
        FedText fed = fed_text(tokenizer, stream, first);
        const std::size_t length = fed.ids.size();
        const std::vector<TokenId> more = tokenizer.encode_ids(second);
        fed.ids.insert(fed.ids.end(), more.begin(), more.end());
        fed.ids.insert(fed.ids.end(), stream.after.begin(), stream.after.end());
        fed.types.assign(length, 0);
        fed.types.resize(fed.ids.size(), 1);
        return fed;
    }
    ModelInput input = tokenizer.model_input(first, second);
    return {std::move(input.ids), {input.types.begin(), input.types.end()}};
}

Result<std::vector<TokenId>> given_ids(const ModelFiles& files, const ModelMap& map, const std::string& text,
                                       std::size_t number) {
    if (!map.target() && map.output.meaning == Output::Meaning::number)
        return Error{"error.model_says_nothing", {}};
    const Stream& read = map.source() ? *map.source() : *map.target();
    std::vector<TokenId> words = files.source.encode_ids(text);
    if (words.empty()) return words; // nothing was said
    if (Index(words.size()) > read.max_words())
        return Error{
            "error.sentence_too_long",
            {std::to_string(number), std::to_string(words.size()), std::to_string(read.max_words())}};
    return as_given(map, std::move(words));
}

std::string answer_of_reader(const ModelFiles& files, Model& model, const std::vector<TokenId>& given) {
    const ModelMap& map = model.map;
    const std::vector<TokenId> said = most_probable_answer(model, given);
    if (map.output.meaning == Output::Meaning::words)
        return mask_of(files) ? filled_in(files, model, given) : files.target.decode(said);
    const TokenId best = said.front();
    return best < TokenId(map.output.labels.size()) ? map.output.labels[std::size_t(best)]
                                                    : std::to_string(best);
}

} // namespace headlight
