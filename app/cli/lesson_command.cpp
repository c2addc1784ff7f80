// Lessons from the terminal: whether they can be taken.
#include "app/cli/arguments.h"
#include "app/cli/command.h"
#include "app/handout/handout.h"
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

class LessonHandoutCommand final : public Command {
public:
    std::string_view name() const override { return "lesson handout"; }

    void declare(CLI::App& app, const Strings& strings) override {
        app.add_option("--out", out_, strings.text("cli.lesson.handout.out"))->type_name("FILE.html");
    }
    std::vector<std::string>* words() override { return &files_; }

    int run(Terminal& terminal, const std::filesystem::path& assets) override {
        ArgumentReader reader;
        reader.require("--out", out_);
        if (reader.error()) return terminal.refuse(*reader.error());
        if (files_.size() != 1) return terminal.refuse({"error.lesson_no_file", {}});
        if (!out_->ends_with(".html")) return terminal.refuse({"error.handout_html", {*out_}});
        Session session(assets, terminal.strings());
        const Result<Done> written = write_handout(session, files_.front(), *out_);
        return written ? terminal.end() : terminal.refuse(written.error());
    }

private:
    std::vector<std::string> files_;
    Typed out_;
};

} // namespace

std::unique_ptr<Command> make_lesson_handout_command() { return std::make_unique<LessonHandoutCommand>(); }
std::unique_ptr<Command> make_lesson_check_command() { return std::make_unique<LessonCheckCommand>(); }

} // namespace headlight
