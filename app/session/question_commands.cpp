// The commands that ask something else: sentences, changes, the loss.
#include "app/session/setting.h"
#include "engine/train/evaluate.h"

#include <algorithm>

namespace headlight {

namespace {

// Another number for the same cell, another use of the same head, takes the place of the one before.
// `replaying`: a saved session may hold a change that its present sentence is too short for.
Result<Done> add_change(std::vector<Change>& changes, const Experiment& experiment, const std::string& text,
                        bool replaying) {
    const LoadedModel& model = experiment.model();
    const Result<std::vector<Edit>> edits = edits_of(text, model, experiment.what_if().second_graph());
    const bool is_written_wrongly =
        !edits
        && (edits.error().key == "error.command_usage" || edits.error().key == "error.no_such_change_form");
    if (!edits && (!replaying || is_written_wrongly)) return edits.error();
    if (edits && !replaying)
        if (const Result<Done> reached = check_reach(*edits, model.graph()); !reached) return reached;
    const auto earlier = std::find_if(changes.begin(), changes.end(), [&](const Change& other) {
        return place_of(text) == place_of(other.text);
    });
    if (earlier != changes.end())
        *earlier = {text, true};
    else
        changes.push_back({text, true});
    return Done{};
}

// A change is called by its place in the list, from 1.
Result<Done> switch_change(std::vector<Change>& changes, const Arguments& in) {
    if (changes.empty()) return Error{"error.no_changes", {}};
    const Index number = in.whole("N"), last = Index(changes.size());
    if (number < 1 || number > last)
        return Error{"error.out_of_range", {"change " + in.choice(), "1", std::to_string(last)}};
    const auto change = changes.begin() + std::ptrdiff_t(number - 1);
    if (in.said("delete"))
        changes.erase(change);
    else
        change->on = in.said("on");
    return Done{};
}

std::vector<std::string> lines_of_changes(const std::vector<Change>& changes, const std::vector<Change>&) {
    std::vector<std::string> lines;
    for (const Change& change : changes) lines.push_back("change " + setting_words::on_one_line(change.text));
    for (std::size_t i = 0; i < changes.size(); ++i)
        if (!changes[i].on) lines.push_back("change off " + std::to_string(i + 1));
    return lines;
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

// A model of the program's own is called by its name.
std::string name_of_model(const std::filesystem::path& folder, const std::filesystem::path& assets) {
    std::error_code ignored;
    const std::string name = (folder / "").parent_path().filename().string();
    const bool is_shipped = std::filesystem::equivalent(assets / "models" / name, folder, ignored);
    return is_shipped ? name : file_argument(std::filesystem::absolute(folder, ignored));
}

} // namespace

void add_question_commands(CommandRegistry& commands, Inquiries& inquiries,
                           const std::filesystem::path& assets, const bool& replaying,
                           std::function<Result<Done>(const std::string&)> open_model) {
    using namespace argument;
    SettingsOf asked(commands, of_question(inquiries, itself));
    const auto one = [](std::string line) { return std::vector<std::string>{std::move(line)}; };
    CommandForm& open = commands.add(
        "model", {file("DIR")}, [open_model](const Arguments& in) { return open_model(in.text("DIR")); });
    open.replayable = true;
    open.of = CommandForm::Of::question;
    open.lines = [one, assets](const SessionState& now, const SessionState&) {
        const std::filesystem::path& folder = now.question.model;
        return folder.empty() ? std::vector<std::string>() : one("model " + name_of_model(folder, assets));
    };
    // Always told: without one it would be an example of the model.
    asked.add_lines(
        "source", {text()},
        [](Question& next, const Arguments& in) {
            next.source = in.text("TEXT");
            next.generation.forget_words(); // other words are said of it, so no branch of those
        },
        [one](const Question& now, const Question&) {
            return one("source " + setting_words::on_one_line(now.source));
        });
    // What not every model has: `check` tells what this one lacks. A saved session is believed.
    const auto where = [&inquiries, &replaying](CommandForm& form, auto check) {
        form.run = [&inquiries, &replaying, check, run = form.run](const Arguments& in) {
            const Experiment& experiment = inquiries.experiment();
            const Result<Done> can =
                replaying || !experiment.has_model() ? Result<Done>(Done{}) : check(experiment, in);
            return can ? run(in) : can;
        };
    };
    where(asked.add("target", &Question::target, text()),
          [](const Experiment& experiment, const Arguments& in) {
              return in.has("TEXT") ? can_be_wanted(in.text("TEXT"), experiment) : Result<Done>(Done{});
          });
    CommandForm& second = asked.add("second", &Question::second, "off" | text());
    second.needs_model = true;
    where(second, [](const Experiment& experiment, const Arguments& in) -> Result<Done> {
        const LoadedModel& model = experiment.model();
        if (in.has("TEXT") && model.map().streams.empty()) return Error{"error.reads_no_words", {model.name}};
        return Done{};
    });
    where(asked.add("smoothing", &Question::label_smoothing, number("EPSILON", 0, 0.9)),
          [](const Experiment& experiment, const Arguments&) -> Result<Done> {
              const LoadedModel& model = experiment.model();
              return model.map().output.loss ? Result<Done>(Done{}) : Error{"error.no_loss", {model.name}};
          });
    SettingsOf changes(commands, with_model(of_question(inquiries, &Question::changes)));
    using Changes = std::vector<Change>;
    changes.change("change", {"on|off|delete", whole("N")}, switch_change);
    changes
        .add_lines(
            "change", {file("CHANGE")},
            [&](Changes& all, const Arguments& in) {
                return add_change(all, inquiries.experiment(), in.text("CHANGE"), replaying);
            },
            lines_of_changes)
        .moves = [](const Arguments& in) { return place_of(in.text("CHANGE")); };
    changes
        .change("changes", {"on|off|clear"},
                [](Changes& all, const Arguments& in) {
                    if (in.said("clear")) all.clear();
                    for (Change& change : all) change.on = in.said("on");
                })
        .needs_model = false;
    commands.add("drag end", {}, [&](const Arguments&) { inquiries.shown()->history.end_drag(); });
}

} // namespace headlight
