// The commands of the race: who runs, what is looked at, and which of the racers is opened.
#include "app/session/memory.h"
#include "app/session/setting.h"
#include "engine/task/recall.h"

#include <algorithm>
#include <set>

namespace headlight {

namespace {

std::vector<std::string> listed(std::string text) {
    std::replace(text.begin(), text.end(), ',', ' ');
    return words_of(text);
}

// Of the next race: changed when it can be run then. No session keeps it, as the settings of the next run.
Home<RacePlan> of_plan(View& view) {
    return {nullptr, [&view](const auto& set) -> Result<Done> {
                RacePlan changed = view.memory.plan;
                if (const Result<Done> done = set(changed); !done) return done;
                changed.record_every = std::min<Index>(RacePlan().record_every, changed.steps);
                if (const Result<Done> checked = check_race(changed); !checked) return checked;
                view.memory.plan = std::move(changed);
                return Done{};
            }};
}

// Ascending, each once. Error: as `read` has it.
template <class T, class Read>
Result<Done> read_list(std::vector<T>& into, const std::string& text, Read read) {
    std::set<T> numbers;
    for (const std::string& word : listed(text)) {
        const auto number = read(word);
        if (!number) return number.error();
        numbers.insert(T(*number));
    }
    into.assign(numbers.begin(), numbers.end());
    return Done{};
}

// Or not, when it did. They run in the order in which they are listed.
void let_run(std::vector<std::string>& models, const Arguments& in) {
    const std::vector<std::string> before = std::exchange(models, {});
    for (const std::string& one : racer_names()) {
        const bool ran = std::find(before.begin(), before.end(), one) != before.end();
        if (in.said(one) ? switched(in, ran) : ran) models.push_back(one);
    }
}

Result<Done> open_racer(Session& session, const RacerAnswers* answers, const std::string& name) {
    const RacerAnswer* racer = answers ? answers->of(name) : nullptr;
    if (!racer) return Error{"error.race_not_run", {name}};
    if (racer->folder.empty()) {
        session.open(model_of_racer(*racer, *answers));
        return Done{};
    }
    Result<std::unique_ptr<LoadedModel>> model = load_model(racer->folder);
    if (!model) return model.error();
    (*model)->examples = {answers->pair.source, answers->other.source};
    session.open(std::shared_ptr<LoadedModel>(*std::move(model)));
    return Done{};
}

} // namespace

void add_race_commands(CommandRegistry& commands, Session& session, Memory& memory, View& all) {
    using namespace argument;
    MemoryView& view = all.memory;
    // --- how it is looked at
    SettingsOf race(commands, of_view(all, &View::memory));
    race.add_lines(
            "race", {one_of(memory_page_names)},
            [](MemoryView& looked, const Arguments& in) { looked.page = MemoryPage(in.place()); },
            [](const MemoryView& now, const MemoryView& fresh) { // whose cells are chosen on their page
                return setting_words::line_if(now.page != fresh.page || now.model != fresh.model,
                                              "race "
                                                  + std::string(memory_page_names[std::size_t(now.page)]));
            })
        .is_told_last = true;
    race.add_and("race cells", &MemoryView::model, one_of(racer_names()),
                 [](MemoryView& looked) { looked.page = MemoryPage::cells; });
    race.add("race chart", &MemoryView::chart, one_of(race_chart_names));
    // --- what is asked of those who ran
    SettingsOf asked(commands, of_view(all, within(&View::memory, &MemoryView::asked)));
    asked.add_and("race task", &AskedRacers::task, one_of(memory_task_names()),
                  [&view](AskedRacers& racers) { view.plan.task = racers.task; });
    asked.add("race", &AskedRacers::own, "ready|own", "own");
    asked.add("race trained", &AskedRacers::trained, whole("N", 0, double(longest_distance)));
    asked.add("race distance", &AskedRacers::distance, whole("N", 0, double(longest_asked)));
    asked.add("race sentence", &AskedRacers::sentence,
              "next|previous" | whole("N", 0, double(held_out_limit) - 1));
    // --- who runs
    SettingsOf plan(commands, of_plan(all));
    plan.change("race model", {one_of(racer_names()), a_switch()},
                [](RacePlan& next, const Arguments& in) { let_run(next.models, in); });
    plan.change("race distances", {text("N,N,…")}, [](RacePlan& next, const Arguments& in) {
        return read_list(next.distances, in.text("N,N,…"), whole_number_of);
    });
    plan.change("race rates", {text("X,X,…")}, [](RacePlan& next, const Arguments& in) {
        return read_list(next.rates, in.text("X,X,…"), number_of);
    });
    plan.add("race seeds", &RacePlan::seeds, whole("N", 1, 100));
    plan.add("race steps", &RacePlan::steps, whole("N", 1, 100'000));
    plan.add("race parameters", &RacePlan::parameters, whole("N", 1, 1'000'000));
    // --- it runs
    commands.add("race", {"start|stop"}, [&](const Arguments& in) -> Result<Done> {
        view.asked.own = true;
        if (in.said("start")) return memory.start(view.plan);
        memory.stop();
        return Done{};
    });
    commands.add_of_person("race forget", {}, [&](const Arguments&) {
        view.asked.own = false;
        memory.forget();
    });
    commands.add("race continue", {}, [&](const Arguments&) -> Result<Done> {
        if (!memory.own()) return Error{"error.race_none", {}};
        view.plan = memory.own()->race.plan;
        view.asked.own = true;
        return memory.start(view.plan);
    });
    commands.add_of_person("race wait", {number("SECONDS", 0, 86'400)},
                           [&](const Arguments& in) -> Result<Done> {
                               if (memory.wait(in.number("SECONDS"))) return Done{};
                               return Error{"error.training_not_over", {exactly(in.number("SECONDS"))}};
                           });
    // The racer as any model that is open, with the sentence.
    commands.add("race open", {one_of(racer_names())}, [&](const Arguments& in) {
        return open_racer(session, memory.answers(view.asked), in.choice());
    });
}

} // namespace headlight
