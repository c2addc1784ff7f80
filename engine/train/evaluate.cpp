#include "engine/train/evaluate.h"

#include <algorithm>

namespace headlight {

struct Evaluator::Shard {
    Batch batch;
    std::unique_ptr<Model> model;
    Index exact = 0, right = 0, tokens = 0;
    double loss = 0;

    void judge(std::span<const EncodedPair* const> pairs, const ModelConfig& config);
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
        Index wrong_of_given = 0, wrong = 0;
        const Index first = pair.beginning_counts ? 0 : given;
        for (Index t = first; t < said; ++t) {
            const Real* row = logits.row(i, t);
            const TokenId goal = batch.goal[std::size_t(i * batch.target_length + t)];
            const TokenId chosen = TokenId(std::max_element(row, row + logits.columns()) - row);
            const bool says_no_word = !config.sorts() && chosen == config.unk_id;
            (t < given ? wrong_of_given : wrong) += chosen != goal || says_no_word;
        }
        exact += wrong == 0;
        right += said - first - wrong_of_given - wrong;
    }
    tokens += batch.goal_tokens;
    loss += double(model->map.output.loss->value(0, 0, 0)) * double(batch.goal_tokens);
}

Evaluation Evaluator::evaluate(std::span<const EncodedPair> pairs, Workers& workers) {
    std::vector<const EncodedPair*> by_length;
    for (const EncodedPair& pair : pairs) by_length.push_back(&pair);
    std::stable_sort(by_length.begin(), by_length.end(), [](const EncodedPair* a, const EncodedPair* b) {
        return a->source.size() + a->target.size() < b->source.size() + b->target.size();
    });
    for (auto& shard : shards_) shard->exact = shard->right = shard->tokens = 0, shard->loss = 0;

    const Index pairs_at_once = by_.pairs_at_once,
                batches = (Index(pairs.size()) + pairs_at_once - 1) / pairs_at_once,
                shards = Index(shards_.size());
    workers.run(shards, [&](Index s) { // shard s takes every shards-th batch: short and long ones alike
        for (Index b = s; b < batches; b += shards) {
            const Index first = b * pairs_at_once,
                        count = std::min(pairs_at_once, Index(pairs.size()) - first);
            shards_[std::size_t(s)]->judge(
                std::span(by_length).subspan(std::size_t(first), std::size_t(count)), config_);
        }
    });

    Evaluation total;
    Index tokens = 0;
    for (const auto& shard : shards_) {
        total.exact_match += double(shard->exact);
        total.token_accuracy += double(shard->right);
        total.loss += shard->loss;
        tokens += shard->tokens;
    }
    total.pairs = Index(pairs.size());
    total.exact_match /= std::max(1.0, double(pairs.size()));
    total.token_accuracy /= std::max(1.0, double(tokens));
    total.loss /= std::max(1.0, double(tokens));
    return total;
}

} // namespace headlight
