// Whatever a person can do is a named command in one line of text: buttons, keys, lessons, saved sessions,
// scripts and tests all speak it. Help and key bindings are made from this one registry.
#pragma once

#include "app/session/argument.h"

#include <functional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace headlight {

// One way to write a command, and what is done then. An Error changes nothing.
struct CommandForm {
    std::vector<Argument> arguments;
    std::function<Result<Done>(const Arguments&)> run;
    bool needs_model = false;
    // It writes or opens files, deletes, waits, or plays a hand: a person says it, or a script of theirs; no
    // lesson that a stranger wrote.
    bool of_person = false;
};

struct WindowCommand {
    std::string name;               // "goto"; strings "command.<name>" say what it does
    std::vector<CommandForm> forms; // the first that fits is run

    std::string usage() const; // "backward on|off|toggle | step N | goto PATH"
};

// The form that a line fits, and what is written there for its arguments.
struct FittingForm {
    const CommandForm* form = nullptr;
    Arguments arguments;
};

class CommandRegistry {
public:
    using Present = std::function<AtHand()>;
    explicit CommandRegistry(Present present) : present_(std::move(present)) {}

    // A form of a command; `run` takes const Arguments& and returns Result<Done> or nothing.
    template <class Run>
    CommandForm& add(std::string_view name, std::vector<Argument> arguments, Run run) {
        return add_form(name, {std::move(arguments), as_function(std::move(run)), false});
    }
    // The same of one that can only be done while a model is open. Arguments of which the model decides are
    // for these alone.
    template <class Run>
    CommandForm& add_with_model(std::string_view name, std::vector<Argument> arguments, Run run) {
        return add_form(name, {std::move(arguments), as_function(std::move(run)), true});
    }

    const std::vector<WindowCommand>& list() const { return commands_; }
    // The command that a line begins with. Error: there is none; which one was meant, when one is near.
    Result<const WindowCommand*> named(std::string_view line) const;
    // Reads a line without doing it. Error: as execute has it.
    Result<FittingForm> fit(std::string_view line) const;

    // "goto encoder.0.self_attn.scores". Blank lines and lines that begin with # do nothing.
    Result<Done> execute(std::string_view line) const;

private:
    template <class Run>
    static std::function<Result<Done>(const Arguments&)> as_function(Run run) {
        if constexpr (std::is_void_v<std::invoke_result_t<Run&, const Arguments&>>)
            return [run](const Arguments& in) -> Result<Done> {
                run(in);
                return Done{};
            };
        else
            return run;
    }
    CommandForm& add_form(std::string_view name, CommandForm form);

    Present present_;
    std::vector<WindowCommand> commands_;
};

// on|off|toggle, which may be left out; and what the switch is set to then.
Argument a_switch();
bool switched(const Arguments& in, bool now);

} // namespace headlight
