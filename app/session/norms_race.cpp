#include "app/session/norms_race.h"

#include "engine/train/evaluate.h"
#include "engine/train/training_state.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <thread>

namespace headlight {

namespace {

constexpr std::array<Index, 4> batch_sizes = {1, 2, 8, 32};
constexpr Index batches_shown = 6, others_beside = 7;

int norms_threads() { return std::max(1, int(std::thread::hardware_concurrency())); }

// What a pass says of its first sequence.
struct Said {
    std::string text;
    double loss = 0;
};

Said said_first(const Model& pass, const EncodedPair& pair, const Tokenizer& tokenizer) {
    const Tensor& logits = pass.map.output.values->value;
    std::vector<TokenId> chosen;
    Said said;
    for (std::size_t t = 0; t < pair.target.size(); ++t) {
        const Real* row = logits.row(0, Index(t));
        const Index words = logits.columns();
        chosen.push_back(TokenId(std::max_element(row, row + words) - row));
        const double largest = double(row[chosen.back()]);
        double sum = 0;
        for (Index w = 0; w < words; ++w) sum += std::exp(double(row[w]) - largest);
        said.loss += (largest + std::log(sum) - double(row[pair.target[t]])) / double(pair.target.size());
    }
    std::erase_if(chosen, [&](TokenId id) { return tokenizer.vocabulary().specials().eos == id; });
    said.text = tokenizer.decode(chosen);
    return said;
}

} // namespace

RacePlan norms_plan(const NormsSetting& setting) {
    RacePlan plan;
    plan.task = setting.task;
    plan.distances = {5}; // of tasks of memory
    plan.models = norm_racer_names();
    plan.rates = {0.006};
    plan.seeds = 1;
    plan.parameters = 40'000;
    plan.steps = setting.steps;
    plan.batch_size = 64;
    plan.record_every = std::max<Index>(1, setting.steps / 20);
    plan.learnt_at = 2; // both go on to the last step
    return plan;
}

Result<Done> NormsRace::start(const NormsSetting& setting) {
    const RacePlan plan = norms_plan(setting);
    if (const Result<Done> checked = check_race(plan); !checked) return checked;
    if (!live_ || news_->race.plan != plan || news_->error) {
        forget();
        live_ = std::make_unique<LiveRace>(plan, assets_, norms_threads());
    }
    live_->go();
    news_ = live_->news();
    return Done{};
}

void NormsRace::stop() {
    if (!live_) return;
    live_->stop();
    news_ = live_->news();
}

void NormsRace::forget() {
    live_.reset();
    news_.reset();
    trained_.reset();
}

bool NormsRace::wait(double seconds) {
    const bool is_over = !live_ || live_->wait(seconds);
    (void)advance();
    return is_over;
}

bool NormsRace::advance() {
    if (!live_) return false;
    const std::shared_ptr<const RaceNews> news = live_->news();
    const bool is_new = news != news_;
    if (is_new && news->error && !(news_ && news_->error)) trouble_ = news->error;
    news_ = news;
    return is_new;
}

const ModelFiles* NormsRace::model(std::string_view racer) const {
    if (!news_) return nullptr;
    for (const TrainedRacer& trained : news_->trained)
        if (trained.entry.model == racer) return trained.files.get();
    return nullptr;
}

const NormsTrained* NormsRace::trained(Index sentence) {
    if (trained_ && trained_->sentence == sentence) return &*trained_;
    const ModelFiles *layer = model("layer-norm"), *batch = model("batch-norm");
    if (!layer || !batch) return nullptr;
    TrainingState state;
    state.task = news_->race.plan.task;
    state.distance = news_->race.plan.distances.front();
    Result<std::unique_ptr<Task>> task = make_task_of(state, assets_.string());
    if (!task) return nullptr;
    const Tokenizers tokenizers{batch->source, batch->target};
    const EncodedTask encoded(**task, tokenizers, batch->config);
    const std::vector<EncodedPair>& held_out = encoded.held_out();
    NormsTrained result;
    result.sentence = sentence;
    result.others = others_beside;
    Parameters layer_weights = layer->parameters, batch_weights = batch->parameters; // passes are not const

    if (trained_) { // another sentence alone
        result.judged = trained_->judged;
    } else {
        Workers workers(norms_threads());
        const auto judge = [&](const ModelFiles& files, Parameters& weights, Index at_once) {
            const JudgedBy by{at_once > 0, at_once > 0 ? at_once : JudgedBy().pairs_at_once};
            Evaluator evaluator(files.config, weights, 8, nullptr, by);
            result.judged.push_back(
                {files.config.norm == Norm::batch, at_once, evaluator.evaluate(held_out, workers)});
        };
        judge(*layer, layer_weights, 0);
        judge(*batch, batch_weights, 0);
        for (const Index at_once : batch_sizes) judge(*batch, batch_weights, at_once);
    }

    const Index count = Index(held_out.size()), which = sentence % count;
    result.pair = (*task)->held_out()[std::size_t(which)];
    const auto by_layer = layer->build(layer_weights), by_kept = batch->build(batch_weights),
               by_batch = batch->build(batch_weights, {.batch_statistics = true});
    const EncodedPair& pair = held_out[std::size_t(which)];
    for (Index b = 0; b < batches_shown; ++b) {
        std::vector<const EncodedPair*> pairs{&pair};
        const Index first = which + 1 + b * others_beside;
        for (Index other = 0; other < others_beside; ++other)
            pairs.push_back(&held_out[std::size_t((first + other) % count)]);
        Batch fed;
        fed.fill(pairs, batch->config);
        const auto said = [&](Model& pass) {
            feed(pass, fed);
            pass.graph.forward(0, pass.end_of_output());
            return said_first(pass, pair, batch->target);
        };
        const Said batch_says = said(*by_batch), kept_says = said(*by_kept), layer_says = said(*by_layer);
        result.beside.push_back({(*task)->held_out()[std::size_t(first % count)].source, batch_says.text,
                                 kept_says.text, batch_says.loss, kept_says.loss});
        result.layer_loss = layer_says.loss;
        result.by_layer = layer_says.text;
    }
    trained_ = std::move(result);
    return &*trained_;
}

} // namespace headlight
