// How good a model is on pairs that it has not seen.
#pragma once

#include "engine/base/workers.h"
#include "engine/model/family.h"
#include "engine/train/batch.h"

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace headlight {

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

} // namespace headlight
