#include "engine/train/encoded_task.h"

#include "engine/base/check.h"
#include "engine/base/giving_up.h"
#include "engine/text/gloss_words.h"

#include <algorithm>

namespace headlight {

namespace {

// A word may be several tokens: only the first of them says what it becomes.
bool is_cut_into_pieces(const Tokenizer& tokenizer) { return !tokenizer.is_word_level(); }

} // namespace

Tokenizers make_tokenizers(const Task& task, Index max_words) {
    const Learner learner = task.learner();
    const bool is_one = learner.architecture == Architecture::decoder_only || learner.head == Head::classes;
    if (const Tokenizer* learnt = task.learnt_tokenizer()) return {*learnt, *task.learnt_target_tokenizer()};
    if (task.tokenizer_kind() == TokenizerKind::characters) {
        std::string alphabet;
        for (const std::string& symbol : task.alphabet()) alphabet += symbol;
        const Tokenizer both = Tokenizer::characters(alphabet);
        return {both, both};
    }
    std::vector<std::string> sources, targets;
    for (const SentencePair& pair : task.all_training()) {
        give_up_if_told();
        sources.push_back(pair.source);
        // A label is no word; what a decoder alone says it reads as well.
        (is_one ? sources : targets).push_back(learner.head == Head::classes ? "" : pair.target);
    }
    if (is_one) {
        const Tokenizer both = Tokenizer::words(sources, {.lowercase = true, .max_size = max_words});
        return {both, both};
    }
    return {Tokenizer::words(sources, {.lowercase = true, .max_size = max_words}),
            Tokenizer::words(targets, {.lowercase = false, .max_size = max_words})};
}

std::vector<TokenId> encode_with_end(const Tokenizer& tokenizer, std::string_view text, TokenId eos) {
    std::vector<TokenId> ids = tokenizer.encode_ids(text);
    ids.push_back(eos);
    return ids;
}

std::vector<TokenId> encode_source(const Tokenizer& tokenizer, std::string_view text,
                                   const ModelConfig& config) {
    return config.has_encoder() ? encode_with_end(tokenizer, text, config.eos_id)
                                : tokenizer.encode_ids(text);
}

Result<EncodedPair> encode_pair(const SentencePair& pair, const Tokenizers& tokenizers,
                                const ModelConfig& config, bool target_ends) {
    EncodedPair encoded;
    encoded.source = encode_source(tokenizers.source, pair.source, config);
    if (config.sorts()) {
        const auto label = std::find(config.labels.begin(), config.labels.end(), pair.target);
        if (label == config.labels.end()) {
            std::string known;
            for (const std::string& one : config.labels) known += (known.empty() ? "" : ", ") + one;
            return Error{"error.label_unknown", {pair.target, pair.source, known}};
        }
        encoded.target = {TokenId(label - config.labels.begin())};
    } else {
        encoded.target = tokenizers.target.encode_ids(pair.target);
        if (config.architecture == Architecture::encoder_only && is_cut_into_pieces(tokenizers.source)) {
            auto said = glosses_of_pieces(pair.source, tokenizers.source.encode(pair.source), encoded.target,
                                          tokenizers.target);
            if (!said)
                return Error{"error.answers_uneven",
                             {pair.source, std::to_string(gloss_words(pair.source).size()), pair.target,
                              std::to_string(encoded.target.size())}};
            encoded.target = *std::move(said);
        }
        if (target_ends) encoded.target.push_back(config.eos_id);
    }
    const Index source = Index(encoded.source.size()), target = Index(encoded.target.size());
    const Index longest = config.has_encoder() ? std::max(source, target) : source + target;
    if (longest > config.max_length)
        return Error{"error.pair_longer_than_model",
                     {target > source ? pair.target : pair.source, std::to_string(longest),
                      std::to_string(config.max_length)}};
    if (config.architecture == Architecture::encoder_only && !config.sorts() && source != target)
        return Error{"error.answers_uneven",
                     {pair.source, std::to_string(source - 1), pair.target, std::to_string(target - 1)}};
    return encoded;
}

EncodedTask::EncodedTask(const Task& task, const Tokenizers& tokenizers, const ModelConfig& config)
    : task_(task), tokenizers_(tokenizers), config_(config) {
    if (task.is_finite())
        for (const SentencePair& pair : task.all_training()) {
            give_up_if_told();
            training_.push_back(encode(pair, &unknown_words_));
        }
    for (const SentencePair& pair : task.held_out()) held_out_.push_back(encode(pair, &unknown_words_));
}

EncodedPair EncodedTask::encode(const SentencePair& pair, Index* unknown) const {
    Result<EncodedPair> encoded = encode_pair(pair, tokenizers_, config_, task_.target_ends());
    HEADLIGHT_CHECK(encoded, std::string(task_.name()) + ": a pair that the model cannot take");
    const auto count = [&](const std::vector<TokenId>& ids) {
        return Index(std::count(ids.begin(), ids.end(), config_.unk_id));
    };
    if (unknown) *unknown += count(encoded->source) + (config_.sorts() ? 0 : count(encoded->target));
    encoded->beginning_counts = task_.beginning_counts();
    return *std::move(encoded);
}

void EncodedTask::sample(Random& random, EncodedPair& pair) const {
    if (training_.empty()) {
        pair = encode(task_.sample(random), nullptr);
        return;
    }
    const EncodedPair& chosen = training_[task_.sample_index(random)];
    pair.source.assign(chosen.source.begin(), chosen.source.end()); // into the memory that is there
    pair.target.assign(chosen.target.begin(), chosen.target.end());
    pair.beginning_counts = chosen.beginning_counts;
}

} // namespace headlight
