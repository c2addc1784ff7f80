#include "app/cli/command.h"

#include "app/cli/command.h"
#include "app/cli/terminal.h"
#include "app/session/assets.h"
#include "app/session/program_version.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <new>
#include <span>
#include <system_error>
#include <vector>

namespace headlight {

namespace {

std::vector<std::unique_ptr<Command>> make_commands() {
    std::vector<std::unique_ptr<Command>> commands;
    commands.push_back(make_translate_command());
    commands.push_back(make_tokenize_command());
    commands.push_back(make_pairs_command());
    commands.push_back(make_trace_command());
    commands.push_back(make_train_command());
    commands.push_back(make_evaluate_command());
    commands.push_back(make_race_command());
    commands.push_back(make_bench_train_command());
    commands.push_back(make_bench_decode_command());
    commands.push_back(make_bench_cost_command());
    commands.push_back(make_bench_frame_command());
    commands.push_back(make_bench_live_command());
    commands.push_back(make_bench_open_command());
    commands.push_back(make_bench_day_command());
    commands.push_back(make_lesson_check_command());
    commands.push_back(make_lesson_handout_command());
    commands.push_back(make_lesson_answers_command());
    commands.push_back(make_render_command());
    commands.push_back(make_export_command());
    return commands;
}

// The language has to be known before the help texts are made, so it is looked for before all else.
Typed language_option(std::span<char* const> words) {
    for (std::size_t i = 1; i < words.size(); ++i) {
        const std::string_view word = words[i];
        if (word == "--") break;
        if (word == "--language" && i + 1 < words.size()) return words[i + 1];
        if (word.starts_with("--language=")) return std::string(word.substr(word.find('=') + 1));
    }
    return std::nullopt;
}

std::string joined(const std::vector<std::string>& words, const char* between) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : between) + word;
    return text;
}

// What every level of the command line has: help, language, and words it does not know kept for our own
// message.
void prepare(CLI::App& app, const Strings& strings, Typed& language) {
    app.option_defaults()
        ->group(strings.text("cli.options"))
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
    app.set_help_flag("-h,--help", strings.text("cli.help"));
    app.get_help_ptr()->group(strings.text("cli.options"));
    app.add_option("--language", language, strings.text("cli.language"))->type_name("en|pt");
    app.allow_extras();
    app.require_subcommand(0, 1); // a sentence that reads “train” is a sentence
}

class CommandLine {
public:
    explicit CommandLine(const Strings& strings)
        : strings_(strings), app_(strings.text("cli.about"), "headlight") {
        const auto formatter = std::make_shared<CLI::Formatter>();
        for (const char* label : {"Usage", "OPTIONS", "SUBCOMMAND", "SUBCOMMANDS"})
            formatter->label(label, strings.text("cli.label." + std::string(label)));
        formatter->column_width(32);
        app_.formatter(formatter);
        prepare(app_, strings, language_);
        app_.add_flag("--version", version_, strings.text("cli.version"));
        app_.add_flag("--check", check_, strings.text("cli.check"));
        window_->declare(app_, strings);
        for (std::unique_ptr<Command>& command : commands_) {
            CLI::App& app = place_of(command->name());
            command->declare(app, strings);
            apps_.push_back(&app);
        }
    }

    int run(std::span<char* const> words, Terminal& terminal, const std::filesystem::path& assets) {
        // After -- nothing is an option. CLI11 would lose the rest, and take “[a,b]” for two words, so words
        // that are no options are not declared to it: they are among what it leaves over.
        const auto mark = std::find_if(words.begin(), words.end(),
                                       [](const char* word) { return std::string_view(word) == "--"; });
        try {
            app_.parse(int(mark - words.begin()), words.data());
        } catch (const CLI::CallForHelp&) {
            return print_help(terminal);
        } catch (const CLI::ParseError& error) { // an option without its value: “--steps: 1 required …”
            const std::string text = error.what();
            return terminal.refuse(
                {"error.option_value_missing", {text.substr(0, text.find(':')), help_of()}});
        }
        Command* command = nullptr;
        for (std::size_t i = 0; i < commands_.size(); ++i)
            if (apps_[i]->parsed()) command = commands_[i].get();
        const bool is_window = command == nullptr && app_.get_subcommands().empty() && !version_ && !check_;
        std::vector<std::string>* taken = command != nullptr ? command->words()
                                          : is_window        ? window_->words()
                                                             : nullptr;
        for (const std::string& word : app_.remaining(true)) {
            if (taken == nullptr || (word.starts_with('-') && word != "-"))
                return terminal.refuse({"error.unknown_argument", {word, help_of()}});
            taken->push_back(word);
        }
        if (mark != words.end() && mark + 1 != words.end()) {
            if (taken == nullptr) return terminal.refuse({"error.unknown_argument", {mark[1], help_of()}});
            taken->insert(taken->end(), mark + 1, words.end());
        }
        if (version_) {
            terminal.print("headlight " + program_version());
            return terminal.end();
        }
        if (check_) return check_program(terminal, assets);
        if (command != nullptr) return command->run(terminal, assets);
        if (!app_.get_subcommands().empty())
            return terminal.refuse({"error.command_missing", {help_of()}}); // “bench”
        return window_->run(terminal, assets);
    }

private:
    // The application of the last word of a name; groups like “bench” are made on the way.
    CLI::App& place_of(std::string_view name) {
        CLI::App* app = &app_;
        std::string key = "cli";
        for (std::size_t begin = 0; begin <= name.size();) {
            const std::size_t end = std::min(name.find(' ', begin), name.size());
            const std::string word(name.substr(begin, end - begin));
            begin = end + 1;
            key += "." + word;
            const auto there = app->get_subcommands([&](const CLI::App* a) { return a->get_name() == word; });
            CLI::App* inner = there.empty() ? app->add_subcommand(word, strings_.text(key)) : there.front();
            if (there.empty()) {
                inner->group(strings_.text("cli.commands"));
                prepare(*inner, strings_, language_);
            }
            app = inner;
        }
        app->footer(strings_.text(key + ".details"));
        return *app;
    }

    const CLI::App& chosen() const {
        const CLI::App* app = &app_;
        while (!app->get_subcommands().empty()) app = app->get_subcommands().back();
        return *app;
    }

    std::string help_of() const {
        std::vector<std::string> words;
        for (const CLI::App* app = &chosen(); app != nullptr; app = app->get_parent())
            words.push_back(app->get_name());
        std::reverse(words.begin(), words.end());
        return joined(words, " ") + " --help";
    }

    int print_help(Terminal& terminal) {
        std::string text = app_.help();
        while (!text.empty() && text.back() == '\n') text.pop_back();
        terminal.print(text);
        return terminal.end();
    }

    const Strings& strings_;
    CLI::App app_;
    Typed language_;
    bool version_ = false, check_ = false;
    std::vector<std::unique_ptr<Command>> commands_ = make_commands();
    std::vector<CLI::App*> apps_; // of each command
    std::unique_ptr<Command> window_ = make_open_window_command();
};

// For whom the memory was too small: the model or the training that was named, else the command.
std::string what_was_asked(std::span<char* const> words) {
    constexpr std::string_view large[] = {"--model", "--from", "--pairs", "--text", "--labels", "--preset"};
    for (const std::string_view option : large)
        for (std::size_t i = 1; i + 1 < words.size(); ++i)
            if (words[i] == option) return std::string(option) + " " + words[i + 1];
    return words.size() > 1 ? std::string("headlight ") + words[1] : "headlight";
}

int run_in_language(std::span<char* const> words) {
    const Result<std::filesystem::path> assets = find_assets();
    Result<Strings> strings = assets ? Strings::load(*assets) : assets.error();
    if (!strings) { // the one sentence that cannot be looked up
        std::fprintf(stderr,
                     "headlight: the program's texts are missing or damaged (%s: %s). "
                     "Set HEADLIGHT_ASSETS to its folder `assets`.\n",
                     strings.error().key.c_str(), joined(strings.error().arguments, ", ").c_str());
        return failed;
    }
    strings->set_language(language_of_environment(*strings));
    Terminal terminal(*strings);
    if (const Typed language = language_option(words)) {
        if (!strings->speaks(*language))
            return terminal.refuse(
                {"error.option_choice", {"--language", *language, joined(strings->languages(), ", ")}});
        strings->set_language(*language);
    }
    try {
        return CommandLine(*strings).run(words, terminal, *assets);
    } catch (const std::bad_alloc&) {
        return terminal.fail({"error.out_of_memory", {what_was_asked(words)}});
    } catch (const std::system_error& fault) {
        if (fault.code() == std::errc::resource_unavailable_try_again) // no memory for a thread
            return terminal.fail({"error.out_of_memory", {what_was_asked(words)}});
        return terminal.fail({"error.internal", {fault.what()}});
    } catch (const std::exception& fault) {
        return terminal.fail({"error.internal", {fault.what()}});
    }
}

} // namespace

int run_command_line(int count, char** words) {
#ifdef SIGPIPE
    std::signal(SIGPIPE, SIG_IGN); // whoever reads our output may leave: print() says so
#endif
#ifdef SIGXFSZ
    std::signal(SIGXFSZ, SIG_IGN); // a file may not grow further: whoever writes it says so
#endif
    return run_in_language({words, std::size_t(count)});
}

} // namespace headlight
