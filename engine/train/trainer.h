#pragma once

#include "engine/base/threads.h"
#include "engine/graph/graph.h"
#include "engine/model/config.h"
#include "engine/model/parameters.h"
#include "engine/model/transformer.h"
#include "engine/tensor/random.h"
#include "engine/train/adam.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace headlight {

// Sentence pairs as token ids, and batches of them.

// What is fed for one pair: the source as `tokens </s>`, and `target` as `tokens </s>`. The decoder reads
// `<s> tokens` and should say `tokens </s>`: teacher forcing. An encoder alone should say `target` at once, a
// word for each that it reads, or the number of a class. A decoder alone is given the source without </s> as
// the beginning of what it writes.
struct EncodedPair {
    std::vector<TokenId> source, target;
    bool prefix_counts = true; // of a decoder alone: else what it is given has no part in the loss
};

// Sequences one under another, each padded to the longest.
struct Batch {
    Index sequences = 0, source_length = 0, target_length = 0;
    std::vector<TokenId> source, target, goal; // [sequences × length], row-major
    Index goal_tokens = 0;                     // that are not padding, which those that do not count are

    void fill(std::span<const EncodedPair* const> pairs, const ModelConfig& config);
};

void feed(Model& model, const Batch& batch);

// One optimizer step after another, on as many threads as there are, with the same losses bit for bit on any
// number of them: a batch is cut into a fixed number of shards, and their gradients are summed in order. A
// shard of a large model, which has few of them, computes pieces one after another, of sequences of like
// length. Batch norm takes mean and variance of a shard, which hangs on the batch and the model alone.

struct TrainingOptions {
    Index batch_size = 64; // sentence pairs in a step
    Schedule schedule;
    AdamOptions adam;
    double label_smoothing = 0;
    double clip_norm = 1; // gradients of a larger norm are scaled down to it; 0: never
    std::uint64_t seed = 1;
    int threads = 2;
    bool operator==(const TrainingOptions&) const = default;
};

// Where training pairs come from. Called from several threads at once; the pair must depend on `random`
// alone.
class PairSource {
public:
    virtual ~PairSource() = default;
    virtual void sample(Random& random, EncodedPair& pair) const = 0;
};

struct StepResult {
    Index step = 0; // from 1
    double loss = 0;
    double gradient_norm = 0; // before clipping
    double learning_rate = 0;
    Index tokens = 0; // source and target tokens of the batch, padding not counted
};

// Seconds on the wall, added up over steps. The two last are of Adam: the shards' gradients are summed, then
// the weights are updated.
struct StepTimes {
    double batches = 0, passes = 0, sums = 0, updates = 0;
};

class Trainer {
public:
    // Parameters and source must outlive the trainer.
    Trainer(const ModelConfig& config, Parameters& parameters, const PairSource& source,
            TrainingOptions options);
    ~Trainer();

    // One step: sample, forward, backward, Adam. When the loss or the gradient is not finite nothing is
    // updated: see StepResult::loss and gradient_norm.
    StepResult step();
    // The same step in portions, for who has no thread for it: the batch, a shard's passes each, the update.
    // Nothing until the last of them.
    std::optional<StepResult> step_portion();

    Index steps() const { return adam_.step(); }
    const TrainingOptions& options() const { return options_; }
    void set_schedule(const Schedule& schedule) { options_.schedule = schedule; }
    Adam& adam() { return adam_; }
    Workers& workers() { return workers_; }
    Index shards() const { return Index(shards_.size()); }
    Index parameter_count() const { return parameters_.count(); }
    const Graph& graph(Index shard) const; // as the last step left it

    // Where the time goes, since time_operations() was called.
    void time_operations();
    const StepTimes& times() const { return times_; }
    const NodeTimes& operation_times(Index shard) const;

private:
    struct Shard;
    void sample_batch(std::uint64_t step);
    void begin_step();
    void pass(Index shard);
    StepResult finish_step();
    double gradient_norm();

    const ModelConfig config_;
    Parameters& parameters_;
    const PairSource& source_;
    TrainingOptions options_;
    Adam adam_;
    Workers workers_;
    std::vector<EncodedPair> pairs_;
    std::vector<const EncodedPair*> by_length_;
    std::vector<std::unique_ptr<Shard>> shards_;
    std::vector<double> partial_norms_;
    Index goal_tokens_ = 0, tokens_ = 0; // of the batch
    Index portions_ = 0;                 // made of the step that is being made in portions
    StepTimes times_;
};

// Where training went wrong: the first number of a pass that is not finite.

struct NotFinite {
    const Node* node = nullptr;
    Cell cell;
    bool gradient = false; // of the loss with respect to the value; else the value itself
};

// Values in the order of computation, then gradients in the order of backward. −∞ is as it should be where a
// mask put it.
std::optional<NotFinite> first_not_finite(const Graph& graph);

// "encoder.0.self_attn.query", or "∂loss/∂encoder.0.self_attn.query".
std::string to_string(const NotFinite& found);

} // namespace headlight
