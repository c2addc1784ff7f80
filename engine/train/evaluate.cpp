#include "engine/train/evaluate.h"

#include <algorithm>

namespace headlight {

struct Evaluator::Shard {
    Batch batch;
    std::unique_ptr<Model> model;
    Index exact = 0, right = 0, words = 0, tokens = 0;
    double loss = 0;
    std::vector<char> opened; // of each unit of each ReLU, in the order of the graph

    void judge(std::span<const EncodedPair* const> pairs, const ModelConfig& config);
    void note_opened();
};

Evaluator::Evaluator(const ModelConfig& config, Parameters& parameters, Index shards, const Family* family,
                     JudgedBy by)
    : config_(config), by_(by) {
    for (Index i = 0; i < shards; ++i) {
        shards_.push_back(std::make_unique<Shard>());
        shards_.back()->model =
            build_model(config_, family, parameters,
                        {.batch_statistics = by.batch_statistics, .probabilities = false, .loss = true});
    }
}

Evaluator::~Evaluator() = default;

void Evaluator::Shard::judge(std::span<const EncodedPair* const> pairs, const ModelConfig& config) {
    batch.fill(pairs, config);
    feed(*model, batch);
    model->graph.forward();
    const Tensor& logits = model->map.output.values->value;
    for (Index i = 0; i < batch.sequences; ++i) {
        const EncodedPair& pair = *pairs[std::size_t(i)];
        const Index given = config.has_encoder() ? 0 : Index(pair.source.size()); // as a beginning
        const Index said = given + Index(pair.target.size());
        Index wrong = 0;
        const Index first = pair.beginning_counts ? 0 : given;
        for (Index t = first; t < said; ++t) {
            const Real* row = logits.row(i, t);
            const TokenId goal = batch.goal[std::size_t(i * batch.target_length + t)];
            const TokenId chosen = TokenId(std::max_element(row, row + logits.columns()) - row);
            const bool says_no_word = !config.sorts() && chosen == config.unk_id;
            const bool is_word = config.sorts() || goal != config.eos_id;
            const bool is_right = chosen == goal && !says_no_word;
            words += is_word;
            right += is_word && is_right;
            wrong += t >= given && !is_right;
        }
        exact += wrong == 0;
    }
    note_opened();
    tokens += batch.goal_tokens;
    loss += double(model->map.output.loss->value(0, 0, 0)) * double(batch.goal_tokens);
}

void Evaluator::Shard::note_opened() {
    std::size_t first = 0;
    for (const Node& node : model->graph.nodes()) {
        if (node.op->name() != "relu") continue;
        const Index units = node.value.columns(), rows = node.value.size() / std::max<Index>(units, 1);
        opened.resize(std::max(opened.size(), first + std::size_t(units)), 0);
        for (Index row = 0; row < rows; ++row)
            for (Index unit = 0; unit < units; ++unit)
                if (node.value.data()[row * units + unit] > 0) opened[first + std::size_t(unit)] = 1;
        first += std::size_t(units);
    }
}

void Evaluator::begin(std::span<const EncodedPair> pairs) {
    by_length_.clear();
    for (const EncodedPair& pair : pairs) by_length_.push_back(&pair);
    std::stable_sort(by_length_.begin(), by_length_.end(), [](const EncodedPair* a, const EncodedPair* b) {
        return a->source.size() + a->target.size() < b->source.size() + b->target.size();
    });
    for (auto& shard : shards_) {
        shard->exact = shard->right = shard->words = shard->tokens = 0;
        shard->loss = 0;
        shard->opened.clear();
    }
}

Index Evaluator::batches() const {
    return (Index(by_length_.size()) + by_.pairs_at_once - 1) / by_.pairs_at_once;
}

// Shard s takes every shards-th batch: short and long ones alike.
void Evaluator::judge(Index batch) {
    const Index first = batch * by_.pairs_at_once,
                count = std::min(by_.pairs_at_once, Index(by_length_.size()) - first);
    shards_[std::size_t(batch % Index(shards_.size()))]->judge(
        std::span<const EncodedPair* const>(by_length_).subspan(std::size_t(first), std::size_t(count)),
        config_);
}

Evaluation Evaluator::total() const {
    Evaluation total;
    Index words = 0, tokens = 0;
    std::vector<char> opened;
    for (const auto& shard : shards_) {
        total.exact_match += double(shard->exact);
        total.token_accuracy += double(shard->right);
        total.loss += shard->loss;
        words += shard->words;
        tokens += shard->tokens;
        opened.resize(std::max(opened.size(), shard->opened.size()), 0);
        for (std::size_t i = 0; i < shard->opened.size(); ++i) opened[i] |= shard->opened[i];
    }
    if (!opened.empty())
        total.silent_units = double(std::count(opened.begin(), opened.end(), 0)) / double(opened.size());
    total.pairs = Index(by_length_.size());
    total.exact_match /= std::max(1.0, double(total.pairs));
    total.token_accuracy /= std::max(1.0, double(words));
    total.loss /= std::max(1.0, double(tokens));
    return total;
}

Evaluation Evaluator::evaluate(std::span<const EncodedPair> pairs, Workers& workers) {
    begin(pairs);
    const Index shards = Index(shards_.size());
    workers.run(shards, [&](Index s) {
        for (Index b = s; b < batches(); b += shards) judge(b);
    });
    portions_ = 0;
    return total();
}

std::optional<Evaluation> Evaluator::evaluate_portion(std::span<const EncodedPair> pairs) {
    if (portions_ == 0) begin(pairs);
    if (portions_ < batches()) judge(portions_);
    if (++portions_ < batches()) return std::nullopt;
    portions_ = 0;
    return total();
}

} // namespace headlight
