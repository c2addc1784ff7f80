#include "engine/text/post_processing.h"

namespace headlight {

namespace {

using TemplateItem = PostProcessing::Item;

void append(ModelInput& input, std::span<const TokenId> sentence, int type) {
    for (std::size_t i = 0; i < sentence.size(); ++i) {
        input.ids.push_back(sentence[i]);
        input.types.push_back(type);
        input.pieces.push_back(std::ptrdiff_t(i));
    }
}

ModelInput filled(const std::vector<TemplateItem>& items, std::span<const TokenId> first,
                  std::span<const TokenId> second) {
    ModelInput input;
    for (const TemplateItem& item : items) {
        switch (item.what) {
        case TemplateItem::What::token:
            input.ids.push_back(item.id);
            input.types.push_back(item.type);
            input.pieces.push_back(ModelInput::added);
            break;
        case TemplateItem::What::first:
            append(input, first, item.type);
            break;
        case TemplateItem::What::second:
            append(input, second, item.type);
            break;
        }
    }
    return input;
}

const TemplateItem first_sentence = {TemplateItem::What::first, no_token, 0};

} // namespace

PostProcessing PostProcessing::with_begin(TokenId id) {
    const TemplateItem begin = {TemplateItem::What::token, id, 0};
    return {{begin, first_sentence},
            {begin, first_sentence, begin, {TemplateItem::What::second, no_token, 1}}};
}

PostProcessing PostProcessing::with_end(TokenId id) {
    const TemplateItem end = {TemplateItem::What::token, id, 0};
    return {{first_sentence, end}, {first_sentence, {TemplateItem::What::second, no_token, 0}, end}};
}

ModelInput model_input(const PostProcessing& processing, std::span<const TokenId> sentence) {
    const std::vector<TemplateItem> plain = {first_sentence};
    return filled(processing.single.empty() ? plain : processing.single, sentence, {});
}

ModelInput model_input(const PostProcessing& processing, std::span<const TokenId> first,
                       std::span<const TokenId> second) {
    const std::vector<TemplateItem> plain = {first_sentence, {TemplateItem::What::second, no_token, 0}};
    return filled(processing.pair.empty() ? plain : processing.pair, first, second);
}

} // namespace headlight
