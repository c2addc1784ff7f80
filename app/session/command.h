#pragma once

#include "app/session/argument.h"
#include "app/session/strings.h"

#include <functional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace headlight {

// Whatever a person can do is a named command in one line of text: buttons, keys, lessons, saved sessions,
// scripts and tests all speak it. Help and key bindings are made from this one registry.

struct Question;
struct View;

// What a session is: all that numbers depend on, and how they are looked at.
struct SessionState {
    const Question& question;
    const View& view;
};

// One way to write a command, and what is done then. An Error changes nothing.
struct CommandForm {
    std::vector<Argument> arguments;
    std::function<Result<Done>(const Arguments&)> run;
    bool needs_model = false;
    // It writes or opens files, deletes, waits, or plays a hand: a person says it, or a script of theirs; no
    // lesson that a stranger wrote.
    bool of_person = false;
    // It only sets something: a saved session, a link and a lesson's card may say it.
    bool replayable = false;
    // What it moves while a pointer does, which is one step for undo; null: no pointer does.
    std::function<std::string(const Arguments&)> moves = nullptr;
    // Of a setting (setting.h): the lines that make it of one as it was at first. Null of what is none.
    enum class Of { question, view };
    Of of = Of::view;
    bool is_told_last = false; // of its command's: others lead away from it
    std::function<std::vector<std::string>(const SessionState& now, const SessionState& fresh)> lines =
        nullptr;
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

// What `run` returns; Done where it returns nothing.
template <class Run, class... In>
Result<Done> done_by(const Run& run, In&&... in) {
    if constexpr (std::is_void_v<std::invoke_result_t<const Run&, In...>>)
        return run(std::forward<In>(in)...), Done{};
    else
        return run(std::forward<In>(in)...);
}

class CommandRegistry {
public:
    using Present = std::function<AtHand()>;
    explicit CommandRegistry(Present present) : present_(std::move(present)) {}

    // A form of a command: its words ("race train wait"), and what stands behind them. `run` takes
    // const Arguments& and returns Result<Done> or nothing.
    template <class Run>
    CommandForm& add(std::string_view words, std::vector<Argument> arguments, Run run) {
        return add_form(words, {std::move(arguments), as_function(std::move(run))});
    }
    // The same of one that can only be done while a model is open. Arguments of which the model decides are
    // for these alone.
    template <class Run>
    CommandForm& add_with_model(std::string_view words, std::vector<Argument> arguments, Run run) {
        return add_form(words, {std::move(arguments), as_function(std::move(run)), true});
    }
    template <class Run>
    CommandForm& add_of_person(std::string_view words, std::vector<Argument> arguments, Run run) {
        return add_form(words, {std::move(arguments), as_function(std::move(run)), false, true});
    }

    const std::vector<WindowCommand>& list() const { return commands_; }
    // The command that a line begins with. Error: there is none; which one was meant, when one is near.
    Result<const WindowCommand*> named(std::string_view line) const;
    // Reads a line without doing it. Error: as execute has it.
    Result<FittingForm> fit(std::string_view line) const;

    // Error: a session file may not say the line. Tells so before there is the model that it is about.
    Result<Done> check_replayable(std::string_view line) const;
    // Of all settings, or those of one command: the lines that bring them from where they were at first.
    std::vector<std::string> lines_of(CommandForm::Of of, const SessionState& now,
                                      std::string_view command = {}) const;

    // "goto encoder.0.self_attn.scores". Blank lines and lines that begin with # do nothing.
    Result<Done> execute(std::string_view line) const;

private:
    template <class Run>
    static std::function<Result<Done>(const Arguments&)> as_function(Run run) {
        return [run](const Arguments& in) { return done_by(run, in); };
    }
    CommandForm& add_form(std::string_view words, CommandForm form);

    Present present_;
    std::vector<WindowCommand> commands_;
};

// on|off|toggle, which may be left out; and what the switch is set to then.
Argument a_switch();
bool switched(const Arguments& in, bool now);

// How a line that is being typed may go on: commands by their name or by what they are for, then their
// arguments, as they are declared and as the model at hand has them.

struct Completion {
    std::string line;           // what the line becomes
    std::string shown, meaning; // "goto PATH", "Goes to a step"; of an argument, the word alone
    bool is_whole = false;      // the line can be run as it then is
};

// Whether the word stands in the text, one of them or several: "sentences" are found by "sentence".
bool holds(const std::string& text, std::string_view word);

// Best first.
std::vector<Completion> completions(const CommandRegistry& commands, const Strings& strings,
                                    const AtHand& at_hand, std::string_view line);

} // namespace headlight
