#pragma once

#include "engine/base/threads.h"
#include "engine/model/family.h"
#include "engine/task/task.h"
#include "engine/text/tokenizer.h"
#include "engine/train/trainer.h"

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace headlight {

// How good a model is on pairs that it has not seen.

struct Evaluation {
    double exact_match = 0; // share of pairs whose greedy output is the target, word for word; or the class
    double token_accuracy = 0; // share of goal words that are the most probable, those before them given
    double loss = 0;           // mean cross-entropy of a goal token, without label smoothing
    Index pairs = 0;
    double silent_units = -1; // share of all ReLUs that no word of the pairs opened; −1: there are none
};

// How batch norm is judged: by what training kept, or by each batch itself, of so many pairs of like length.
struct JudgedBy {
    bool batch_statistics = false;
    Index pairs_at_once = 32; // of other models it changes nothing but the time
};

// One teacher-forced pass tells both: when every goal token is the most probable one after the goal's own
// beginning, greedy decoding writes the goal, and only then. A word that the vocabulary does not know is
// never right: <unk> stands for any of them. </s> is no word, and no part of token_accuracy. What a decoder
// alone is given as the beginning counts for loss and token_accuracy, which are of all that it says, and not
// for exact_match.
class Evaluator {
public:
    // Of a family's model, or without one of our own.
    Evaluator(const ModelConfig& config, Parameters& parameters, Index shards = 8,
              const Family* family = nullptr, JudgedBy by = {});
    ~Evaluator();

    Evaluation evaluate(std::span<const EncodedPair> pairs, Workers& workers);
    // The same in portions, for who has no thread for it: a batch each. Nothing until the last of them.
    std::optional<Evaluation> evaluate_portion(std::span<const EncodedPair> pairs);

private:
    struct Shard;
    void begin(std::span<const EncodedPair> pairs);
    Index batches() const;
    void judge(Index batch);
    Evaluation total() const;

    ModelConfig config_;
    JudgedBy by_;
    std::vector<std::unique_ptr<Shard>> shards_;
    std::vector<const EncodedPair*> by_length_; // that are being judged
    Index portions_ = 0;                        // made of what is judged in portions
};

// A task in token ids: what the trainer samples from and what it is judged on.

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

// What a model says without each of its heads, over many sentences (Michel et al. 2019, arXiv 1905.10650,
// §3.2): which heads its answers hang on, and which of them look from a word that is said to the word that it
// stands for.

struct SilencedSentence {
    EncodedPair pair;
    // Said at row `said` of the target, where it is the right one to say, is a word for the tokens read …
    // read_end − 1.
    struct Same {
        Index said = 0, read = 0, read_end = 0;
    };
    std::vector<Same> same = {};
    bool counts = true; // else it is asked for `turned` alone
};

struct SilencedHead {
    std::string attention; // "decoder.0.cross_attn"
    Index head = 0;
    double answers_changed = 0; // share of the sentences whose most probable answer is another without it
    double loss_change = 0;     // of the right answers' words, the mean cross-entropy; nats a word
    Index turned = 0;           // answers that `turns` says have turned, without it
    std::optional<double> aligned =
        {}; // of attention from what is said to what is read: its mean weight on Same
};

// Calls `done` for each head, in the order of computation, until it returns false. `turns` is asked of the
// answer as it is and of the answer without a head, both without ends. The model has a loss, and keeps no
// edit.
void silence_heads(Model& model, const ModelConfig& config, std::span<const SilencedSentence> sentences,
                   const std::function<bool(std::size_t sentence, const std::vector<TokenId>& as_it_is,
                                            const std::vector<TokenId>& without)>& turns,
                   const std::function<bool(const SilencedHead&)>& done);

} // namespace headlight
