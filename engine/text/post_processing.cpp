#include "engine/text/post_processing.h"

namespace headlight {

namespace {

using Item = PostProcessing::Item;

void append(ModelInput& input, std::span<const TokenId> sentence, int type) {
    for (std::size_t i = 0; i < sentence.size(); ++i) {
        input.ids.push_back(sentence[i]);
        input.types.push_back(type);
        input.pieces.push_back(std::ptrdiff_t(i));
    }
}

ModelInput filled(const std::vector<Item>& items, std::span<const TokenId> first,
                  std::span<const TokenId> second) {
    ModelInput input;
    for (const Item& item : items) {
        switch (item.what) {
        case Item::What::token:
            input.ids.push_back(item.id);
            input.types.push_back(item.type);
            input.pieces.push_back(ModelInput::added);
            break;
        case Item::What::first:
            append(input, first, item.type);
            break;
        case Item::What::second:
            append(input, second, item.type);
            break;
        }
    }
    return input;
}

const Item first_sentence = {Item::What::first, no_token, 0};

} // namespace

PostProcessing PostProcessing::with_begin(TokenId id) {
    const Item begin = {Item::What::token, id, 0};
    return {{begin, first_sentence}, {begin, first_sentence, begin, {Item::What::second, no_token, 1}}};
}

PostProcessing PostProcessing::with_end(TokenId id) {
    const Item end = {Item::What::token, id, 0};
    return {{first_sentence, end}, {first_sentence, {Item::What::second, no_token, 0}, end}};
}

ModelInput model_input(const PostProcessing& processing, std::span<const TokenId> sentence) {
    const std::vector<Item> plain = {first_sentence};
    return filled(processing.single.empty() ? plain : processing.single, sentence, {});
}

ModelInput model_input(const PostProcessing& processing, std::span<const TokenId> first,
                       std::span<const TokenId> second) {
    const std::vector<Item> plain = {first_sentence, {Item::What::second, no_token, 0}};
    return filled(processing.pair.empty() ? plain : processing.pair, first, second);
}

} // namespace headlight
