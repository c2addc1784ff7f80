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
Tokenizers make_tokenizers(const Task& task, Index max_words = 0);

// `tokens </s>`.
std::vector<TokenId> encode_with_end(const Tokenizer& tokenizer, std::string_view text, TokenId eos);

class EncodedTask final : public PairSource {
public:
    // The task must outlive this. Finite tasks are encoded here, once.
    EncodedTask(const Task& task, const Tokenizers& tokenizers, const ModelConfig& config);

    void sample(Random& random, EncodedPair& pair) const override;
    const std::vector<EncodedPair>& held_out() const { return held_out_; }
    Index unknown_words() const { return unknown_words_; } // of all pairs, occurrences

private:
    EncodedPair encode(const SentencePair& pair, Index* unknown) const;

    const Task& task_;
    Tokenizers tokenizers_;
    TokenId eos_, unk_;
    std::vector<EncodedPair> training_; // of a finite task
    std::vector<EncodedPair> held_out_;
    Index unknown_words_ = 0;
};

} // namespace headlight
