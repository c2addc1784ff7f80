#include "app/cli/command.h"
#include "app/session/interruption.h"
#include "engine/io/file.h"
#include "engine/io/model_folder.h"
#include "engine/text/words.h"
#include "engine/train/race.h"

#include <CLI/CLI.hpp>

#include <algorithm>

namespace headlight {

namespace {

namespace fs = std::filesystem;

std::vector<std::string> parts_of(std::string list) {
    std::replace(list.begin(), list.end(), ',', ' ');
    return words_of(list);
}

struct RaceArguments {
    Typed task, models, distances, rates, seeds, steps, parameters, batch, record_every, learnt_at;
    Typed out, resume, keep;

    // The first of those that a race which has begun has settled.
    const char* plan_option() const {
        const std::pair<const char*, const Typed*> options[] = {
            {"--task", &task},       {"--models", &models},
            {"--rates", &rates},     {"--distances", &distances},
            {"--seeds", &seeds},     {"--steps", &steps},
            {"--batch", &batch},     {"--parameters", &parameters},
            {"--out", &out},         {"--record-every", &record_every},
            {"--until", &learnt_at},
        };
        for (const auto& [name, typed] : options)
            if (*typed) return name;
        return nullptr;
    }
};

RacePlan read_plan(ArgumentReader& reader, const RaceArguments& typed) {
    RacePlan plan;
    if (typed.task) plan.task = *typed.task;
    if (typed.models) plan.models = parts_of(*typed.models);
    if (typed.distances) {
        plan.distances.clear();
        for (const std::string& word : parts_of(*typed.distances))
            reader.read("--distances", word, plan.distances.emplace_back(), 0, longest_distance);
    }
    if (typed.rates) {
        plan.rates.clear();
        for (const std::string& word : parts_of(*typed.rates))
            reader.read("--rates", word, plan.rates.emplace_back(), 1e-9, 1);
    }
    reader.read("--seeds", typed.seeds, plan.seeds, 1, 100);
    reader.read("--steps", typed.steps, plan.steps, 1, 1'000'000);
    reader.read("--parameters", typed.parameters, plan.parameters, 1, 10'000'000);
    reader.read("--batch", typed.batch, plan.batch_size, 1, 4096);
    plan.record_every = std::min(plan.record_every, plan.steps);
    reader.read("--record-every", typed.record_every, plan.record_every, 1, plan.steps);
    reader.read("--until", typed.learnt_at, plan.learnt_at, 0, 1);
    return plan;
}

Result<Done> keep_model(const RaceTraining& training, const fs::path& folder) {
    Result<FolderTransaction> to = FolderTransaction::begin(folder);
    if (!to) return to.error();
    const ModelFiles& model = training.model();
    const Result<Done> written = write_model(*to, model.config, model.parameters, model.source, model.target);
    return written ? to->commit() : written;
}

class RaceCommand final : public Command {
public:
    std::string_view name() const override { return "race"; }

    void declare(CLI::App& app, const Strings& strings) override {
        const auto add = [&](const char* option, Typed& typed, const char* type, const char* key) {
            app.add_option(option, typed, strings.text(key))->type_name(type);
        };
        add("--task", typed_.task, "NAME", "cli.race.task");
        add("--models", typed_.models, "NAME,NAME,…", "cli.race.models");
        add("--distances", typed_.distances, "N,N,…", "cli.race.distances");
        add("--rates", typed_.rates, "F,F,…", "cli.race.rates");
        add("--seeds", typed_.seeds, "N", "cli.race.seeds");
        add("--steps", typed_.steps, "N", "cli.race.steps");
        add("--until", typed_.learnt_at, "F", "cli.race.until");
        add("--parameters", typed_.parameters, "N", "cli.race.parameters");
        add("--batch", typed_.batch, "N", "cli.train.batch");
        add("--record-every", typed_.record_every, "N", "cli.race.record_every");
        add("--out", typed_.out, "FILE.jsonl", "cli.race.out");
        add("--resume", typed_.resume, "FILE.jsonl", "cli.race.resume");
        add("--keep", typed_.keep, "DIR", "cli.race.keep");
    }

    int run(Terminal& terminal, const fs::path& assets) override {
        Race race;
        if (typed_.resume) {
            if (const char* option = typed_.plan_option())
                return terminal.refuse({"error.options_exclude", {option, "--resume"}});
            Result<Race> read = read_race_file(*typed_.resume);
            if (!read) return terminal.refuse(read.error());
            race = *std::move(read);
        } else {
            ArgumentReader reader;
            race.plan = read_plan(reader, typed_);
            if (reader.error()) return terminal.refuse(*reader.error());
            if (const Result<Done> checked = check_race(race.plan); !checked)
                return terminal.refuse(checked.error());
            race.line = race_command(race.plan);
            if (typed_.out) race.line += " --out " + *typed_.out;
            if (typed_.keep) race.line += " --keep " + *typed_.keep;
            terminal.print(race_line(race.plan, race.line));
        }
        return go_on(terminal, race, assets);
    }

private:
    int go_on(Terminal& terminal, Race& race, const fs::path& assets) {
        const Strings& strings = terminal.strings();
        const Typed& file = typed_.resume ? typed_.resume : typed_.out;
        Interruption interruption;
        while (const std::optional<RaceEntry> entry = race.next()) {
            const auto training = RaceTraining::begin(race.plan, *entry, assets.string());
            if (!training) return terminal.refuse(training.error());
            while (!interruption.flag() && (*training)->step()) {
            }
            if (interruption.flag()) {
                terminal.remark(strings.text(
                    file ? "cli.race.interrupted" : "cli.race.lost",
                    {std::to_string(race.done()), std::to_string(race.entries()), file.value_or("")}));
                return terminal.end();
            }
            race.results.push_back((*training)->result());
            if (typed_.keep && race.is_best_so_far(race.results.back())) {
                const fs::path folder =
                    fs::path(*typed_.keep) / (entry->model + "-" + std::to_string(entry->distance));
                if (const Result<Done> kept = keep_model(**training, folder); !kept)
                    return terminal.fail(kept.error());
            }
            if (file)
                if (const Result<Done> written = write_file_atomically(*file, race_text(race)); !written)
                    return terminal.fail(written.error());
            if (!terminal.print(race_line(race.results.back(), race.plan))) interruption.flag() = true;
            terminal.remark(strings.text("cli.race.progress",
                                         {std::to_string(race.done()), std::to_string(race.entries())}));
        }
        return terminal.end();
    }

    RaceArguments typed_;
};

} // namespace

std::unique_ptr<Command> make_race_command() { return std::make_unique<RaceCommand>(); }

} // namespace headlight
