// A Transformer trained with batch norm in place of layer norm.
#include "engine/io/safetensors.h"
#include "engine/model/parameters.h"
#include "engine/model/transformer.h"
#include "engine/task/task.h"
#include "engine/train/recipes.h"
#include "engine/train/training_run.h"
#include "tests/engine/model/small_model.h"
#include "tests/support/temporary_folder.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

using namespace headlight;
using namespace headlight::test;

namespace {

// Sentences of unlike lengths, so that there is padding: which takes part.
struct AnyWords final : PairSource {
    void sample(Random& random, EncodedPair& pair) const override {
        pair.source.clear();
        const Index length = 1 + random.below(7);
        for (Index i = 0; i < length; ++i) pair.source.push_back(TokenId(4 + random.below(3)));
        pair.target = pair.source;
        pair.source.push_back(2);
        pair.target.push_back(2);
    }
};

ModelConfig batch_norm_config() {
    ModelConfig config = small_config();
    config.norm = Norm::batch;
    config.dropout = 0.1;
    return config;
}

TrainingOptions batch_norm_options(int threads) {
    TrainingOptions options;
    options.batch_size = 48; // three shards
    options.schedule = {.peak = 3e-3, .warmup = 5};
    options.threads = threads;
    return options;
}

std::vector<Real> all_numbers(const Parameters& parameters) {
    return {parameters.data(), parameters.data() + parameters.count()};
}

std::vector<Real> trained(int threads, int steps) {
    Parameters parameters = declare_parameters(batch_norm_config());
    initialise(parameters, batch_norm_config(), 3);
    const AnyWords source;
    Trainer trainer(batch_norm_config(), parameters, source, batch_norm_options(threads));
    for (int i = 0; i < steps; ++i) trainer.step();
    return all_numbers(parameters);
}

std::unique_ptr<TrainingRun> begin_copy() {
    TrainingState state;
    state.task = "copy";
    state.options = recipe_for("copy").training;
    state.options.threads = 2;
    ModelConfig sizes = recipe_for("copy").sizes;
    sizes.norm = Norm::batch;
    auto run = TrainingRun::begin(*make_task("copy", HEADLIGHT_SOURCE_DIR "/assets"), sizes, 0, state);
    REQUIRE(run);
    return *std::move(run);
}

} // namespace

TEST_CASE("batch norm begins with the weights of layer norm, and with statistics that change nothing") {
    ModelConfig config = small_config();
    Parameters layer = declare_parameters(config);
    initialise(layer, config, 5);
    config.norm = Norm::batch;
    Parameters batch = declare_parameters(config);
    initialise(batch, config, 5);
    CHECK(std::equal(layer.data(), layer.data() + layer.count(), batch.data()));
    for (const Parameter& p : batch.list()) {
        if (p.is_learned) continue;
        const Real begins = p.name.ends_with(running_variance) ? Real(1) : Real(0);
        CHECK(std::all_of(batch.values(p), batch.values(p) + p.size(), [&](Real x) { return x == begins; }));
    }
}

TEST_CASE("running statistics are those of each shard, one after another, padding among them") {
    const ModelConfig config = batch_norm_config();
    Parameters parameters = declare_parameters(config);
    initialise(parameters, config, 3);
    const AnyWords source;
    Trainer trainer(config, parameters, source, batch_norm_options(2));
    REQUIRE(trainer.shards() == 3);
    const std::pair<const char*, const char*> norms[] = {
        {"encoder.0.norm1", "transformer.encoder.layers.0.norm1"},
        {"decoder.1.norm3", "transformer.decoder.layers.1.norm3"}};
    std::vector<std::vector<double>> mean(2, std::vector<double>(6, 0)),
        variance(2, std::vector<double>(6, 1));
    for (int step = 0; step < 4; ++step) {
        trainer.step();
        for (std::size_t which = 0; which < 2; ++which) {
            for (Index shard = 0; shard < trainer.shards(); ++shard) {
                const Node* norm = trainer.graph(shard).find(norms[which].first);
                REQUIRE(norm);
                const Tensor& x = norm->input(0).value;
                const double n = double(x.shape().all_rows());
                CHECK(x.shape().batch == 16);
                for (Index c = 0; c < 6; ++c) {
                    double sum = 0, squares = 0;
                    for (Index b = 0; b < x.batch(); ++b)
                        for (Index r = 0; r < x.rows(); ++r) sum += double(x(b, r, c));
                    for (Index b = 0; b < x.batch(); ++b)
                        for (Index r = 0; r < x.rows(); ++r)
                            squares += std::pow(double(x(b, r, c)) - sum / n, 2);
                    mean[which][std::size_t(c)] += 0.1 * (sum / n - mean[which][std::size_t(c)]);
                    variance[which][std::size_t(c)] +=
                        0.1 * (squares / (n - 1) - variance[which][std::size_t(c)]);
                }
            }
            const std::string name = norms[which].second;
            const Tensor kept_mean = parameters.tensor(*parameters.find(name + running_mean)),
                         kept_variance = parameters.tensor(*parameters.find(name + running_variance));
            for (Index c = 0; c < 6; ++c) {
                CHECK(double(kept_mean(0, 0, c))
                      == doctest::Approx(mean[which][std::size_t(c)]).epsilon(1e-4));
                CHECK(double(kept_variance(0, 0, c))
                      == doctest::Approx(variance[which][std::size_t(c)]).epsilon(1e-4));
            }
        }
    }
}

TEST_CASE("twelve steps with batch norm give the same bits on 1, 2 and 3 threads") {
    const std::vector<Real> first = trained(1, 12);
    CHECK(trained(1, 12) == first);
    CHECK(trained(2, 12) == first);
    CHECK(trained(3, 12) == first);
}

TEST_CASE("by its batch a sentence is said otherwise beside another, by what was kept it is not") {
    const ModelConfig config = batch_norm_config();
    Parameters parameters = random_parameters(config, 7);
    const EncodedPair one{{4, 8, 5, 2}, {6, 4, 2}}, other{{7, 6, 2}, {5, 6, 2}}; // as long: no padding
    for (const bool batch_statistics : {true, false}) {
        CAPTURE(batch_statistics);
        const auto model = build_transformer(config, parameters, {.batch_statistics = batch_statistics});
        const auto logits = [&](std::vector<const EncodedPair*> pairs) {
            Batch batch;
            batch.fill(pairs, config);
            feed(*model, batch);
            model->graph.forward();
            const Tensor& said = model->map.output.values->value;
            return std::vector<Real>(said.matrix(0), said.matrix(0) + 3 * said.columns());
        };
        const std::vector<Real> alone = logits({&one}), beside = logits({&one, &other});
        double most = 0;
        for (std::size_t i = 0; i < alone.size(); ++i)
            most = std::max(most, std::abs(double(alone[i]) - double(beside[i])));
        CHECK((most < 1e-4) == !batch_statistics);
        CHECK((most > 0.05) == batch_statistics);
    }
}

TEST_CASE("a run with batch norm that was saved goes on as if it had never stopped") {
    const std::atomic<bool> go{false};
    const auto run_to = [&](TrainingRun& run, Index step) {
        run.run({.last_step = step}, go, [](const auto&) {});
    };
    const auto whole = begin_copy(), first = begin_copy();
    run_to(*whole, 9);
    run_to(*first, 5);
    const TemporaryFolder folder;
    REQUIRE(first->save(folder.path(), 9));
    auto model = read_model_folder(folder.path());
    REQUIRE(model);
    CHECK(model->config == first->model().config);
    CHECK(model->config.norm == Norm::batch);
    CHECK(all_numbers(model->parameters) == all_numbers(first->model().parameters));
    const auto moments = SafetensorsFile::open(folder / "optimizer.safetensors");
    REQUIRE(moments);
    CHECK(moments->find("m.transformer.encoder.layers.0.norm1.weight"));
    CHECK_FALSE(moments->find("m.transformer.encoder.layers.0.norm1.running_mean"));
    const auto state = read_training_state(folder.path());
    REQUIRE(state);
    auto second = TrainingRun::resume(*make_task("copy", HEADLIGHT_SOURCE_DIR "/assets"), *std::move(model),
                                      **state, folder.path());
    REQUIRE(second);
    CHECK((*second)->continues_exactly());
    run_to(**second, 9);
    CHECK(all_numbers((*second)->model().parameters) == all_numbers(whole->model().parameters));
    CHECK(all_numbers(whole->model().parameters) != all_numbers(first->model().parameters));
}

TEST_CASE("with batch norm a Transformer learns to copy, as well by its running statistics") {
    const auto run = begin_copy();
    const std::atomic<bool> go{false};
    double accuracy = 0;
    run->run({.last_step = 250, .record_every = 250}, go,
             [&](const TrainingRecord& record) { accuracy = record.token_accuracy; });
    CHECK(accuracy > 0.9);
}
