// The commands of the backward pass: gradients on the screen, and the walk from the loss back.
#include "app/session/memory.h"
#include "app/session/session.h"
#include "app/session/setting.h"
#include "engine/task/tasks.h"

#include <algorithm>
#include <iterator>
#include <set>

namespace headlight {

namespace {

Index last_backward_step(const LoadedModel& model) { return Index(model.backward_story.size()) - 1; }

Result<Done> walk_back_to(Backward& backward, const LoadedModel& model, const std::string& path) {
    const std::vector<BackwardStep>& steps = model.backward_story;
    const Node* node = model.graph().find(path);
    const auto found =
        std::find_if(steps.begin(), steps.end(), [&](const BackwardStep& step) { return step.node == node; });
    if (found == steps.end()) return Error{"error.no_such_gradient", {path, model.name}};
    backward = {true, found - steps.begin()}; // to walk is to look
    return Done{};
}

} // namespace

void add_backward_commands(CommandRegistry& commands, const Session& session, Backward& backward) {
    using namespace argument;
    const auto check_loss = [&]() -> Result<Done> {
        if (!session.has_model() || session.model().map().output.loss) return Done{};
        return Error{"error.no_loss", {session.model().name}};
    };
    const auto add = [&](std::string_view words, std::vector<Argument> arguments, auto run) -> CommandForm& {
        CommandForm& form = commands.add(words, std::move(arguments), std::move(run));
        form.replayable = true;
        return form;
    };
    add("backward", {a_switch()}, [=, &backward](const Arguments& in) {
        const bool on = switched(in, backward.on);
        const Result<Done> can = on ? check_loss() : Done{};
        if (can) backward.on = on;
        return can;
    });
    add("backward step", {"first|last" | whole("+N")}, [=, &session, &backward](const Arguments& in) {
        const Result<Done> can = check_loss();
        if (!can) return can;
        const Index last = last_backward_step(session.model());
        const Index by = std::clamp<Index>(in.whole("+N"), -last, last);
        const Index step = std::clamp<Index>(std::min(backward.step, last) + by, 0, last);
        backward = {true, in.said("first") ? 0 : in.said("last") ? last : step};
        return can;
    }).needs_model = true;
    commands.add_with_model("backward", {"play|pause"}, [=, &session, &backward](const Arguments& in) {
        const Result<Done> can = check_loss();
        if (!can) return can;
        if (in.said("pause")) {
            backward.playing = false;
            return can;
        }
        const bool is_over = backward.step >= last_backward_step(session.model());
        backward = {true, is_over || !backward.on ? 0 : backward.step, true, 0};
        return can;
    });
    add("backward goto", {word("PATH")}, [=, &session, &backward](const Arguments& in) {
        const Result<Done> can = check_loss();
        return can ? walk_back_to(backward, session.model(), in.text("PATH")) : can;
    }).needs_model = true;
}

std::optional<NamedCell> steepest_weight(const LoadedModel& model) {
    std::optional<NamedCell> steepest;
    Real most = 0;
    for (const BackwardStep& step : model.backward_story) {
        if (!step.is_weight || !model.graph().has_gradient(*step.node)) continue;
        const Node& node = *step.node;
        for (Index i = 0; i < node.value.size(); ++i)
            if (const Real slope = std::abs(node.grad.data()[i]); slope > most) {
                most = slope;
                steepest = {node.path, {0, i / node.value.columns(), i % node.value.columns()}};
            }
    }
    return steepest;
}

bool advance_backward(Backward& backward, const LoadedModel& model, double seconds) {
    if (!backward.playing) return false;
    // As the film: a short one step by step, a long one in the same time.
    constexpr double whole = 60, shortest = 0.2, longest = 0.8;
    const Index last = last_backward_step(model);
    const double each = std::clamp(whole / double(last + 1), shortest, longest);
    backward.share += seconds / each;
    if (backward.share < 1) return true;
    if (backward.step < last) {
        backward.share = 0;
        ++backward.step;
    } else {
        backward.playing = false;
        backward.share = 1;
    }
    return true;
}

// What layers cost: its commands.

namespace {

constexpr double seconds_a_point = 0.15;
constexpr Index shortest_measured = 8, longest_measured = 2048, narrowest = 16, widest = 512;

// The points of one length after another, so that all curves grow together.
std::vector<CostOrder> orders_of(const CostsView& view, const LayerSize& size) {
    std::vector<std::vector<CostOrder>> curves;
    for (const CostPart part : all_cost_parts)
        if (view.shows(part)) curves.push_back(cost_places(part, size, view.over_width));
    std::vector<CostOrder> orders;
    for (std::size_t i = 0; !curves.empty() && i < curves.front().size(); ++i)
        for (const std::vector<CostOrder>& curve : curves) orders.push_back(curve[i]);
    return orders;
}

} // namespace

std::vector<CostOrder> cost_places(CostPart part, const LayerSize& size, bool over_width) {
    std::vector<CostOrder> places;
    if (over_width)
        for (Index d = narrowest; d <= widest; d *= 2) places.push_back({part, size.length, d});
    else
        for (Index n = shortest_measured; n <= longest_measured; n *= 2)
            places.push_back({part, n, size.d_model});
    return places;
}

double quantity_of(const CostPoint& point, CostQuantity quantity) {
    switch (quantity) {
    case CostQuantity::forward:
        return point.forward_seconds;
    case CostQuantity::training:
        return point.training_seconds;
    case CostQuantity::bytes:
        return double(point.bytes);
    case CostQuantity::multiplications:
        return double(point.multiplications);
    }
    return 0;
}

void add_costs_commands(CommandRegistry& commands, Inquiries& inquiries, View& view,
                        CostMeasuring& measuring) {
    using namespace argument;
    SettingsOf layer(commands, of_page(inquiries, &SmallPagesSetting::layer_size));
    layer.add("costs length", &LayerSize::length, whole("N", 1, double(longest_layer)));
    layer.add("costs width", &LayerSize::d_model, whole("N", 1, double(widest_layer)));
    commands.add("costs measure", {}, [&](const Arguments&) {
        const LayerSize& size = inquiries.experiment().question().small_pages.layer_size;
        measuring.begin(orders_of(view.costs, size), seconds_a_point);
    });
    commands.add("costs stop", {}, [&](const Arguments&) { measuring.stop(); });
    commands.add_of_person("costs finish", {}, [&](const Arguments&) { measuring.finish(); });
    SettingsOf costs(commands, of_view(view, &View::costs));
    costs.add("costs", &CostsView::page, one_of(costs_page_names));
    costs.add("costs show", &CostsView::quantity, one_of(cost_quantity_names));
    costs.add("costs over", &CostsView::over_width, "length|width", "width");
    costs.add_each("costs part", "attention|feed-forward|rnn|lstm|gru", Index(std::size(all_cost_parts)),
                   [](auto& all, Index i) -> auto& { return all.parts[std::size_t(i)]; }, {a_switch()});
    costs.add("costs lines", &CostsView::has_lines, a_switch());
    costs.add("costs context", &CostsView::context, whole("N", shortest_context, longest_context));
    costs.add("costs model", &CostsView::model, "transformer|gpt2|llama");
}

// The commands of the times.

bool is_profiled(const View& view) {
    return view.profile.on && view.room == Room::explore && view.close_ups.open == CloseUp::none;
}

void add_profile_commands(CommandRegistry& commands, Inquiries& inquiries, View& view) {
    SettingsOf profile(commands, of_view(view, itself));
    // It stands beside the canvas: a room that has none, and a close-up, give way to it.
    profile.add_written(
        "profile", {a_switch()},
        [](View& all, const Arguments& in) {
            all.profile.on = switched(in, is_profiled(all));
            if (!all.profile.on) return;
            all.room = Room::explore;
            all.close_ups.open = CloseUp::none;
        },
        [](const View& all) { return all.profile.on ? "on" : "off"; });
    profile.add("profile", within(&View::profile, &ProfileView::part), argument::one_of(profile_part_names));
    commands.add_with_model("profile again", {},
                            [&](const Arguments&) { inquiries.experiment().end_profile(); });
    const auto finish = [&](const Arguments&) {
        if (is_profiled(view)) inquiries.experiment().finish_profile();
    };
    commands.add_of_person("profile finish", {}, finish).needs_model = true;
}

// The commands of the padded batch.

namespace {

Index last_position(const LoadedModel& model) { return model.config().max_length - 1; }

// The sentence at hand and the second one: they stand above, and are changed there.
Index own_sentences(const Question& question) { return question.second ? 2 : 1; }

Index sentences(const Experiment& experiment) {
    return own_sentences(experiment.question()) + Index(experiment.batch_others().size());
}

Error no_such_sample(const Arguments& in, Index last) {
    return {"error.out_of_range", {"batch " + in.choice(), "1", std::to_string(last)}};
}

using Others = std::optional<std::vector<std::string>>;

Result<Done> add_sentence(Others& others, const Experiment& experiment, const std::string& text) {
    if (sentences(experiment) >= largest_batch)
        return Error{"error.batch_full", {std::to_string(largest_batch)}};
    others = experiment.batch_others();
    others->push_back(text);
    return Done{};
}

Result<Done> remove_sentence(Others& others, const Experiment& experiment, BatchView& batch,
                             const Arguments& in) {
    const Index number = in.whole("N"), own = own_sentences(experiment.question());
    others = experiment.batch_others();
    const Index last = own + Index(others->size());
    if (number < 1 || number > last) return no_such_sample(in, last);
    if (number <= own) return Error{"error.batch_own", {std::to_string(number)}};
    others->erase(others->begin() + std::ptrdiff_t(number - own - 1));
    if (batch.sample && *batch.sample >= last - 1) batch.sample.reset();
    return Done{};
}

} // namespace

void add_batch_commands(CommandRegistry& commands, Inquiries& inquiries, View& view) {
    using namespace argument;
    BatchView& batch = view.heads.batch;
    SettingsOf asked(commands, with_model(of_question(inquiries, &Question::batch)));
    asked.add_lines(
        "batch add", {file("TEXT")},
        [&](Others& others, const Arguments& in) {
            return add_sentence(others, inquiries.experiment(), in.text("TEXT"));
        },
        [](const Others& now, const Others&) {
            std::vector<std::string> lines = setting_words::line_if(now.has_value(), "batch clear");
            for (const std::string& other : now.value_or(std::vector<std::string>()))
                lines.push_back("batch add " + setting_words::on_one_line(other));
            return lines;
        });
    asked.change("batch remove", {whole("N")}, [&](Others& others, const Arguments& in) {
        return remove_sentence(others, inquiries.experiment(), batch, in);
    });
    asked.change("batch clear", {}, [&](Others& others, const Arguments&) {
        batch.sample.reset();
        others.emplace();
    });
    asked.change("batch reset", {}, [&](Others& others, const Arguments&) {
        batch = {};
        others.reset();
    });
    SettingsOf looked_at(commands, with_model(of_view(view, within(&View::heads, &HeadsView::batch))));
    looked_at.add_written(
        "batch sample", {whole("N")},
        [&](BatchView& all, const Arguments& in) -> Result<Done> {
            const Index number = in.whole("N"), last = sentences(inquiries.experiment());
            if (number < 1 || number > last) return no_such_sample(in, last);
            all.sample = number - 1;
            return Done{};
        },
        [&](const BatchView& all) {
            const bool is_there = all.sample && *all.sample < sentences(inquiries.opened->experiment);
            return is_there ? std::to_string(*all.sample + 1) : std::string();
        });
    looked_at.add_written(
        "batch head", {attention(), whole("HEAD", last_head)},
        [](BatchView& all, const Arguments& in) {
            all.attention = in.text("ATTENTION");
            all.head = in.whole("HEAD");
        },
        [](const BatchView& all) {
            return all.attention.empty() ? std::string() : all.attention + " " + std::to_string(all.head);
        });
    looked_at.add("batch query", &BatchView::query, whole("ROW", last_position));
}

// The commands of the race: who runs, what is looked at, and which of the racers is opened.

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
