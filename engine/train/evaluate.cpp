#include "engine/train/evaluate.h"
#include "engine/base/check.h"
#include "engine/base/giving_up.h"
#include "engine/decode/writing.h"
#include "engine/inspect/sweep.h"
#include "engine/text/words.h"

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
        const Index first = pair.prefix_counts ? 0 : given;
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
    encoded->prefix_counts = task_.prefix_counts();
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
    pair.prefix_counts = chosen.prefix_counts;
}

namespace {

// The pass in which the right words are given, and their loss times their number.
double loss_of(Model& model, const ModelConfig& config, const EncodedPair& pair, Index& words) {
    Batch batch;
    const EncodedPair* pairs[] = {&pair};
    batch.fill(pairs, config);
    feed(model, batch);
    model.graph.forward();
    words += batch.goal_tokens;
    return double(model.map.output.loss->value(0, 0, 0)) * double(batch.goal_tokens);
}

// Of each head of an attention between two sentences: the sum of its weights on what is the same.
void add_aligned(const Attention& attention, const SilencedSentence& sentence, std::vector<double>& sums) {
    const Tensor& weights = attention.weights->value;
    for (Index head = 0; head < attention.heads; ++head)
        for (const auto& [said, read, read_end] : sentence.same)
            for (Index column = read; column < std::min(read_end, weights.columns()); ++column)
                if (said < weights.rows()) sums[std::size_t(head)] += double(weights(head, said, column));
}

} // namespace

void silence_heads(
    Model& model, const ModelConfig& config, std::span<const SilencedSentence> sentences,
    const std::function<bool(std::size_t, const std::vector<TokenId>&, const std::vector<TokenId>&)>& turns,
    const std::function<bool(const SilencedHead&)>& done) {
    const SweepPlan plan = plan_silenced_heads(model.map);
    std::vector<std::vector<double>> aligned; // by attention and head
    for (const Attention& attention : model.map.attentions)
        aligned.emplace_back(std::size_t(attention.heads), 0.0);
    std::vector<std::vector<TokenId>> answers;
    double loss = 0;
    Index words = 0, same = 0, count = 0;
    model.graph.set_edits({});
    for (const SilencedSentence& sentence : sentences) {
        answers.push_back(most_probable_answer(model, sentence.pair.source));
        if (!sentence.counts) continue;
        ++count;
        loss += loss_of(model, config, sentence.pair, words);
        same += Index(sentence.same.size());
        for (std::size_t i = 0; i < aligned.size(); ++i)
            if (!model.map.attentions[i].is_self())
                add_aligned(model.map.attentions[i], sentence, aligned[i]);
    }
    for (const SweepTrial& trial : plan.trials) {
        const Attention& attention = model.map.attentions[std::size_t(trial.row)];
        SilencedHead head{attention.path, trial.column};
        if (!attention.is_self() && same > 0)
            head.aligned = aligned[std::size_t(trial.row)][std::size_t(trial.column)] / double(same);
        double without = 0;
        Index counted = 0, changed = 0;
        for (std::size_t i = 0; i < sentences.size(); ++i) {
            model.graph.set_edits(trial.edits);
            const std::vector<TokenId> answer = most_probable_answer(model, sentences[i].pair.source);
            head.turned += turns(i, answers[i], answer);
            if (!sentences[i].counts) continue;
            changed += answer != answers[i];
            without += loss_of(model, config, sentences[i].pair, counted);
        }
        head.answers_changed = double(changed) / double(std::max<Index>(1, count));
        head.loss_change = (without - loss) / double(std::max<Index>(1, words));
        model.graph.set_edits({});
        if (!done(head)) return;
    }
}

} // namespace headlight
