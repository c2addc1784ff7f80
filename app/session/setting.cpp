#include "app/session/setting.h"

#include <algorithm>

namespace headlight {

namespace setting_words {

std::string on_one_line(std::string text) {
    std::replace_if(
        text.begin(), text.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
    return text;
}

std::vector<std::string> line_if(bool is_told, std::string line) {
    return is_told ? std::vector<std::string>{std::move(line)} : std::vector<std::string>();
}

std::string_view opposite(const Argument& argument, std::string_view yes) {
    for (const std::string& word : argument.words)
        if (word != yes) return word;
    return {};
}

std::function<std::string(const Arguments&)> moves(std::string_view words, std::size_t arguments) {
    return [count = words_of(words).size() - 1 + arguments](const Arguments& in) {
        std::vector<std::string> all = words_of(in.line());
        std::string first;
        for (std::size_t i = 0; i < std::min(count, all.size()); ++i) first += all[i] + " ";
        return first;
    };
}

} // namespace setting_words

std::vector<std::string> CommandRegistry::lines_of(CommandForm::Of of, const SessionState& now,
                                                   std::string_view command) const {
    const Question question;
    const View view;
    std::vector<std::string> all;
    for (const WindowCommand& one : commands_) {
        if (!command.empty() && one.name != command) continue;
        for (const bool last : {false, true})
            for (const CommandForm& form : one.forms)
                if (form.lines && form.of == of && form.is_told_last == last)
                    for (std::string& line : form.lines(now, {question, view}))
                        all.push_back(std::move(line));
    }
    return all;
}

void add_drag_commands(CommandRegistry& commands, Inquiries& inquiries) {
    using namespace argument;
    const auto drag = [&commands, &inquiries](const std::string& line) -> Result<Done> {
        const Result<FittingForm> fitting = commands.fit(line);
        if (!fitting) return fitting.error();
        if (fitting->form->moves)
            inquiries.shown()->history.drag(line.substr(0, line.find(' ') + 1)
                                            + fitting->form->moves(fitting->arguments));
        return fitting->form->run(fitting->arguments);
    };
    std::vector<std::string> dragged;
    for (const WindowCommand& command : commands.list())
        if (command.name != "change"
            && std::any_of(command.forms.begin(), command.forms.end(),
                           [](const CommandForm& form) { return form.moves != nullptr; }))
            dragged.push_back(command.name);
    for (const std::string& name : dragged)
        commands.add_of_person("drag", {name.c_str(), file("SETTING")}, [drag, name](const Arguments& in) {
            return drag(name + " " + in.text("SETTING"));
        });
    commands
        .add_with_model("drag", {file("CHANGE")},
                        [drag](const Arguments& in) { return drag("change " + in.text("CHANGE")); })
        .of_person = true;
}

} // namespace headlight
