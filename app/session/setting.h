// A setting is declared once, in one line: the words that set it, the member that holds it, what it may be.
//
//     costs.add("costs context", &CostsView::context, whole("N", shortest_context, longest_context));
//
// From that line follow its command with usage, completion and errors; that a saved session tells it where it
// is not as at first, and that a session, a link and a lesson's card may say it; that another session sets it
// back; and, of what numbers depend on, undo, and one step of it while a pointer moves.
#pragma once

#include "app/session/session.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace headlight {

// Where settings stand together: a part of the question, of the view, or of neither.
template <class S>
struct Home {
    std::function<const S&(const SessionState&)> find = nullptr; // null: no session keeps them
    std::function<Result<Done>(const std::function<Result<Done>(S&)>&)> change = nullptr;
    CommandForm::Of of = CommandForm::Of::view;
    bool needs_model = false, is_dragged = false, is_replayable = true;
};

template <class S>
Home<S> with_model(Home<S> home) { // they can be set while a model is open
    home.needs_model = true;
    return home;
}

// Of the window, whatever session is open in it.
inline Home<WindowState> of_window(View& view) {
    return {.change = [&view](const auto& set) { return set(view); }, .is_replayable = false};
}

// Of all of the view, or of the question; and a member of a member.
constexpr auto itself = [](auto& all) -> auto& { return all; };
constexpr auto within = [](auto part, auto member) {
    return [=](auto& all) -> auto& { return std::invoke(member, std::invoke(part, all)); };
};

// `part`: a member of View, or a function of one.
template <class Part>
auto of_view(View& view, Part part) {
    using S = std::remove_reference_t<std::invoke_result_t<Part&, View&>>;
    return Home<S>{[part](const SessionState& state) -> const S& { return std::invoke(part, state.view); },
                   [part, &view](const auto& set) { return set(std::invoke(part, view)); }};
}

// `part`: a member of Question, or a function of one. It is asked anew whenever one of them changes.
template <class Part>
auto of_question(Inquiries& inquiries, Part part) {
    using S = std::remove_reference_t<std::invoke_result_t<Part&, Question&>>;
    return Home<S>{
        [part](const SessionState& state) -> const S& { return std::invoke(part, state.question); },
        [part, &inquiries](const auto& set) -> Result<Done> {
            Question next = inquiries.experiment().question();
            if (Result<Done> done = set(std::invoke(part, next)); !done) return done;
            return inquiries.experiment().ask(std::move(next));
        },
        CommandForm::Of::question};
}

// What is set of a page from the ground, where pointers move it.
template <class Part>
auto of_page(Inquiries& inquiries, Part part) {
    auto home = of_question(
        inquiries, [part](auto& question) -> auto& { return std::invoke(part, question.small_pages); });
    home.is_dragged = true;
    return home;
}

// --- a member, and the words of its command

namespace setting_words {

std::string on_one_line(std::string text);
std::vector<std::string> line_if(bool is_told, std::string line); // it, or none
// Of words to choose from, the one that says no where `yes` says yes.
std::string_view opposite(const Argument& argument, std::string_view yes);
// What moves is told by the words of the command, and so many of its arguments.
std::function<std::string(const Arguments&)> moves(std::string_view words, std::size_t arguments = 0);

template <class T>
concept ListOfNumbers = std::is_same_v<typename T::value_type, double>;

// A number or one of some words, as an enumeration's names ("next" and "previous" are those beside it, where
// it may be told so), a text, or, of bool, whether it is `yes`; numbers, of as many arguments.
template <class T>
void read(T& value, const Arguments& in, const std::vector<Argument>& arguments, std::string_view yes) {
    const Argument& argument = arguments.front();
    const bool is_word = argument.kind == Argument::Kind::words;
    if constexpr (requires { value.has_value(); }) {
        value.reset();
        if (is_word || in.has(argument.name)) read(value.emplace(), in, arguments, yes);
    } else if constexpr (ListOfNumbers<T>) {
        for (std::size_t i = 0; i < arguments.size(); ++i) value[i] = in.number(arguments[i].name);
    } else if constexpr (std::is_same_v<T, bool>) {
        value = in.said(yes) || (!in.said(opposite(argument, yes)) && !value); // neither: the other one
    } else if constexpr (std::is_same_v<T, std::string>) {
        value = is_word ? in.choice() : in.text(argument.name);
    } else if constexpr (std::is_floating_point_v<T>) {
        value = in.number(argument.name);
    } else if (is_word) {
        const Index count = Index(argument.words.size()) - 1;
        value = in.said("next") ? T((Index(value) + 1) % count) : T(in.place());
    } else if (in.has(argument.name)) {
        value = T(in.whole(argument.name));
    } else { // round and round
        const Index count = Index(argument.most) + 1;
        value = T((Index(value) + (in.said("next") ? 1 : count - 1)) % count);
    }
}

template <class T>
std::string written(const T& value, const std::vector<Argument>& arguments, std::string_view yes) {
    const Argument& argument = arguments.front();
    if constexpr (requires { value.has_value(); }) {
        if (value) return written(*value, arguments, yes);
        return argument.words.empty() ? "" : argument.words.front();
    } else if constexpr (ListOfNumbers<T>) {
        std::string line;
        for (const double number : value) line += (line.empty() ? "" : " ") + exactly(number);
        return line;
    } else if constexpr (std::is_same_v<T, bool>) {
        return std::string(value ? yes : opposite(argument, yes));
    } else if constexpr (std::is_same_v<T, std::string>) {
        return on_one_line(value);
    } else if constexpr (std::is_floating_point_v<T>) {
        return exactly(value);
    } else {
        return argument.kind == Argument::Kind::words ? argument.words[std::size_t(value)]
                                                      : std::to_string(Index(value));
    }
}

} // namespace setting_words

// Declares settings that stand together. Every function returns the form of the command, whose marks may be
// set otherwise than is usual.
template <class S>
class SettingsOf {
public:
    SettingsOf(CommandRegistry& commands, Home<S> home) : commands_(commands), home_(std::move(home)) {}

    // A member (or function) of S that holds a number, a text, one of some words, or several numbers. `yes`:
    // of bool, which of the words means true.
    template <class Member>
    CommandForm& add(std::string_view words, Member member, std::vector<Argument> arguments,
                     std::string_view yes = "on") {
        return add_written(
            words, arguments,
            [member, arguments, yes](S& all, const Arguments& in) {
                setting_words::read(std::invoke(member, all), in, arguments, yes);
            },
            [member, arguments, yes](const S& all) {
                return setting_words::written(std::invoke(member, all), arguments, yes);
            });
    }
    template <class Member>
    CommandForm& add(std::string_view words, Member member, Argument argument, std::string_view yes = "on") {
        return add(words, member, std::vector<Argument>{std::move(argument)}, yes);
    }
    // `then` happens whenever it is set: what else follows from it.
    template <class Member, class Then>
    CommandForm& add_and(std::string_view words, Member member, Argument argument, Then then) {
        return add_written(
            words, {argument},
            [member, argument, then](S& all, const Arguments& in) {
                setting_words::read(std::invoke(member, all), in, {argument}, "on");
                then(all);
            },
            [member, argument](const S& all) {
                return setting_words::written(std::invoke(member, all), {argument}, "on");
            });
    }
    // One of several alike: `which` says of what, by its number or by a word of its own; `of(all, i)` is the
    // member, or the several numbers, of each, from 0.
    template <class Of>
    CommandForm& add_each(std::string_view words, Argument which, Index count, Of of,
                          std::vector<Argument> arguments, std::string_view yes = "on") {
        const auto place = [which](const Arguments& in) {
            for (std::size_t i = 0; i < which.words.size(); ++i)
                if (in.said(which.words[i])) return Index(i);
            return in.whole(which.name);
        };
        const auto called = [which](Index i) {
            return which.words.empty() ? std::to_string(i) : which.words[std::size_t(i)];
        };
        std::vector<Argument> all = arguments;
        all.insert(all.begin(), which);
        CommandForm& form = add_lines(
            words, std::move(all),
            [place, of, arguments, yes](S& settings, const Arguments& in) {
                setting_words::read(of(settings, place(in)), in, arguments, yes);
            },
            [=, begin = std::string(words)](const S& now, const S& fresh) {
                std::vector<std::string> lines;
                for (Index i = 0; i < count; ++i)
                    if (of(now, i) != of(fresh, i))
                        lines.push_back(begin + " " + called(i) + " "
                                        + setting_words::written(of(now, i), arguments, yes));
                return lines;
            });
        if (form.moves) form.moves = setting_words::moves(words, 1);
        return form;
    }
    // What is more than a member. `said`: its arguments as they are now; where they are as at first, nothing
    // is told of it.
    template <class Set, class Said>
    CommandForm& add_written(std::string_view words, std::vector<Argument> arguments, Set set, Said said) {
        return add_lines(words, std::move(arguments), std::move(set),
                         [said, begin = std::string(words)](const S& now, const S& fresh) {
                             const std::string text = said(now);
                             if (text == said(fresh)) return std::vector<std::string>();
                             return std::vector<std::string>{text.empty() ? begin : begin + " " + text};
                         });
    }
    // What takes several lines; `lines`: of how it is now, and was at first.
    template <class Set, class Lines>
    CommandForm& add_lines(std::string_view words, std::vector<Argument> arguments, Set set, Lines lines) {
        CommandForm& form = change(words, std::move(arguments), std::move(set));
        form.of = home_.of;
        if (home_.find)
            form.lines = [find = home_.find, lines](const SessionState& now, const SessionState& fresh) {
                return lines(find(now), find(fresh));
            };
        return form;
    }
    // Another way to set them, of which nothing is told. `set` may return an Error.
    template <class Set>
    CommandForm& change(std::string_view words, std::vector<Argument> arguments, Set set) {
        const auto run = [change = home_.change, set](const Arguments& in) {
            return change([&](S& settings) { return done_by(set, settings, in); });
        };
        CommandForm& form = commands_.add(words, std::move(arguments), run);
        form.needs_model = home_.needs_model;
        form.replayable = home_.is_replayable;
        if (home_.is_dragged) form.moves = setting_words::moves(words);
        return form;
    }
    // As they were at first.
    CommandForm& reset(std::string_view words) {
        return change(words, {}, [](S& all, const Arguments&) { all = S(); });
    }

private:
    CommandRegistry& commands_;
    Home<S> home_;
};

// Those of the question that many commands move, one step for undo while a pointer does: drag COMMAND
// SETTING.
void add_drag_commands(CommandRegistry& commands, Inquiries& inquiries);

} // namespace headlight
