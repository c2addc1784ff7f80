#include "app/session/command.h"

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

void CommandRegistry::add_form(std::string_view name, CommandForm form) {
    for (WindowCommand& command : commands_)
        if (command.name == name) {
            command.forms.push_back(std::move(form));
            return;
        }
    commands_.push_back({std::string(name), {}});
    commands_.back().forms.push_back(std::move(form));
}

Result<Done> CommandRegistry::execute(std::string_view line) const {
    line = trim(line);
    if (line.empty() || line.front() == '#') return Done{};
    const std::size_t end = std::min(line.find_first_of(" \t"), line.size());
    const std::string_view name = line.substr(0, end);
    for (const WindowCommand& command : commands_)
        if (command.name == name) return run_first_fitting_form(command, line.substr(end));
    std::string known;
    for (const WindowCommand& command : commands_) known += (known.empty() ? "" : ", ") + command.name;
    return Error{"error.command_unknown", {std::string(name), known}};
}

Result<Done> CommandRegistry::run_first_fitting_form(const WindowCommand& command,
                                                     std::string_view line) const {
    const AtHand at_hand = present_();
    Misreading wrong;
    bool lacks_model = false, is_begun = false;
    for (const CommandForm& form : command.forms) {
        const bool begins_with_word =
            !form.arguments.empty() && form.arguments.front().kind == Argument::Kind::words;
        if (is_begun && !begins_with_word) continue; // "change off" is not the text of a change
        if (form.needs_model && !at_hand.model) {
            lacks_model = true;
            continue;
        }
        Reading reading = read(form.arguments, line, at_hand, command.name);
        if (reading.is_complete) return form.run(reading.arguments);
        is_begun = is_begun || (begins_with_word && reading.understood > 0);
        wrong.note(form, std::move(reading));
    }
    if (lacks_model) return Error{"error.no_model", {}};
    if (wrong.error) return *wrong.error;
    std::string usage;
    for (const CommandForm* form : wrong.forms)
        usage += (usage.empty() ? "" : ", ") + std::string(trim(command.name + " " + usage_of(*form)));
    return Error{"error.command_usage", {usage}};
}

Argument a_switch() { return argument::optional("on|off|toggle"); }

bool switched(const Arguments& in, bool now) { return in.said("on") || (!in.said("off") && !now); }

} // namespace headlight
