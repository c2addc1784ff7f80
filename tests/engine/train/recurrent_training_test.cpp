// Recurrent networks learn as Transformers do: the same trainer, the same folders, the same tasks and more.
#include "engine/model/parameters.h"
#include "engine/model/transformer.h"
#include "engine/task/tasks.h"
#include "engine/train/training_run.h"
#include "tests/support/allocation_count.h"
#include "tests/support/soak.h"
#include "tests/support/temporary_folder.h"

#include <doctest/doctest.h>

#include <atomic>

using namespace headlight;
using namespace headlight::test;

namespace {

ModelConfig one_layer() {
    ModelConfig sizes;
    sizes.d_model = 24;
    sizes.num_heads = 4;
    sizes.d_ff = 48;
    sizes.encoder_layers = sizes.decoder_layers = 1;
    sizes.dropout = 0;
    return sizes;
}

TrainingState state_of(const std::string& task, Index distance, int threads = 1) {
    TrainingState state;
    state.task = task;
    state.distance = distance;
    state.options.batch_size = 32;
    state.options.threads = threads;
    state.options.schedule = {.peak = 1e-2, .warmup = 50};
    return state;
}

Result<std::unique_ptr<TrainingRun>> begin(Architecture architecture, const std::string& task, Index distance,
                                           int threads = 1, Index parameters = 0) {
    return TrainingRun::begin(make_memory_task(task, distance), one_layer(), 0,
                              state_of(task, distance, threads), {architecture, parameters});
}

constexpr Architecture recurrent[] = {Architecture::rnn, Architecture::lstm, Architecture::gru,
                                      Architecture::rnn_fixed, Architecture::rnn_attention};

} // namespace

TEST_CASE("recurrent networks have the same losses bit for bit on any number of threads") {
    for (const Architecture architecture : recurrent) {
        // To make the task takes longer than the steps.
        if (architecture != Architecture::lstm && architecture != Architecture::rnn_attention && !soaks())
            continue;
        const auto one = begin(architecture, "recall-list", 2, 1),
                   two = begin(architecture, "recall-list", 2, 2);
        REQUIRE(one);
        REQUIRE(two);
        for (int i = 0; i < 5; ++i) {
            const double loss = (*one)->step().loss;
            CHECK(loss == (*two)->step().loss);
            CHECK(loss > 0);
        }
    }
}

TEST_CASE("a step of training a recurrent network allocates nothing once there was one like it") {
    if (!can_count_allocations()) return;
    for (const Architecture architecture :
         {Architecture::lstm, Architecture::gru, Architecture::rnn_attention}) {
        const auto run = begin(architecture, "recall", 6);
        REQUIRE(run);
        for (int i = 0; i < 60; ++i) (*run)->step();
        const long warm = allocations();
        for (int i = 0; i < 10; ++i) (*run)->step();
        CHECK(allocations() == warm);
    }
}

TEST_CASE("an LSTM learns to recall over a small distance, and goes on from its folder where it stopped") {
    const auto run = begin(Architecture::lstm, "recall", 3);
    REQUIRE(run);
    std::atomic<bool> stop{false};
    double exact = 0;
    const auto report = [&](const TrainingRecord& record) { exact = record.exact_match; };
    CHECK((*run)->run({.last_step = 1200, .until_exact = 0.95, .record_every = 50}, stop, report)
          == RunEnd::exact);
    CHECK(exact >= 0.95);

    const TemporaryFolder folder;
    REQUIRE((*run)->save(folder.path(), 1200));
    Result<ModelFiles> files = read_model_folder(folder.path());
    REQUIRE(files);
    const auto state = read_training_state(folder.path());
    REQUIRE(state);
    CHECK((*state)->distance == 3);
    auto task = make_task_of(**state, "");
    REQUIRE(task);
    const auto again = TrainingRun::resume(*std::move(task), *std::move(files), **state, folder.path());
    REQUIRE(again);
    CHECK((*again)->continues_exactly());
    CHECK((*again)->step().loss == (*run)->step().loss);
}

TEST_CASE("models of equal size are asked for by the number of their parameters") {
    for (const Architecture architecture :
         {Architecture::decoder_only, Architecture::rnn, Architecture::lstm, Architecture::gru,
          Architecture::rnn_fixed, Architecture::rnn_attention, Architecture::encoder_decoder}) {
        const auto run = begin(architecture, "recall", 2, 1, 20'000);
        REQUIRE(run);
        CHECK((*run)->model().parameters.count() > 17'500);
        CHECK((*run)->model().parameters.count() < 22'500);
    }
}

TEST_CASE("a task is refused by a model that cannot say its answers") {
    const auto begun = [](const char* name, Architecture architecture) {
        auto task = make_task(name, HEADLIGHT_SOURCE_DIR "/assets");
        return TrainingRun::begin(*std::move(task), one_layer(), 0, state_of(name, 0), {architecture, 0});
    };
    const auto refused = begun("copy", Architecture::lstm);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().key == "error.task_of_other_model");
    CHECK_FALSE(begun("sentiment", Architecture::gru));
    CHECK(begun("copy", Architecture::rnn_attention));
    CHECK(begun("next-word", Architecture::lstm));
}
