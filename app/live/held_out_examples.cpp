#include "app/live/held_out_examples.h"

#include "engine/decode/writing.h"
#include "engine/train/evaluate.h"

#include <algorithm>

namespace headlight {

namespace {

// lengths[i][j]: of the longest common subsequence of output from i on and goal from j on.
std::vector<std::vector<Index>> common_lengths(const std::vector<TokenId>& output,
                                               const std::vector<TokenId>& goal, TokenId unk) {
    std::vector<std::vector<Index>> lengths(output.size() + 1, std::vector<Index>(goal.size() + 1, 0));
    for (std::size_t i = output.size(); i-- > 0;)
        for (std::size_t j = goal.size(); j-- > 0;)
            lengths[i][j] = output[i] == goal[j] && output[i] != unk // <unk> says no word
                                ? lengths[i + 1][j + 1] + 1
                                : std::max(lengths[i + 1][j], lengths[i][j + 1]);
    return lengths;
}

std::vector<JudgedWord> words(const std::vector<TokenId>& ids, const Tokenizer& tokenizer) {
    std::vector<JudgedWord> words;
    for (TokenId id : ids) words.push_back({token_label(tokenizer, id), false});
    return words;
}

std::vector<JudgedWord> labels(const std::vector<TokenId>& ids, const ModelConfig& config) {
    std::vector<JudgedWord> labels;
    for (TokenId id : ids) labels.push_back({config.labels[std::size_t(id)], false});
    return labels;
}

void mark_common(JudgedExample& example, const std::vector<TokenId>& output, const std::vector<TokenId>& goal,
                 TokenId unk) {
    const auto lengths = common_lengths(output, goal, unk);
    for (std::size_t i = 0, j = 0; i < output.size() && j < goal.size();) {
        if (output[i] == goal[j] && output[i] != unk) {
            example.output[i++].right = true;
            example.wanted[j++].right = true;
        } else if (lengths[i + 1][j] >= lengths[i][j + 1]) {
            ++i;
        } else {
            ++j;
        }
    }
}

} // namespace

std::vector<JudgedExample> judge_examples(Model& transformer, const ModelConfig& config,
                                          const Tokenizer& source, const Tokenizer& target,
                                          std::span<const SentencePair> pairs) {
    std::vector<JudgedExample> examples;
    for (const SentencePair& pair : pairs) {
        Result<EncodedPair> encoded = encode_pair(pair, {source, target}, config);
        if (!encoded) continue; // too long for this model
        std::vector<TokenId>& goal = encoded->target;
        if (!config.sorts()) goal.pop_back(); // </s>
        std::vector<TokenId> output = most_probable_answer(transformer, encoded->source);
        const Index written = Index(encoded->source.size() + output.size()) + 1;
        if (!config.has_encoder()
            && written >= config.max_length) // a text has no end, and is as long as wanted
            output.resize(std::min(output.size(), goal.size()));
        const auto called = [&](const std::vector<TokenId>& ids) {
            return config.sorts() ? labels(ids, config) : words(ids, target);
        };
        JudgedExample example{pair.source, pair.target, called(output), called(goal), false};
        mark_common(example, output, goal, config.sorts() ? no_token : config.unk_id);
        const auto is_right = [](const JudgedWord& word) { return word.right; };
        example.exact = std::all_of(example.output.begin(), example.output.end(), is_right)
                        && std::all_of(example.wanted.begin(), example.wanted.end(), is_right);
        examples.push_back(std::move(example));
    }
    return examples;
}

} // namespace headlight
