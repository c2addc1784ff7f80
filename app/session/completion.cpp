#include "app/session/completion.h"

#include "app/live/training_settings.h"
#include "app/session/loaded_model.h"
#include "engine/text/unicode.h"

#include <algorithm>

namespace headlight {

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
