#include "app/cli/arguments.h"
#include "app/cli/command.h"
#include "engine/base/stopwatch.h"
#include "engine/inspect/bare_products.h"
#include "engine/inspect/operation_costs.h"
#include "engine/model/initialise.h"
#include "engine/model/transformer_parameters.h"
#include "engine/train/recipes.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>

namespace headlight {

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

        Parameters parameters = declare_parameters(preset.sizes);
        initialise(parameters, preset.sizes, 1);
        const RandomTokens source(preset);
        TrainingOptions options;
        options.batch_size = preset.batch_size;
        options.threads = threads;
        options.clip_norm = 0;
        options.schedule = {.peak = 1e-4, .constant = true};
        Trainer trainer(preset.sizes, parameters, source, options);
        constexpr int warm_up = 3; // memory is allocated, caches are filled
        for (int i = 0; i < warm_up; ++i) trainer.step();

        if (by_operation_) {
            report_operations(terminal, trainer, seconds);
            return terminal.end();
        }
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
                      parameters.count());
        terminal.print(line);
        return terminal.end();
    }

private:
    // Half of the time steps and the products alone take turns, so that a busy minute slows both; in the
    // other half every operation is timed.
    static void report_operations(Terminal& terminal, Trainer& trainer, double seconds) {
        std::vector<BareProducts> products;
        for (Index i = 0; i < trainer.shards(); ++i) products.emplace_back(trainer.graph(i));
        const auto alone = [&] {
            trainer.workers().run(Index(products.size()), [&](Index i) { products[std::size_t(i)].run(); });
        };
        alone();
        constexpr int turns = 5;
        std::vector<double> rates, bare_rates, shares;
        for (int turn = 0; turn < turns; ++turn) {
            rates.push_back(rate_of([&] { trainer.step(); }, seconds / (4 * turns)));
            bare_rates.push_back(rate_of(alone, seconds / (4 * turns)));
            shares.push_back(rates.back() / bare_rates.back());
        }

        trainer.time_operations();
        const Stopwatch watch;
        Index steps = 0;
        do {
            trainer.step();
            ++steps;
        } while (watch.seconds() < seconds / 2);
        OperationCosts costs;
        for (Index i = 0; i < trainer.shards(); ++i) costs.add(trainer.graph(i), trainer.operation_times(i));

        const double threads = trainer.workers().threads();
        const double per_step = 1e3 / double(steps); // milliseconds
        print(terminal, "%-18s %10s %10s %9s %9s %9s %9s\n", "operation", "forward ms", "back ms", "MFLOP",
              "GFLOP/s", "MB", "GB/s");
        for (const OperationCost& cost : costs.dearest_first()) {
            const double flops =
                cost.forward.floating_point_operations + cost.backward.floating_point_operations;
            const double bytes = cost.forward.bytes + cost.backward.bytes;
            const double of_a_step = cost.seconds() / double(steps);
            print(terminal, "%-18s %10.3f %10.3f %9.2f %9.2f %9.3f %9.2f",
                  std::string(cost.operation).c_str(), cost.forward.seconds * per_step,
                  cost.backward.seconds * per_step, flops * 1e-6, flops / of_a_step * 1e-9, bytes * 1e-6,
                  bytes / of_a_step * 1e-9);
        }
        const StepTimes& times = trainer.times();
        for (const auto& [name, wall] :
             {std::pair{"(batches)", times.batches}, std::pair{"(passes)", times.passes},
              std::pair{"(sums)", times.sums}, std::pair{"(Adam)", times.updates}})
            print(terminal, "%-18s %10.3f", name, wall * threads * per_step);
        print(terminal, "steps/s=%.2f products-alone/s=%.2f share=%.3f", median(rates), median(bare_rates),
              median(shares));
    }

    template <class Work>
    static double rate_of(const Work& work, double seconds) {
        const Stopwatch watch;
        double elapsed = 0;
        int times = 0;
        do {
            work();
            ++times;
            elapsed = watch.seconds();
        } while (elapsed < seconds);
        return times / elapsed;
    }
    static double median(std::vector<double> numbers) {
        std::sort(numbers.begin(), numbers.end());
        return numbers[numbers.size() / 2];
    }
    template <class... Values>
    static void print(Terminal& terminal, const char* format, Values... values) {
        char line[200];
        std::snprintf(line, sizeof line, format, values...);
        terminal.print(line);
    }

    Typed preset_, typed_threads_, typed_seconds_;
    bool by_operation_ = false;
};

} // namespace

std::unique_ptr<Command> make_bench_train_command() { return std::make_unique<BenchTrainCommand>(); }

} // namespace headlight
