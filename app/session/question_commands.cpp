// The commands that ask something else: sentences, changes, the loss.
#include "app/session/assets.h"
#include "app/session/session.h"
#include "engine/train/encoded_task.h"

#include <algorithm>

namespace headlight {

namespace {

Result<Done> set_changes(Experiment& experiment, std::vector<Change> changes) {
    Question next = experiment.question();
    next.changes = std::move(changes);
    return experiment.ask(std::move(next));
}

// Another number for the same cell, another use of the same head, takes the place of the one before.
// `replaying`: a saved session may hold a change that its present sentence is too short for.
Result<Done> add_change(Experiment& experiment, const std::string& text, bool replaying) {
    const LoadedModel& model = experiment.model();
    const Result<std::vector<Edit>> edits = edits_of(text, model, experiment.what_if().second_graph());
    const bool is_written_wrongly =
        !edits
        && (edits.error().key == "error.command_usage" || edits.error().key == "error.no_such_change_form");
    if (!edits && (!replaying || is_written_wrongly)) return edits.error();
    if (edits && !replaying)
        if (const Result<Done> reached = check_reach(*edits, model.graph()); !reached) return reached;
    std::vector<Change> changes = experiment.question().changes;
    const auto earlier = std::find_if(changes.begin(), changes.end(), [&](const Change& other) {
        return place_of(text) == place_of(other.text);
    });
    if (earlier != changes.end())
        *earlier = {text, true};
    else
        changes.push_back({text, true});
    return set_changes(experiment, std::move(changes));
}

// A change is called by its place in the list, from 1.
Result<Done> switch_change(Experiment& experiment, const Arguments& in) {
    std::vector<Change> changes = experiment.question().changes;
    if (changes.empty()) return Error{"error.no_changes", {}};
    const Index number = in.whole("N"), last = Index(changes.size());
    if (number < 1 || number > last)
        return Error{"error.out_of_range", {"change " + in.choice(), "1", std::to_string(last)}};
    const auto change = changes.begin() + std::ptrdiff_t(number - 1);
    if (in.said("delete"))
        changes.erase(change);
    else
        change->on = in.said("on");
    return set_changes(experiment, std::move(changes));
}

// Of what reads and writes a target is what it is fed; an encoder alone may be told what it should say.
Result<Done> can_be_wanted(const std::string& target, const Experiment& experiment) {
    const LoadedModel& model = experiment.model();
    const ModelMap& map = model.map();
    if (map.source() && map.target()) return Done{};
    if (!map.source() || !map.output.goal || model.files.family)
        return Error{"error.no_target", {model.name}};
    const Result<EncodedPair> pair = encode_pair({experiment.question().source, target},
                                                 {model.files.source, model.files.target}, model.config());
    return pair ? Result<Done>(Done{}) : pair.error();
}

std::string on_one_line(std::string text) {
    std::replace_if(
        text.begin(), text.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
    return text;
}

} // namespace

void add_question_commands(CommandRegistry& commands, Inquiries& inquiries, const bool& replaying) {
    using namespace argument;
    // `set` makes the next question of the present one.
    const auto asking = [&inquiries](auto set) {
        return [&inquiries, set](const Arguments& in) {
            Question next = inquiries.experiment().question();
            set(next, in);
            return inquiries.experiment().ask(std::move(next));
        };
    };
    commands.add("source", {text()}, asking([](Question& next, const Arguments& in) {
                     next.source = in.text("TEXT");
                     // Other words are said of it, so no branch of those.
                     next.saying.forget_words();
                 }));
    // The same of what not every model has; `error` says what this one lacks. A saved session is believed.
    const auto asking_where = [&inquiries, &replaying, asking](auto has, const char* error, auto set) {
        return [&inquiries, &replaying, has, error, ask = asking(set)](const Arguments& in) -> Result<Done> {
            const Experiment& experiment = inquiries.experiment();
            if (!replaying && experiment.has_model() && !has(experiment.model().map(), in))
                return Error{error, {experiment.model().name}};
            return ask(in);
        };
    };
    commands.add("target", {text()},
                 [&inquiries, &replaying, ask = asking([](Question& next, const Arguments& in) {
                                              next.target.reset();
                                              if (in.has("TEXT")) next.target = in.text("TEXT");
                                          })](const Arguments& in) -> Result<Done> {
                     const Experiment& experiment = inquiries.experiment();
                     if (in.has("TEXT") && !replaying && experiment.has_model())
                         if (const Result<Done> can = can_be_wanted(in.text("TEXT"), experiment); !can)
                             return can;
                     return ask(in);
                 });
    commands.add_with_model(
        "second", {"off" | text()},
        asking_where(
            [](const ModelMap& map, const Arguments& in) { return !in.has("TEXT") || !map.streams.empty(); },
            "error.reads_no_words",
            [](Question& next, const Arguments& in) {
                next.second.reset();
                if (in.has("TEXT")) next.second = in.text("TEXT");
            }));
    commands.add(
        "smoothing", {number("EPSILON", 0, 0.9)},
        asking_where(
            [](const ModelMap& map, const Arguments&) { return map.output.loss != nullptr; }, "error.no_loss",
            [](Question& next, const Arguments& in) { next.label_smoothing = in.number("EPSILON"); }));
    commands.add_with_model("change", {"on|off|delete", whole("N")},
                            [&](const Arguments& in) { return switch_change(inquiries.experiment(), in); });
    commands.add_with_model("change", {file("CHANGE")}, [&](const Arguments& in) {
        return add_change(inquiries.experiment(), in.text("CHANGE"), replaying);
    });
    commands.add("changes", {"on|off|clear"}, asking([](Question& next, const Arguments& in) {
                     if (in.said("clear")) next.changes.clear();
                     for (Change& change : next.changes) change.on = in.said("on");
                 }));
    // Many changes of one number, or of a vector of the lesson, while the pointer moves: one for undo.
    commands.add("drag", {"end"}, [&](const Arguments&) { inquiries.shown()->history.end_drag(); });
    const auto drag = [&](const std::string& command, const std::string& what, const std::string& place) {
        inquiries.shown()->history.drag(command + place);
        return commands.execute(command + what);
    };
    commands
        .add("drag", {"lesson", file("SETTING")},
             [drag](const Arguments& in) {
                 return drag("lesson ", in.text("SETTING"), place_in_lesson(in.text("SETTING")));
             })
        .of_person = true;
    commands
        .add("drag", {"cabinet", file("SETTING")},
             [drag](const Arguments& in) {
                 return drag("cabinet ", in.text("SETTING"), words_of(in.text("SETTING")).front());
             })
        .of_person = true;
    commands
        .add("drag", {"descent", file("SETTING")},
             [drag](const Arguments& in) {
                 return drag("descent ", in.text("SETTING"), place_in_descent(in.text("SETTING")));
             })
        .of_person = true;
    commands
        .add("drag", {"places", file("SETTING")},
             [drag](const Arguments& in) {
                 return drag("places ", in.text("SETTING"), words_of(in.text("SETTING")).front());
             })
        .of_person = true;
    commands
        .add("drag", {"costs", file("SETTING")},
             [drag](const Arguments& in) {
                 return drag("costs ", in.text("SETTING"), words_of(in.text("SETTING")).front());
             })
        .of_person = true;
    commands
        .add("drag", {"norms", file("SETTING")},
             [drag](const Arguments& in) {
                 return drag("norms ", in.text("SETTING"), words_of(in.text("SETTING")).front());
             })
        .of_person = true;
    commands
        .add_with_model("drag", {file("CHANGE")},
                        [drag](const Arguments& in) {
                            return drag("change ", in.text("CHANGE"), place_of(in.text("CHANGE")));
                        })
        .of_person = true;
}

std::vector<std::string> commands_of(const Question& question, const std::filesystem::path& assets) {
    std::vector<std::string> lines;
    if (!question.model.empty()) {
        std::error_code ignored;
        const std::string name = (question.model / "").parent_path().filename().string();
        const bool is_shipped =
            std::filesystem::equivalent(assets / "models" / name, question.model, ignored);
        lines.push_back(
            "model "
            + (is_shipped ? name : file_argument(std::filesystem::absolute(question.model, ignored))));
    }
    lines.push_back("source " + on_one_line(question.source));
    if (question.target) lines.push_back("target " + on_one_line(*question.target));
    if (question.second) lines.push_back("second " + on_one_line(*question.second));
    if (question.label_smoothing != 0) lines.push_back("smoothing " + exactly(question.label_smoothing));
    for (const Change& change : question.changes) lines.push_back("change " + on_one_line(change.text));
    for (std::size_t i = 0; i < question.changes.size(); ++i)
        if (!question.changes[i].on) lines.push_back("change off " + std::to_string(i + 1));
    for (std::string& line : commands_of(question.saying)) lines.push_back(std::move(line));
    if (question.batch) {
        lines.emplace_back("batch clear");
        for (const std::string& other : *question.batch) lines.push_back("batch add " + on_one_line(other));
    }
    for (std::string& line : commands_of(question.small_pages)) lines.push_back(std::move(line));
    return lines;
}

} // namespace headlight
