#include "app/bench/measuring.h"
#include "app/cli/command.h"
#include "app/cli/training_reports.h"
#include "engine/base/stopwatch.h"
#include "engine/base/threads.h"
#include "engine/decode/writing.h"
#include "engine/inspect/cost.h"
#include "engine/io/json_reader.h"
#include "engine/model/parameters.h"
#include "engine/model/transformer.h"
#include "engine/train/recipes.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>

namespace headlight {

namespace {

class BenchCostCommand final : public Command {
public:
    std::string_view name() const override { return "bench cost"; }

    void declare(CLI::App& app, const Strings& strings) override {
        app.add_option("--part", part_, strings.text("cli.bench.cost.part"))
            ->type_name("attention|feed-forward|rnn|lstm|gru");
        app.add_option("--from", typed_shortest_, strings.text("cli.bench.cost.from"))->type_name("N");
        app.add_option("--to", typed_longest_, strings.text("cli.bench.cost.to"))->type_name("N");
        app.add_option("--d-model", typed_width_, strings.text("cli.bench.cost.d_model"))->type_name("N");
        app.add_option("--seconds", typed_seconds_, strings.text("cli.bench.cost.seconds"))->type_name("S");
    }

    int run(Terminal& terminal, const std::filesystem::path&) override {
        std::vector<std::pair<std::string, CostPart>> parts;
        for (const CostPart part : all_parts) parts.emplace_back(name_of(part), part);
        CostPart chosen = CostPart::attention;
        Index shortest = 8, longest = 2048, width = 0;
        double seconds = 0.2;
        ArgumentReader reader;
        reader.read("--part", part_, chosen, parts);
        reader.read("--from", typed_shortest_, shortest, 1, 65'536);
        reader.read("--to", typed_longest_, longest, 1, 65'536);
        reader.read("--d-model", typed_width_, width, 1, 4096);
        reader.read("--seconds", typed_seconds_, seconds, 0, 3600);
        if (reader.error()) return terminal.refuse(*reader.error());

        const std::vector<Index> widths =
            width > 0 ? std::vector<Index>{width} : std::vector<Index>{64, 128, 256};
        for (const Index d_model : widths)
            for (const CostPart part : all_parts) {
                if (part_ && part != chosen) continue;
                for (Index length = shortest; length <= longest; length *= 2)
                    if (!terminal.print(line_of(measure_cost(part, length, d_model, seconds))))
                        return terminal.end(); // nobody reads on
            }
        return terminal.end();
    }

private:
    static constexpr CostPart all_parts[] = {CostPart::attention, CostPart::feed_forward, CostPart::rnn,
                                             CostPart::lstm, CostPart::gru};
    static std::string line_of(const CostPoint& point) {
        return JsonTree{{"part", name_of(point.part)},
                        {"length", point.length},
                        {"d_model", point.d_model},
                        {"forward_ms", 1e3 * point.forward_seconds},
                        {"training_ms", 1e3 * point.training_seconds},
                        {"multiplications", point.multiplications},
                        {"bytes", point.bytes}}
            .text();
    }

    Typed part_, typed_shortest_, typed_longest_, typed_width_, typed_seconds_;
};

} // namespace

std::unique_ptr<Command> make_bench_cost_command() { return std::make_unique<BenchCostCommand>(); }

namespace {

// Words a second with what was computed kept and with everything computed anew, in turn: what disturbs the
// machine disturbs both.
class BenchDecodeCommand final : public Command {
public:
    std::string_view name() const override { return "bench decode"; }

    void declare(CLI::App& app, const Strings& strings) override {
        app.add_option("--preset", preset_, strings.text("cli.bench.train.preset"))
            ->type_name("tiny|small|paper");
        app.add_option("--words", typed_words_, strings.text("cli.bench.decode.words"))->type_name("N");
        app.add_option("--threads", typed_threads_, strings.text("cli.threads"))->type_name("N");
        app.add_option("--rounds", typed_rounds_, strings.text("cli.bench.decode.rounds"))->type_name("N");
    }

    int run(Terminal& terminal, const std::filesystem::path&) override {
        std::vector<std::pair<std::string, Preset>> presets;
        for (const std::string& name : preset_names()) presets.emplace_back(name, *find_preset(name));
        Preset preset;
        Index words = 64, rounds = 5;
        int threads = 1;
        ArgumentReader reader;
        reader.require("--preset", preset_);
        reader.read("--preset", preset_, preset, presets);
        reader.read("--words", typed_words_, words, 1, 4096);
        reader.read("--threads", typed_threads_, threads, 1, 256);
        reader.read("--rounds", typed_rounds_, rounds, 1, 1000);
        if (reader.error()) return terminal.refuse(*reader.error());

        ModelConfig config = preset.sizes;
        config.max_length = words + 1;
        Parameters parameters = declare_parameters(config);
        initialise(parameters, config, 1);
        parameters.tensor (*parameters.find("generator.bias"))(0, 0, config.eos_id) = -1000; // it never ends
        const auto model = build_transformer(config, parameters);
        Workers workers(threads);
        if (threads > 1) model->graph.workers = &workers;
        std::vector<TokenId> source(std::size_t(words), config.unk_id);
        source.back() = config.eos_id;

        const Caching kinds[] = {Caching::as_possible, Caching::none};
        std::vector<double> seconds[2];
        PassCost costs[2];
        for (Index round = 0; round <= rounds; ++round) // the first one warms up
            for (int kind = 0; kind < 2; ++kind) {
                const Stopwatch watch;
                Writing writing(*model, source, {}, kinds[kind]);
                const Answer answer = write_answer(writing, {});
                if (round == 0) {
                    for (const PassCost& cost : answer.costs)
                        costs[kind].rows += cost.rows, costs[kind].scores += cost.scores,
                            costs[kind].multiplications += cost.multiplications;
                    continue;
                }
                seconds[kind].push_back(watch.seconds());
            }
        for (std::vector<double>& times : seconds) std::sort(times.begin(), times.end());
        const double with = seconds[0][seconds[0].size() / 2], without = seconds[1][seconds[1].size() / 2];
        print(terminal, "with", with, seconds[0].front(), double(words) / with, costs[0]);
        print(terminal, "without", without, seconds[1].front(), double(words) / without, costs[1]);
        char line[100];
        std::snprintf(line, sizeof line, "preset=%s words=%td threads=%d times_faster=%.2f", preset_->c_str(),
                      words, threads, without / with);
        terminal.print(line);
        return terminal.end();
    }

private:
    static void print(Terminal& terminal, const char* cache, double median, double best, double rate,
                      const PassCost& cost) {
        char line[200];
        std::snprintf(line, sizeof line,
                      "cache=%s seconds=%.4f best=%.4f words/s=%.1f rows=%td scores=%td multiplications=%td",
                      cache, median, best, rate, cost.rows, cost.scores, cost.multiplications);
        terminal.print(line);
    }

    Typed preset_, typed_words_, typed_threads_, typed_rounds_;
};

} // namespace

std::unique_ptr<Command> make_bench_decode_command() { return std::make_unique<BenchDecodeCommand>(); }

namespace {

// Copying strings of random tokens, all of one length: no word of them is padding.
class RandomTokens final : public PairSource {
public:
    explicit RandomTokens(const Preset& preset) : preset_(preset) {}

    void sample(Random& random, EncodedPair& pair) const override {
        const TokenId first = preset_.sizes.unk_id;
        pair.source.resize(std::size_t(preset_.length));
        for (TokenId& token : pair.source)
            token = first + TokenId(random.below(preset_.sizes.source_vocab_size - first));
        pair.target = pair.source;
    }

private:
    const Preset& preset_;
};

class BenchTrainCommand final : public Command {
public:
    std::string_view name() const override { return "bench train"; }

    void declare(CLI::App& app, const Strings& strings) override {
        app.add_option("--preset", preset_, strings.text("cli.bench.train.preset"))
            ->type_name("tiny|small|paper|gru");
        app.add_option("--threads", typed_threads_, strings.text("cli.threads"))->type_name("N");
        app.add_option("--seconds", typed_seconds_, strings.text("cli.bench.seconds"))->type_name("S");
        app.add_flag("--scale", scale_, strings.text("cli.bench.train.scale"));
        app.add_flag("--by-operation", by_operation_, strings.text("cli.bench.train.by_operation"));
    }

    int run(Terminal& terminal, const std::filesystem::path&) override {
        std::vector<std::pair<std::string, Preset>> presets;
        for (const std::string& name : preset_names()) presets.emplace_back(name, *find_preset(name));
        Preset preset;
        int threads = threads_of_machine();
        double seconds = 10;
        ArgumentReader reader;
        reader.require("--preset", preset_);
        reader.read("--preset", preset_, preset, presets);
        reader.read("--threads", typed_threads_, threads, 1, 256);
        reader.read("--seconds", typed_seconds_, seconds, 0, 86'400);
        if (reader.error()) return terminal.refuse(*reader.error());

        const double resident_before = resident_megabytes();
        Parameters parameters = declare_parameters(preset.sizes);
        initialise(parameters, preset.sizes, 1);
        const RandomTokens source(preset);
        TrainingOptions options;
        options.batch_size = preset.batch_size;
        options.threads = threads;
        options.clip_norm = 0;
        options.schedule = {.peak = 1e-4, .constant = true};
        Trainer trainer(preset.sizes, parameters, source, options);
        const auto make_trainer = [&](int of_threads) {
            TrainingOptions others = options;
            others.threads = of_threads;
            return std::make_unique<Trainer>(preset.sizes, parameters, source, others);
        };
        constexpr int warm_up = 3; // memory is allocated, caches are filled
        for (int i = 0; i < warm_up; ++i) trainer.step();

        const double resident = resident_megabytes() - resident_before;
        if (by_operation_) report_operations(terminal, trainer, seconds);
        if (scale_) report_scale(terminal, make_trainer, resident, seconds);
        if (by_operation_ || scale_) return terminal.end();
        const Stopwatch watch;
        double elapsed = 0;
        Index steps = 0, tokens = 0;
        do { // at least one step
            tokens += trainer.step().tokens;
            ++steps;
            elapsed = watch.seconds();
        } while (elapsed < seconds);
        char line[200];
        std::snprintf(line, sizeof line, "preset=%s threads=%d steps/s=%.2f tokens/s=%.0f params=%td",
                      preset_->c_str(), threads, double(steps) / elapsed, double(tokens) / elapsed,
                      parameters.learned());
        terminal.print(line);
        return terminal.end();
    }

private:
    Typed preset_, typed_threads_, typed_seconds_;
    bool by_operation_ = false, scale_ = false;
};

} // namespace

std::unique_ptr<Command> make_bench_train_command() { return std::make_unique<BenchTrainCommand>(); }

} // namespace headlight
