#pragma once

#include "app/cli/terminal.h"
#include "engine/base/result.h"
#include "engine/tensor/real.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace CLI {
class App;
}

namespace headlight {

// A command of the terminal: what may follow its name, and what it does.

class Command {
public:
    virtual ~Command() = default;

    virtual std::string_view name() const = 0; // "translate"; "bench train" is one of a group
    // Adds its options. Help is under the keys cli.NAME and cli.NAME.details, a space in the name as a dot.
    virtual void declare(CLI::App& app, const Strings& strings) = 0;
    // Where words go that are no options; null: the command takes none.
    virtual std::vector<std::string>* words() { return nullptr; }
    // Returns the exit status. Called once, after the options were read.
    virtual int run(Terminal& terminal, const std::filesystem::path& assets) = 0;
};

std::unique_ptr<Command> make_translate_command();
std::unique_ptr<Command> make_tokenize_command();
std::unique_ptr<Command> make_pairs_command();
std::unique_ptr<Command> make_trace_command();
std::unique_ptr<Command> make_train_command();
std::unique_ptr<Command> make_evaluate_command();
std::unique_ptr<Command> make_race_command();
std::unique_ptr<Command> make_bench_train_command();
std::unique_ptr<Command> make_bench_decode_command();
std::unique_ptr<Command> make_bench_cost_command();
std::unique_ptr<Command> make_bench_frame_command();
std::unique_ptr<Command> make_bench_live_command();
std::unique_ptr<Command> make_bench_open_command();
std::unique_ptr<Command> make_bench_day_command();
std::unique_ptr<Command> make_lesson_check_command();
std::unique_ptr<Command> make_lesson_handout_command();
std::unique_ptr<Command> make_lesson_answers_command();
std::unique_ptr<Command> make_render_command();
std::unique_ptr<Command> make_export_command();
std::unique_ptr<Command> make_open_window_command(); // without a name: what the program does with no command

// From the words after the program's name to a command that runs.

// Returns the exit status: 0, 2 for wrong usage or input, 1 for any other failure.
int run_command_line(int count, char** words);

// Options as they were typed, and the numbers in them. Everything is taken as text first, so that what is
// wrong with it is said in the person's language.

using Typed = std::optional<std::string>; // nothing: the option was not given

// Reads one option after another and keeps the first error, so that a command looks at it once.
class ArgumentReader {
public:
    // What was typed, if it is a whole number (or any number) in least … most, into `to`.
    void read(const char* option, const Typed& typed, Index& to, Index least, Index most);
    void read(const char* option, const Typed& typed, int& to, int least, int most);
    void read(const char* option, const Typed& typed, std::uint64_t& to);
    void read(const char* option, const Typed& typed, double& to, double least, double most);

    // One of a few words.
    template <class T>
    void read(const char* option, const Typed& typed, T& to,
              const std::vector<std::pair<std::string, T>>& choices) {
        if (!typed || error_) return;
        std::string words;
        for (const auto& [word, value] : choices) {
            if (word == *typed) {
                to = value;
                return;
            }
            words += (words.empty() ? "" : ", ") + word;
        }
        error_ = Error{"error.option_choice", {option, *typed, words}};
    }
    void require(const char* option, const Typed& typed);
    // Both were given, and only one of them can be.
    void exclude(const char* option, const char* other) {
        if (!error_) error_ = Error{"error.options_exclude", {option, other}};
    }

    const std::optional<Error>& error() const { return error_; }

private:
    std::optional<Error> error_;
};

int threads_of_machine(); // at least 1

} // namespace headlight
