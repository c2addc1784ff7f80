#include "engine/train/trainer.h"

#include "engine/model/parameters.h"
#include "engine/model/transformer.h"
#include "tests/support/allocation_count.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

using namespace headlight;
using namespace headlight::test;

namespace {

constexpr Index longest = 7;

ModelConfig config_of(Index d_model) {
    ModelConfig config;
    config.d_model = d_model;
    config.num_heads = 2;
    config.encoder_layers = 1;
    config.decoder_layers = 1;
    config.d_ff = 2 * d_model;
    config.dropout = 0.1;
    config.source_vocab_size = config.target_vocab_size = 12;
    return config;
}

// Words to be said backwards; shortest … longest of them. Reserves once, then allocates nothing.
struct Backwards final : PairSource {
    Index shortest = 1;
    void sample(Random& random, EncodedPair& pair) const override {
        pair.source.reserve(std::size_t(longest + 1));
        pair.target.reserve(std::size_t(longest + 1));
        pair.source.clear();
        const Index length = shortest + random.below(longest - shortest + 1);
        for (Index i = 0; i < length; ++i) pair.source.push_back(TokenId(4 + random.below(8)));
        pair.target.assign(pair.source.rbegin(), pair.source.rend());
        pair.source.push_back(2);
        pair.target.push_back(2);
    }
};

TrainingOptions options_of(int threads) {
    TrainingOptions options;
    options.batch_size = 48; // three shards
    options.schedule = {.peak = 3e-3, .warmup = 10};
    options.label_smoothing = 0.1;
    options.clip_norm = 0.5; // tight: most steps are clipped
    options.threads = threads;
    return options;
}

struct Run {
    std::vector<double> losses, norms;
    std::vector<Real> weights;
    bool operator==(const Run&) const = default;
};

Run run(const ModelConfig& config, const TrainingOptions& options, int steps) {
    Parameters parameters = declare_parameters(config);
    initialise(parameters, config, 3);
    const Backwards source;
    Trainer trainer(config, parameters, source, options);
    Run result;
    for (int i = 0; i < steps; ++i) {
        const StepResult step = trainer.step();
        result.losses.push_back(step.loss);
        result.norms.push_back(step.gradient_norm);
    }
    result.weights.assign(parameters.data(), parameters.data() + parameters.count());
    return result;
}

} // namespace

TEST_CASE("thirty steps give the same bits on 1, 2, 3 and 5 threads, and from run to run") {
    const ModelConfig config = config_of(16);
    const Run first = run(config, options_of(1), 30);
    Index clipped = 0;
    for (const double norm : first.norms) clipped += norm > 0.5;
    CHECK(clipped > 10);
    CHECK(first.losses.back() < first.losses.front());
    for (const int threads : {1, 2, 3, 5}) {
        CAPTURE(threads);
        const Run again = run(config, options_of(threads), 30);
        CHECK(again.losses == first.losses);
        CHECK(again.norms == first.norms);
        CHECK(again.weights == first.weights);
    }
}

TEST_CASE("the bits do not depend on where memory happens to lie") {
    // Vectorised sums begin at aligned addresses: numbers placed 16 bytes further are summed otherwise.
    const ModelConfig config = config_of(6); // small enough for the common heap
    const Run first = run(config, options_of(2), 10);
    std::vector<std::vector<char>> between;
    for (const std::size_t size : {24, 40, 56, 24, 72, 24, 104, 40}) {
        between.emplace_back(size);
        for (std::size_t large : {3000, 7016, 20024}) between.emplace_back(large + size);
        CHECK((run(config, options_of(2), 10) == first));
    }
}

TEST_CASE("another seed trains otherwise, with the same weights to begin with") {
    const ModelConfig config = config_of(6);
    TrainingOptions options = options_of(1);
    const Run first = run(config, options, 2);
    options.seed = 2;
    CHECK_FALSE(run(config, options, 2).losses == first.losses);
}

TEST_CASE("the gradient of a batch does not depend on how it is cut into shards") {
    // 24 pairs are three shards; the same pairs in one graph give the same loss and norm up to rounding.
    ModelConfig config = config_of(16);
    config.dropout = 0;
    Parameters parameters = declare_parameters(config);
    initialise(parameters, config, 3);
    const Backwards source;
    const TrainingOptions options = options_of(2);
    std::vector<EncodedPair> pairs(std::size_t(options.batch_size));
    std::vector<const EncodedPair*> pointers;
    Index tokens = 0;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        Random random({options.seed, 1, std::uint64_t(i)});
        source.sample(random, pairs[i]);
        pointers.push_back(&pairs[i]);
        tokens += Index(pairs[i].source.size() + pairs[i].target.size());
    }
    std::vector<Real> gradients(std::size_t(parameters.count()));
    const auto whole = build_transformer(
        config, parameters, {.loss = true, .label_smoothing = 0.1, .gradients = gradients.data()});
    Batch batch;
    batch.fill(pointers, config);
    feed(*whole, batch);
    whole->graph.forward();
    whole->graph.backward(whole->map.output.loss);
    double squares = 0;
    for (const Real g : gradients) squares += double(g) * double(g);

    Trainer trainer(config, parameters, source, options);
    const StepResult step = trainer.step();
    CHECK(trainer.shards() == 3);
    CHECK(step.loss == doctest::Approx(whole->map.output.loss->value(0, 0, 0)).epsilon(1e-5));
    CHECK(step.gradient_norm == doctest::Approx(std::sqrt(squares)).epsilon(1e-4));
    CHECK(step.tokens == tokens);
    CHECK(step.step == 1);
    CHECK(step.learning_rate == doctest::Approx(3e-4));
}

TEST_CASE("a clipped step is Adam's step with the gradient scaled to the norm allowed") {
    // Adam's moments after one step: m = (1 − β₁) g, so the norm of m tells the norm of g.
    const ModelConfig config = config_of(16);
    Parameters parameters = declare_parameters(config);
    initialise(parameters, config, 3);
    const Backwards source;
    Trainer trainer(config, parameters, source, options_of(1));
    const StepResult step = trainer.step();
    double squares = 0;
    for (const Real m : trainer.adam().m()) squares += double(m) * double(m);
    CHECK(step.gradient_norm > 0.5);
    CHECK(std::sqrt(squares) == doctest::Approx(0.1 * 0.5).epsilon(1e-4));
}

TEST_CASE("a training step after the first allocates nothing") {
    if (!can_count_allocations()) return;
    const long before = allocations();
    const std::vector<int> one(1);
    REQUIRE(allocations() > before); // the count counts
    for (const Index d_model : {16, 64, 256})
        for (const int threads : {1, 3}) {
            const ModelConfig config = config_of(d_model);
            Parameters parameters = declare_parameters(config);
            initialise(parameters, config, 3);
            Backwards source;
            source.shortest = longest; // a longer sentence than any before may take memory
            Trainer trainer(config, parameters, source, options_of(threads));
            trainer.step();
            const long after_first = allocations();
            for (int i = 0; i < 3; ++i) trainer.step();
            const long in_steps = allocations() - after_first;
            CAPTURE(d_model);
            CAPTURE(threads);
            CHECK(in_steps == 0);
        }
}

TEST_CASE("sentences of many lengths allocate nothing once the longest have been met") {
    if (!can_count_allocations()) return;
    const ModelConfig config = config_of(16);
    Parameters parameters = declare_parameters(config);
    initialise(parameters, config, 3);
    const Backwards source;
    Trainer trainer(config, parameters, source, options_of(2));
    for (int i = 0; i < 60; ++i) trainer.step();
    const long warm = allocations();
    for (int i = 0; i < 20; ++i) trainer.step();
    const long in_steps = allocations() - warm;
    CHECK(in_steps == 0);
}

TEST_CASE("a loss that is not finite leaves weights, moments and the count of steps untouched") {
    const ModelConfig config = config_of(16);
    for (const Real poison :
         {std::numeric_limits<Real>::quiet_NaN(), std::numeric_limits<Real>::infinity()}) {
        Parameters parameters = declare_parameters(config);
        initialise(parameters, config, 3);
        const Backwards source;
        Trainer trainer(config, parameters, source, options_of(2));
        trainer.step();
        const Parameter& bias = *parameters.find("generator.bias");
        parameters.data()[bias.offset] = poison;
        const std::vector<Real> weights(parameters.data(), parameters.data() + parameters.count());
        const AlignedReals m = trainer.adam().m(), v = trainer.adam().v();
        const StepResult step = trainer.step();
        CHECK_FALSE((std::isfinite(step.loss) && std::isfinite(step.gradient_norm)));
        CHECK(trainer.steps() == 1);
        CHECK(trainer.adam().m() == m);
        CHECK(trainer.adam().v() == v);
        Index changed = 0;
        for (Index i = 0; i < parameters.count(); ++i)
            changed += i != bias.offset && parameters.data()[i] != weights[std::size_t(i)];
        CHECK(changed == 0);

        parameters.data()[bias.offset] = 0; // mended, training goes on
        CHECK(std::isfinite(trainer.step().loss));
        CHECK(trainer.steps() == 2);
    }
}

TEST_CASE("a source that throws is heard of, and the trainer can go on") {
    struct Broken final : PairSource {
        mutable bool broken = true;
        Backwards sound;
        void sample(Random& random, EncodedPair& pair) const override {
            if (broken) throw std::runtime_error("no more pairs");
            sound.sample(random, pair);
        }
    };
    const ModelConfig config = config_of(6);
    Parameters parameters = declare_parameters(config);
    initialise(parameters, config, 3);
    const Broken source;
    Trainer trainer(config, parameters, source, options_of(3));
    CHECK_THROWS_WITH_AS(trainer.step(), "no more pairs", std::runtime_error);
    source.broken = false;
    CHECK(std::isfinite(trainer.step().loss));
}

TEST_CASE("a small Transformer learns to say three words backwards") {
    ModelConfig config = config_of(32);
    config.dropout = 0;
    TrainingOptions options = options_of(2);
    options.label_smoothing = 0;
    options.clip_norm = 1;
    options.schedule = {.peak = 5e-3, .warmup = 30};
    struct Three final : PairSource {
        void sample(Random& random, EncodedPair& pair) const override {
            pair.source = {TokenId(4 + random.below(4)), TokenId(4 + random.below(4)),
                           TokenId(4 + random.below(4)), 2};
            pair.target = {pair.source[2], pair.source[1], pair.source[0], 2};
        }
    };
    Parameters parameters = declare_parameters(config);
    initialise(parameters, config, 3);
    const Three source;
    Trainer trainer(config, parameters, source, options);
    double loss = 0;
    for (int i = 0; i < 300; ++i) loss = trainer.step().loss;
    CHECK(loss < 0.05);
}
