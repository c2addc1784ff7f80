// Lessons from the terminal: whether they can be taken.
#include "app/cli/command.h"
#include "app/handout/handout.h"
#include "app/lessons/homework.h"
#include "app/lessons/lesson_check.h"

#include <CLI/CLI.hpp>

namespace headlight {

namespace {

std::string all_well(const Lesson& lesson, const Strings& strings) {
    std::size_t predictions = 0;
    for (const LessonCard& card : lesson.cards) predictions += card.predictions.size();
    return strings.text("teach.checked", {lesson.file.string(), std::to_string(lesson.cards.size()),
                                          std::to_string(predictions)});
}

class LessonCheckCommand final : public Command {
public:
    std::string_view name() const override { return "lesson check"; }
    void declare(CLI::App&, const Strings&) override {}
    std::vector<std::string>* words() override { return &files_; }

    int run(Terminal& terminal, const std::filesystem::path& assets) override {
        if (files_.empty()) return terminal.refuse({"error.lesson_no_file", {}});
        int status = succeeded;
        for (const std::string& file : files_) {
            const Result<Lesson> lesson = read_lesson_file(file);
            if (!lesson) {
                status = terminal.refuse(lesson.error());
                continue;
            }
            const std::vector<LessonFault> faults = check_lesson(*lesson, assets, terminal.strings());
            for (const LessonFault& fault : faults)
                terminal.print(fault_text(*lesson, fault, terminal.strings()));
            if (faults.empty()) terminal.print(all_well(*lesson, terminal.strings()));
            if (!faults.empty()) status = misused;
        }
        return status == succeeded ? terminal.end() : status;
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

class LessonAnswersCommand final : public Command {
public:
    std::string_view name() const override { return "lesson answers"; }
    void declare(CLI::App&, const Strings&) override {}
    std::vector<std::string>* words() override { return &files_; }

    int run(Terminal& terminal, const std::filesystem::path& assets) override {
        if (files_.empty()) return terminal.refuse({"error.homework_no_file", {}});
        const Strings& s = terminal.strings();
        int status = succeeded;
        terminal.print(s.text("homework.columns"));
        for (const std::string& file : files_) {
            const Result<std::vector<HomeworkRow>> rows = read_homework(file, assets, s);
            if (!rows) {
                status = terminal.refuse(rows.error());
                continue;
            }
            for (const HomeworkRow& row : *rows)
                terminal.print(file + "\t" + row.student + "\t" + row.lesson + "\t" + std::to_string(row.card)
                               + "\t" + row.question + "\t" + row.answer + "\t" + row.truth + "\t"
                               + s.text(verdicts[std::size_t(row.verdict)]));
        }
        return status == succeeded ? terminal.end() : status;
    }

private:
    static constexpr const char* verdicts[] = {"homework.right", "homework.wrong", "homework.shown",
                                               "homework.open"};
    std::vector<std::string> files_;
};

} // namespace

std::unique_ptr<Command> make_lesson_answers_command() { return std::make_unique<LessonAnswersCommand>(); }
std::unique_ptr<Command> make_lesson_handout_command() { return std::make_unique<LessonHandoutCommand>(); }
std::unique_ptr<Command> make_lesson_check_command() { return std::make_unique<LessonCheckCommand>(); }

} // namespace headlight
