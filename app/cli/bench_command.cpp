#include "app/bench/measuring.h"
#include "app/cli/arguments.h"
#include "app/cli/command.h"
#include "app/cli/training_reports.h"
#include "engine/base/stopwatch.h"
#include "engine/model/initialise.h"
#include "engine/model/transformer_parameters.h"
#include "engine/train/recipes.h"

#include <CLI/CLI.hpp>

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
