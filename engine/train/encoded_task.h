// A task in token ids: what the trainer samples from and what it is judged on.
#pragma once

#include "engine/task/task.h"
#include "engine/text/tokenizer.h"
#include "engine/train/batch.h"
#include "engine/train/trainer.h"

#include <string>
#include <vector>

namespace headlight {

// Tokenizers that know every word of a task, or the max_words most frequent (special tokens included;
// 0: all). The source is lower-cased; the target keeps its case, so that the model writes "O animal", "Roma".
// A task that learnt its tokenizer has that one. Where there is one vocabulary, of classes or of a decoder
// alone, it is lower-cased and serves both sides.
Tokenizers make_tokenizers(const Task& task, Index max_words = 0);

// `tokens </s>`.
std::vector<TokenId> encode_with_end(const Tokenizer& tokenizer, std::string_view text, TokenId eos);

// What is fed of a source: `tokens </s>`; of the beginning that a decoder alone goes on with, its tokens.
std::vector<TokenId> encode_source(const Tokenizer& tokenizer, std::string_view text,
                                   const ModelConfig& config);

// A pair as the model of this config reads and says it; without target_ends no </s> follows the target.
// Errors: pair_longer_than_model; label_unknown; answers_uneven, where an encoder alone should say more words
// than it reads, or fewer.
Result<EncodedPair> encode_pair(const SentencePair& pair, const Tokenizers& tokenizers,
                                const ModelConfig& config, bool target_ends = true);

class EncodedTask final : public PairSource {
public:
    // The task must outlive this, and its pairs be such that encode_pair has no error. Finite tasks are
    // encoded here, once.
    EncodedTask(const Task& task, const Tokenizers& tokenizers, const ModelConfig& config);

    void sample(Random& random, EncodedPair& pair) const override;
    const std::vector<EncodedPair>& held_out() const { return held_out_; }
    Index unknown_words() const { return unknown_words_; } // of all pairs, occurrences

private:
    EncodedPair encode(const SentencePair& pair, Index* unknown) const;

    const Task& task_;
    Tokenizers tokenizers_;
    ModelConfig config_;
    std::vector<EncodedPair> training_; // of a finite task
    std::vector<EncodedPair> held_out_;
    Index unknown_words_ = 0;
};

} // namespace headlight
