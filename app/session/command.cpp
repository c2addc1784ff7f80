#include "app/session/command.h"
#include "app/live/training_settings.h"
#include "app/session/loaded_model.h"
#include "engine/text/unicode.h"
#include "engine/text/words.h"

#include <algorithm>
#include <optional>

namespace headlight {

namespace {

std::string usage_of(const CommandForm& form) {
    std::string text;
    for (const Argument& argument : form.arguments) text += (text.empty() ? "" : " ") + argument.usage();
    return text;
}

// What is wrong with a line that fits no form. A number out of range is told as such; else how the command is
// written, of those forms alone that begin as the line does.
struct Misreading {
    std::size_t understood = 0;
    std::optional<Error> error;
    std::vector<const CommandForm*> forms;

    void note(const CommandForm& form, Reading reading) {
        if (forms.empty() || reading.understood > understood) {
            understood = reading.understood;
            error.reset();
            forms.clear();
        }
        if (reading.understood < understood) return;
        forms.push_back(&form);
        if (!error) error = std::move(reading.error);
    }
};

} // namespace

std::string WindowCommand::usage() const {
    std::string text = name;
    for (const CommandForm& form : forms) text += (&form == forms.data() ? " " : " | ") + usage_of(form);
    return std::string(trim(text));
}

CommandForm& CommandRegistry::add_form(std::string_view words, CommandForm form) {
    const std::vector<std::string> all = words_of(words);
    const std::string& name = all.front();
    for (std::size_t i = all.size(); --i > 0;)
        form.arguments.insert(form.arguments.begin(), Argument(all[i].c_str()));
    auto command = std::find_if(commands_.begin(), commands_.end(),
                                [&](const WindowCommand& known) { return known.name == name; });
    if (command == commands_.end()) command = commands_.insert(command, {name, {}});
    command->forms.push_back(std::move(form));
    return command->forms.back();
}

Result<const WindowCommand*> CommandRegistry::named(std::string_view line) const {
    line = trim(line);
    const std::string name(line.substr(0, line.find_first_of(" \t")));
    std::vector<std::string> known;
    for (const WindowCommand& command : commands_) {
        if (command.name == name) return &command;
        known.push_back(command.name);
    }
    if (const std::optional<std::string> near = meant(name, known))
        return Error{"error.command_unknown_near", {name, *near}};
    return Error{"error.command_unknown", {name}};
}

Result<Done> CommandRegistry::execute(std::string_view line) const {
    line = trim(line);
    if (line.empty() || line.front() == '#') return Done{};
    const Result<FittingForm> fitting = fit(line);
    return fitting ? fitting->form->run(fitting->arguments) : fitting.error();
}

Result<FittingForm> CommandRegistry::fit(std::string_view line) const {
    const Result<const WindowCommand*> command = named(line);
    if (!command) return command.error();
    const std::string& name = (*command)->name;
    line = trim(line).substr(name.size());
    const AtHand at_hand = present_();
    Misreading wrong;
    bool lacks_model = false, is_begun = false;
    for (const CommandForm& form : (*command)->forms) {
        const bool begins_with_word =
            !form.arguments.empty() && form.arguments.front().kind == Argument::Kind::words;
        if (is_begun && !begins_with_word) continue; // "change off" is not the text of a change
        if (form.needs_model && !at_hand.model) {
            lacks_model = true;
            continue;
        }
        Reading reading = read(form.arguments, line, at_hand, name);
        if (reading.is_complete) return FittingForm{&form, std::move(reading.arguments)};
        is_begun = is_begun || (begins_with_word && reading.understood > 0);
        wrong.note(form, std::move(reading));
    }
    if (lacks_model) return Error{"error.no_model", {}};
    if (wrong.error) return *wrong.error;
    std::string usage;
    for (const CommandForm* form : wrong.forms)
        usage += (usage.empty() ? "" : ", ") + std::string(trim(name + " " + usage_of(*form)));
    return Error{"error.command_usage", {usage}};
}

Result<Done> CommandRegistry::check_replayable(std::string_view line) const {
    const Result<const WindowCommand*> command = named(line);
    if (!command) return command.error();
    const std::string_view arguments = trim(line).substr((*command)->name.size());
    bool any = false, is_written_well = false;
    for (const CommandForm& form : (*command)->forms) {
        const bool may_be_meant = read(form.arguments, arguments, {}, (*command)->name).is_complete;
        if (may_be_meant && !form.replayable) return Error{"error.not_in_a_session", {std::string(line)}};
        is_written_well = is_written_well || may_be_meant;
        any = any || form.replayable;
    }
    // What is written wrongly is told so when it is run.
    if (is_written_well || any) return Done{};
    return Error{"error.not_in_a_session", {std::string(line)}};
}

Argument a_switch() { return argument::optional("on|off|toggle"); }

bool switched(const Arguments& in, bool now) { return in.said("on") || (!in.said("off") && !now); }

bool holds(const std::string& text, std::string_view word) {
    if (word.size() > 3 && word.ends_with('s')) word.remove_suffix(1);
    return folded(text).find(folded(word)) != std::u32string::npos;
}

namespace {

// It says enough by itself; not so where a text may follow, which is what one wants then.
bool can_be_run_bare(const WindowCommand& command, const AtHand& at_hand) {
    for (const CommandForm& form : command.forms)
        for (const Argument& argument : form.arguments)
            if (argument.takes_the_rest()) return false;
    return std::any_of(command.forms.begin(), command.forms.end(), [&](const CommandForm& form) {
        return (!form.needs_model || at_hand.model)
               && read(form.arguments, "", at_hand, command.name).is_complete;
    });
}

// By name first, then by how it is written and what it is for.
std::vector<Completion> commands_like(const CommandRegistry& commands, const Strings& strings,
                                      const AtHand& at_hand, std::string_view line) {
    struct Ranked {
        Completion completion;
        int rank;
    };
    std::vector<Ranked> ranked;
    const std::vector<std::string> typed = words_of(line);
    for (const WindowCommand& command : commands.list()) {
        const std::string usage = command.usage(), meaning = strings.text("command." + command.name);
        const auto is_about = [&](const std::string& word) {
            return holds(usage, word) || holds(meaning, word);
        };
        const auto told = std::count_if(typed.begin(), typed.end(), is_about);
        // Some words of a question may be other than those of the answer.
        if (2 * std::size_t(told) < typed.size()) continue;
        const bool by_name = typed.empty() || command.name.starts_with(typed.front());
        const bool bare = can_be_run_bare(command, at_hand);
        ranked.push_back(
            {{command.name + (bare ? "" : " "), usage, meaning, bare}, (by_name ? 0 : 1) - 2 * int(told)});
    }
    std::stable_sort(ranked.begin(), ranked.end(),
                     [](const Ranked& a, const Ranked& b) { return a.rank < b.rank; });
    std::vector<Completion> all;
    for (Ranked& one : ranked) all.push_back(std::move(one.completion));
    return all;
}

// What may stand in the place of an argument: its words, and what there is of its kind.
// `before`: the words of the line before it.
std::vector<std::string> possible(const Argument& argument, const std::vector<std::string>& before,
                                  const AtHand& at_hand) {
    std::vector<std::string> all = argument.words;
    const std::vector<std::string>& settings = setting_names();
    if (argument.name == "SETTING") return settings;
    if (argument.name == "VALUE"
        && std::find(settings.begin(), settings.end(), before.back()) != settings.end())
        return choices(settings_for("copy"), before.back());
    const LoadedModel* model = at_hand.model;
    if (!model) return all;
    if (argument.kind == Argument::Kind::value || argument.name == "PATH")
        for (const StoryStep& step : model->story) all.push_back(step.path());
    if (argument.kind == Argument::Kind::any_value)
        for (const Graph* page : at_hand.pages)
            for (const Node& node : page->nodes())
                if (node.named) all.push_back(node.path);
    if (argument.kind == Argument::Kind::attention)
        for (const Attention& attention : model->map().attentions) all.push_back(attention.path);
    if (argument.last)
        for (Index i = 0; i <= argument.last(*model); ++i) all.push_back(std::to_string(i));
    return all;
}

} // namespace

std::vector<Completion> completions(const CommandRegistry& commands, const Strings& strings,
                                    const AtHand& at_hand, std::string_view line) {
    const std::vector<std::string> words = words_of(line);
    const auto named =
        std::find_if(commands.list().begin(), commands.list().end(),
                     [&](const WindowCommand& c) { return !words.empty() && c.name == words.front(); });
    const bool is_begun = named != commands.list().end() && line.find_first_of(" \t") != line.npos;
    if (!is_begun) return commands_like(commands, strings, at_hand, line);

    // The word that is being typed, and those before it.
    const bool begins_word = line.back() == ' ' || line.back() == '\t';
    const std::string typed = begins_word ? std::string() : words.back();
    const std::size_t before = words.size() - 1 - (begins_word ? 0 : 1);
    std::string so_far = words.front(), arguments;
    for (std::size_t i = 1; i <= before; ++i) {
        so_far += " " + words[i];
        arguments += " " + words[i];
    }
    const std::vector<std::string> earlier(words.begin(), words.begin() + std::ptrdiff_t(before) + 1);
    std::vector<Completion> all;
    for (const CommandForm& form : named->forms) {
        if (form.needs_model && !at_hand.model) continue;
        const Reading reading = read(form.arguments, arguments, at_hand, named->name);
        if (reading.error || reading.understood < before || before >= form.arguments.size()) continue;
        for (const std::string& word : possible(form.arguments[before], earlier, at_hand)) {
            if (word.find(typed) == word.npos) continue;
            const std::string whole = so_far + " " + word;
            if (std::any_of(all.begin(), all.end(), [&](const Completion& c) { return c.shown == word; }))
                continue;
            const bool is_whole =
                read(form.arguments, arguments + " " + word, at_hand, named->name).is_complete;
            all.push_back({whole + (is_whole ? "" : " "), word, named->usage(), is_whole});
        }
    }
    std::stable_sort(all.begin(), all.end(), [&](const Completion& a, const Completion& b) {
        return a.shown.starts_with(typed) && !b.shown.starts_with(typed);
    });
    if (all.empty())
        all.push_back({std::string(line), named->usage(), strings.text("command." + named->name), true});
    return all;
}

} // namespace headlight
