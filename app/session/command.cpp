#include "app/session/command.h"

#include "engine/text/nearest_words.h"

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

} // namespace headlight
