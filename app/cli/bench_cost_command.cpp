#include "app/cli/arguments.h"
#include "app/cli/command.h"
#include "engine/inspect/cost.h"
#include "engine/io/json_tree.h"

#include <CLI/CLI.hpp>

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

} // namespace headlight
