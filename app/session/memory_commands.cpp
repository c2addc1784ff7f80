// The commands of the race: who runs, what is looked at, and which of the racers is opened.
#include "app/session/memory.h"
#include "app/session/session.h"
#include "engine/task/recall.h"

#include <algorithm>

namespace headlight {

namespace {

std::vector<std::string> listed(std::string text) {
    std::replace(text.begin(), text.end(), ',', ' ');
    return words_of(text);
}

Argument one_of_words(const std::vector<std::string>& words) {
    Argument argument("");
    argument.words = words;
    return argument;
}

// The plan with one thing changed, when it can be run then.
template <class Change>
Result<Done> change_plan(RacePlan& plan, const Change& change) {
    RacePlan changed = plan;
    change(changed);
    changed.record_every = std::min<Index>(RacePlan().record_every, changed.steps);
    if (const Result<Done> checked = check_race(changed); !checked) return checked;
    plan = std::move(changed);
    return Done{};
}

} // namespace

std::vector<std::string> commands_of(const MemoryView& view) {
    const AskedRacers &asked = view.asked, fresh;
    const auto name = [](const auto& names, auto which) { return std::string(names[std::size_t(which)]); };
    std::vector<std::string> lines{"race task " + asked.task, asked.own ? "race own" : "race ready"};
    if (asked.trained != fresh.trained) lines.push_back("race trained " + std::to_string(asked.trained));
    if (asked.distance != fresh.distance) lines.push_back("race distance " + std::to_string(asked.distance));
    if (asked.sentence != fresh.sentence) lines.push_back("race sentence " + std::to_string(asked.sentence));
    lines.push_back("race chart " + name(race_chart_names, view.chart));
    if (view.page == MemoryPage::cells)
        lines.push_back("race cells " + view.model);
    else
        lines.push_back("race " + name(memory_page_names, view.page));
    return lines;
}

void add_race_commands(CommandRegistry& commands, Session& session, Memory& memory, MemoryView& view) {
    using namespace argument;
    commands.add("race", {"race|forgetting|cells"}, [&](const Arguments& in) {
        view.page = MemoryPage(in.place()); // as they are declared there
    });
    commands.add("race", {"chart", "accuracy|steps|seconds|pace"},
                 [&](const Arguments& in) { view.chart = RaceChart(in.place()); });
    commands.add("race", {"ready|own"}, [&](const Arguments& in) { view.asked.own = in.said("own"); });
    commands.add("race", {"task", one_of_words(memory_task_names())},
                 [&](const Arguments& in) { view.plan.task = view.asked.task = in.choice(); });
    // --- who runs
    commands.add(
        "race", {"model", one_of_words(racer_names()), a_switch()}, [&](const Arguments& in) -> Result<Done> {
            const std::string name =
                racer_names()[std::size_t(std::find_if(racer_names().begin(), racer_names().end(),
                                                       [&](const std::string& one) { return in.said(one); })
                                          - racer_names().begin())];
            std::vector<std::string> models = view.plan.models;
            const bool runs = std::find(models.begin(), models.end(), name) != models.end();
            std::erase(models, name);
            if (switched(in, runs)) models.push_back(name);
            std::vector<std::string> ordered; // as they are listed
            for (const std::string& one : racer_names())
                if (std::find(models.begin(), models.end(), one) != models.end()) ordered.push_back(one);
            return change_plan(view.plan, [&](RacePlan& plan) { plan.models = ordered; });
        });
    commands.add("race", {"distances", text("N,N,…")}, [&](const Arguments& in) -> Result<Done> {
        std::vector<Index> distances;
        for (const std::string& word : listed(in.text("N,N,…"))) {
            const Result<long> number = whole_number_of(word);
            if (!number) return number.error();
            distances.push_back(*number);
        }
        std::sort(distances.begin(), distances.end());
        distances.erase(std::unique(distances.begin(), distances.end()), distances.end());
        return change_plan(view.plan, [&](RacePlan& plan) { plan.distances = distances; });
    });
    commands.add("race", {"rates", text("X,X,…")}, [&](const Arguments& in) -> Result<Done> {
        std::vector<double> rates;
        for (const std::string& word : listed(in.text("X,X,…"))) {
            const Result<double> number = number_of(word);
            if (!number) return number.error();
            rates.push_back(*number);
        }
        std::sort(rates.begin(), rates.end());
        rates.erase(std::unique(rates.begin(), rates.end()), rates.end());
        return change_plan(view.plan, [&](RacePlan& plan) { plan.rates = rates; });
    });
    const auto number_of_plan = [&](const char* name, double most, Index RacePlan::*place) {
        commands.add("race", {name, whole("N", 1, most)}, [&view, place](const Arguments& in) {
            return change_plan(view.plan, [&](RacePlan& plan) { plan.*place = in.whole("N"); });
        });
    };
    number_of_plan("seeds", 100, &RacePlan::seeds);
    number_of_plan("steps", 100'000, &RacePlan::steps);
    number_of_plan("parameters", 1'000'000, &RacePlan::parameters);
    // --- it runs
    commands.add("race", {"start|stop"}, [&](const Arguments& in) -> Result<Done> {
        view.asked.own = true;
        if (in.said("start")) return memory.start(view.plan);
        memory.stop();
        return Done{};
    });
    commands
        .add("race", {"forget"},
             [&](const Arguments&) {
                 view.asked.own = false;
                 memory.forget();
             })
        .of_person = true;
    commands.add("race", {"continue"}, [&](const Arguments&) -> Result<Done> {
        if (!memory.own()) return Error{"error.race_none", {}};
        view.plan = memory.own()->race.plan;
        view.asked.own = true;
        return memory.start(view.plan);
    });
    commands
        .add("race", {"wait", number("SECONDS", 0, 86'400)},
             [&](const Arguments& in) -> Result<Done> {
                 if (memory.wait(in.number("SECONDS"))) return Done{};
                 return Error{"error.training_not_over", {exactly(in.number("SECONDS"))}};
             })
        .of_person = true;
    // --- what they make of a sentence
    commands.add("race", {"trained", whole("N", 0, double(longest_distance))},
                 [&](const Arguments& in) { view.asked.trained = in.whole("N"); });
    commands.add("race", {"distance", whole("N", 0, double(longest_asked))},
                 [&](const Arguments& in) { view.asked.distance = in.whole("N"); });
    commands.add("race", {"sentence", "next|previous" | whole("N", 0, double(held_out_limit) - 1)},
                 [&](const Arguments& in) {
                     const Index all = Index(held_out_limit);
                     view.asked.sentence = in.said("next")       ? (view.asked.sentence + 1) % all
                                           : in.said("previous") ? (view.asked.sentence + all - 1) % all
                                                                 : in.whole("N");
                 });
    commands.add("race", {"cells", one_of_words(racer_names())}, [&](const Arguments& in) {
        view.page = MemoryPage::cells;
        view.model = in.choice();
    });
    // The racer as any model that is open, with the sentence.
    commands.add("race", {"open", one_of_words(racer_names())}, [&](const Arguments& in) -> Result<Done> {
        const RacerAnswers* answers = memory.answers(view.asked);
        const RacerAnswer* racer = answers ? answers->of(in.choice()) : nullptr;
        if (!racer) return Error{"error.race_not_run", {in.choice()}};
        if (racer->folder.empty()) {
            session.open(model_of_racer(*racer, *answers));
            return Done{};
        }
        Result<std::unique_ptr<LoadedModel>> model = load_model(racer->folder);
        if (!model) return model.error();
        (*model)->examples = {answers->pair.source, answers->other.source};
        session.open(std::shared_ptr<LoadedModel>(*std::move(model)));
        return Done{};
    });
}

} // namespace headlight
