#include "engine/train/training_run.h"

#include "engine/task/pairs.h"
#include "tests/support/temporary_folder.h"

#include <doctest/doctest.h>

#include <fstream>

using namespace headlight;

namespace {

std::vector<SentencePair> phrases() {
    std::vector<SentencePair> pairs;
    for (const char* subject : {"o rato", "o rei", "a rainha", "o gato", "Ana"})
        for (const char* verb : {"viu", "comeu", "roeu"})
            pairs.push_back({std::string(subject) + " " + verb, std::string(verb) + " " + subject});
    return pairs;
}

std::unique_ptr<Task> task_of(std::vector<SentencePair> pairs) {
    auto task = make_pairs_task("phrases", std::move(pairs));
    REQUIRE(task);
    return *std::move(task);
}

ModelConfig sizes() {
    ModelConfig config;
    config.d_model = 16;
    config.num_heads = 2;
    config.encoder_layers = config.decoder_layers = 1;
    config.d_ff = 32;
    config.dropout = 0.2; // drawn by step, not by run
    return config;
}

TrainingState state() {
    TrainingState state;
    state.task = own_pairs;
    state.pairs = "/somewhere/phrases.tsv";
    state.options.batch_size = 16;
    state.options.schedule = {.peak = 5e-3, .warmup = 20};
    state.options.label_smoothing = 0.05;
    state.options.clip_norm = 0.7;
    state.options.seed = 18446744073709551615u;
    state.options.threads = 2;
    return state;
}

std::unique_ptr<TrainingRun> begin() {
    auto run = TrainingRun::begin(task_of(phrases()), sizes(), 0, state());
    REQUIRE(run);
    return *std::move(run);
}

Result<std::unique_ptr<TrainingRun>> resume(const std::filesystem::path& folder,
                                            std::vector<SentencePair> pairs = phrases()) {
    auto model = read_model_folder(folder);
    REQUIRE(model);
    const auto saved = read_training_state(folder);
    REQUIRE(saved);
    REQUIRE(*saved);
    return TrainingRun::resume(task_of(std::move(pairs)), *std::move(model), **saved, folder);
}

const std::atomic<bool> go{false};

std::vector<TrainingRecord> run_to(TrainingRun& run, Index last_step, Index every = 10) {
    std::vector<TrainingRecord> records;
    const RunEnd end = run.run({.last_step = last_step, .record_every = every}, go,
                               [&](const TrainingRecord& record) { records.push_back(record); });
    CHECK(end == RunEnd::last_step);
    return records;
}

std::vector<Real> weights(const TrainingRun& run) {
    const Parameters& parameters = run.model().parameters;
    return {parameters.data(), parameters.data() + parameters.count()};
}

} // namespace

TEST_CASE("a run that was saved and goes on is bit for bit the run that never stopped") {
    const auto whole = begin();
    const auto whole_records = run_to(*whole, 60);

    TemporaryFolder folder;
    const auto first = begin();
    run_to(*first, 23);
    REQUIRE(first->save(folder.path(), 60));
    const auto second = resume(folder.path());
    REQUIRE(second);
    CHECK((*second)->continues_exactly());
    CHECK((*second)->steps() == 23);
    const auto records = run_to(**second, 60);
    CHECK(weights(**second) == weights(*whole));
    REQUIRE(records.size() == 4); // 30, 40, 50, 60
    CHECK(records.back().loss == whole_records.back().loss);
    CHECK(records.back().token_accuracy == whole_records.back().token_accuracy);
    CHECK(records.back().learning_rate == whole_records.back().learning_rate);
}

TEST_CASE("what is saved of a run is read again as it was") {
    TemporaryFolder folder;
    const auto run = begin();
    run_to(*run, 3);
    REQUIRE(run->save(folder.path(), 77));
    TrainingState expected = state();
    expected.step = 3;
    expected.planned = 77;
    const auto saved = read_training_state(folder.path());
    REQUIRE(saved);
    CHECK(*saved == expected);
    TemporaryFolder empty;
    const auto nothing = read_training_state(empty.path());
    REQUIRE(nothing);
    CHECK_FALSE(*nothing);
}

TEST_CASE("weights that another program has changed meanwhile begin with a fresh optimizer") {
    TemporaryFolder folder;
    const auto run = begin();
    run_to(*run, 5);
    REQUIRE(run->save(folder.path(), 10));
    auto model = read_model_folder(folder.path());
    REQUIRE(model);
    model->parameters.data()[17] += 1;
    REQUIRE(
        write_model_folder(folder.path(), model->config, model->parameters, model->source, model->target));
    const auto again = resume(folder.path());
    REQUIRE(again);
    CHECK_FALSE((*again)->continues_exactly());
    CHECK((*again)->steps() == 0);
    CHECK(run_to(**again, 2, 1).front().step == 1);
}

TEST_CASE("a run ends when enough held-out pairs are right, or when it is told to") {
    const auto run = begin();
    std::vector<double> exact;
    const RunEnd end = run->run({.last_step = 3000, .until_exact = 0.5, .record_every = 10}, go,
                                [&](const TrainingRecord& record) { exact.push_back(record.exact_match); });
    CHECK(end == RunEnd::exact);
    REQUIRE_FALSE(exact.empty());
    CHECK(exact.back() >= 0.5);
    for (std::size_t i = 0; i + 1 < exact.size(); ++i) CHECK(exact[i] < 0.5);

    std::atomic<bool> stop{false};
    const auto told = begin();
    const RunEnd early =
        told->run({.record_every = 3}, stop, [&](const TrainingRecord& record) { stop = record.step == 6; });
    CHECK(early == RunEnd::told);
    CHECK(told->steps() == 6);
}

TEST_CASE("numbers that overflow end a run and leave the weights of the last good step") {
    TrainingState wild = state();
    wild.options.schedule = {.peak = 1e30, .constant = true};
    auto run = TrainingRun::begin(task_of(phrases()), sizes(), 0, wild);
    REQUIRE(run);
    const RunEnd end = (*run)->run({.last_step = 50}, go, [](const TrainingRecord&) {});
    CHECK(end == RunEnd::not_finite);
    CHECK((*run)->steps() >= 1);
    CHECK((*run)->first_not_finite().find("attn") != std::string::npos); // products of such weights
    TemporaryFolder folder;
    CHECK((*run)->save(folder.path(), 50)); // finite, or it would be refused
}

TEST_CASE("a pair that is longer than the model is refused before training, by its text") {
    TemporaryFolder folder;
    const auto run = begin();
    run_to(*run, 1);
    REQUIRE(run->save(folder.path(), 1));
    std::vector<SentencePair> pairs = phrases();
    std::string endless;
    for (int i = 0; i < 64; ++i) endless += "rei ";
    pairs.push_back({endless, "rei"});
    const auto refused = resume(folder.path(), pairs);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().key == "error.pair_longer_than_model");
    CHECK(refused.error().arguments[1] == "65");
    CHECK(refused.error().arguments[2] == "64");
    // A new model is made as long as its pairs.
    const auto fitting = TrainingRun::begin(task_of(pairs), sizes(), 0, state());
    REQUIRE(fitting);
    CHECK((*fitting)->model().config.max_length == 65);
}

TEST_CASE("a damaged training.json or optimizer is an error that names the file and the key") {
    TemporaryFolder folder;
    const auto run = begin();
    run_to(*run, 2);
    REQUIRE(run->save(folder.path(), 2));
    const std::string good = folder.read("training.json");
    const auto error_of = [&](const std::string& what, const std::string& by) {
        std::string text = good;
        text.replace(text.find(what), what.size(), by);
        folder.write("training.json", text);
        const auto saved = read_training_state(folder.path());
        REQUIRE_FALSE(saved);
        CHECK(saved.error().arguments[0].find("training.json") != std::string::npos);
        return saved.error().arguments;
    };
    CHECK(error_of("\"batch_size\": 16", "\"batch_size\": -16")[1] == "batch_size");
    CHECK(error_of("\"warmup\": 20", "\"warmup\": \"x\"")[1] == "warmup");
    CHECK(error_of("\"seed\"", "\"sead\"")[1] == "seed");
    CHECK(error_of("\"step\": 2", "\"step\": 2.5")[1] == "step");
    folder.write("training.json", good);

    const std::string moments = folder.read("optimizer.safetensors");
    folder.write("optimizer.safetensors", moments.substr(0, moments.size() / 2));
    CHECK_FALSE(resume(folder.path()));
    std::string with_nan = moments;
    with_nan.replace(with_nan.size() - 4, 4, "\xff\xff\xff\xff");
    folder.write("optimizer.safetensors", with_nan);
    CHECK(resume(folder.path()).error().key == "error.optimizer_foreign");
}

TEST_CASE(
    "a run in byte pairs that is stored as F16 and falls to zero goes on exactly, from the exact weights") {
    const auto begin_pairs = [] {
        auto task = make_pairs_task("phrases", phrases(), TokenizerKind::bpe, 280);
        REQUIRE(task);
        TrainingState wanted = state();
        wanted.unit = TokenizerKind::bpe;
        wanted.vocabulary = 280;
        wanted.reversed = true;
        wanted.stored = StoredAs::f16;
        wanted.options.schedule.last = 40;
        auto run = TrainingRun::begin(*std::move(task), sizes(), 0, wanted);
        REQUIRE(run);
        return *std::move(run);
    };
    const auto whole = begin_pairs();
    const ModelConfig& config = whole->model().config;
    CHECK(config.tie_embeddings);
    CHECK(config.source_vocab_size == config.target_vocab_size);
    CHECK(whole->model().source == whole->model().target);
    CHECK(whole->model().parameters.find("target_embedding.weight") == nullptr);
    run_to(*whole, 40);

    TemporaryFolder folder;
    const auto first = begin_pairs();
    run_to(*first, 17);
    REQUIRE(first->save(folder.path(), 40));
    const auto saved = read_training_state(folder.path());
    REQUIRE(saved);
    REQUIRE(*saved);
    CHECK((*saved)->stored == StoredAs::f16);
    CHECK((*saved)->reversed);
    CHECK((*saved)->options.schedule.last == 40);

    auto model = read_model_folder(folder.path());
    REQUIRE(model);
    CHECK(std::vector<Real>(model->parameters.data(), model->parameters.data() + model->parameters.count())
          != weights(*first)); // rounded
    auto task = make_pairs_task("phrases", phrases(), TokenizerKind::bpe, 280);
    const auto second = TrainingRun::resume(*std::move(task), *std::move(model), **saved, folder.path());
    REQUIRE(second);
    CHECK((*second)->continues_exactly());
    CHECK(weights(**second) == weights(*first));
    run_to(**second, 40);
    CHECK(weights(**second) == weights(*whole));

    // As it is shipped: without the moments, from the rounded weights.
    std::filesystem::remove(folder / "optimizer.safetensors");
    auto shipped = read_model_folder(folder.path());
    REQUIRE(shipped);
    task = make_pairs_task("phrases", phrases(), TokenizerKind::bpe, 280);
    const auto anew = TrainingRun::resume(*std::move(task), *std::move(shipped), **saved, folder.path());
    REQUIRE(anew);
    CHECK_FALSE((*anew)->continues_exactly());
    CHECK((*anew)->steps() == 0);
}

TEST_CASE("a task of classes goes on with the encoder of a model that translates, and with its words") {
    auto pairs = make_pairs_task("phrases", phrases(), TokenizerKind::bpe, 280);
    REQUIRE(pairs);
    const auto translates = TrainingRun::begin(*std::move(pairs), sizes(), 0, state());
    REQUIRE(translates);
    run_to(**translates, 5);
    TemporaryFolder folder;
    REQUIRE((*translates)->save(folder.path(), 5));

    std::vector<SentencePair> lines;
    for (const SentencePair& pair : phrases())
        lines.push_back({pair.source, pair.source.ends_with("viu") ? "good" : "bad"});
    auto labels = make_labels_task("lines", lines);
    auto model = read_model_folder(folder.path());
    REQUIRE(labels);
    REQUIRE(model);
    const Parameters before = model->parameters;
    const auto sorts = TrainingRun::begin_with_encoder(*std::move(labels), *model, state());
    REQUIRE(sorts);
    const ModelFiles& now = (*sorts)->model();
    CHECK(now.config.sorts());
    CHECK(now.config.labels == std::vector<std::string>{"bad", "good"});
    CHECK(now.source == (*translates)->model().source);
    for (const auto& [here, there] :
         {std::pair("source_embedding.weight", "source_embedding.weight"),
          std::pair("encoder.layers.0.linear1.weight", "transformer.encoder.layers.0.linear1.weight")}) {
        const Parameter &a = *now.parameters.find(here), &b = *before.find(there);
        CHECK(std::equal(now.parameters.values(a), now.parameters.values(a) + a.size(), before.values(b)));
    }
    run_to(**sorts, 3);
    REQUIRE((*sorts)->save(folder / "sorts", 3));
    CHECK(read_model_folder(folder / "sorts"));
}
