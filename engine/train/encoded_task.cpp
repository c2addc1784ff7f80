#include "engine/train/encoded_task.h"

#include <algorithm>

namespace headlight {

Tokenizers make_tokenizers(const Task& task, Index max_words) {
    if (task.tokenizer_kind() == TokenizerKind::characters) {
        std::string alphabet;
        for (const std::string& symbol : task.alphabet()) alphabet += symbol;
        const Tokenizer both = Tokenizer::characters(alphabet);
        return {both, both};
    }
    std::vector<std::string> sources, targets;
    for (const SentencePair& pair : task.all_training()) {
        sources.push_back(pair.source);
        targets.push_back(pair.target);
    }
    return {Tokenizer::words(sources, {.lowercase = true, .max_size = max_words}),
            Tokenizer::words(targets, {.lowercase = false, .max_size = max_words})};
}

std::vector<TokenId> encode_with_end(const Tokenizer& tokenizer, std::string_view text, TokenId eos) {
    std::vector<TokenId> ids = tokenizer.encode_ids(text);
    ids.push_back(eos);
    return ids;
}

EncodedTask::EncodedTask(const Task& task, const Tokenizers& tokenizers, const ModelConfig& config)
    : task_(task), tokenizers_(tokenizers), eos_(config.eos_id), unk_(config.unk_id) {
    if (task.is_finite())
        for (const SentencePair& pair : task.all_training())
            training_.push_back(encode(pair, &unknown_words_));
    for (const SentencePair& pair : task.held_out()) held_out_.push_back(encode(pair, &unknown_words_));
}

EncodedPair EncodedTask::encode(const SentencePair& pair, Index* unknown) const {
    EncodedPair encoded{encode_with_end(tokenizers_.source, pair.source, eos_),
                        encode_with_end(tokenizers_.target, pair.target, eos_)};
    if (unknown)
        *unknown += std::count(encoded.source.begin(), encoded.source.end(), unk_)
                    + std::count(encoded.target.begin(), encoded.target.end(), unk_);
    return encoded;
}

void EncodedTask::sample(Random& random, EncodedPair& pair) const {
    if (training_.empty()) {
        pair = encode(task_.sample(random), nullptr);
        return;
    }
    const EncodedPair& chosen = training_[task_.sample_index(random)];
    pair.source.assign(chosen.source.begin(), chosen.source.end()); // into the memory that is there
    pair.target.assign(chosen.target.begin(), chosen.target.end());
}

} // namespace headlight
