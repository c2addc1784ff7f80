#include "app/cli/arguments.h"
#include "app/cli/command.h"
#include "engine/base/stopwatch.h"
#include "engine/base/workers.h"
#include "engine/decode/answer.h"
#include "engine/model/initialise.h"
#include "engine/model/transformer.h"
#include "engine/model/transformer_parameters.h"
#include "engine/train/recipes.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>

namespace headlight {

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

} // namespace headlight
