// A command of the terminal: what may follow its name, and what it does.
#pragma once

#include "app/cli/terminal.h"

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace headlight {

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

} // namespace headlight
