// Lessons from the terminal: whether they can be taken.
#include "app/cli/command.h"
#include "app/lessons/lesson_check.h"

#include <CLI/CLI.hpp>

namespace headlight {

namespace {

class LessonCheckCommand final : public Command {
public:
    std::string_view name() const override { return "lesson check"; }
    void declare(CLI::App&, const Strings&) override {}
    std::vector<std::string>* words() override { return &files_; }

    int run(Terminal& terminal, const std::filesystem::path& assets) override {
        if (files_.empty()) return terminal.refuse({"error.lesson_no_file", {}});
        bool faulty = false;
        for (const std::string& file : files_) {
            const Result<Lesson> lesson = read_lesson_file(file);
            if (!lesson) return terminal.refuse(lesson.error());
            for (const LessonFault& fault : check_lesson(*lesson, assets, terminal.strings())) {
                terminal.print(fault_text(*lesson, fault, terminal.strings()));
                faulty = true;
            }
        }
        return faulty ? misused : terminal.end();
    }

private:
    std::vector<std::string> files_;
};

} // namespace

std::unique_ptr<Command> make_lesson_check_command() { return std::make_unique<LessonCheckCommand>(); }

} // namespace headlight
