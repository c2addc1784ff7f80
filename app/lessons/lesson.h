// A lesson as its author wrote it: cards of prose, links to values, a state that is set up, predictions, and
// what is to be found out. Markdown; the format stands in assets/lessons/write-your-own.en.md.
#pragma once

#include "app/lessons/expectation.h"
#include "app/session/command.h"
#include "engine/base/result.h"
#include "engine/graph/graph.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace headlight {

constexpr Index longest_lesson = 1 << 20; // bytes

// A run of text in one look. A formula or code stands alone in its span.
struct LessonSpan {
    enum class Kind { words, formula, code };
    enum class Link { none, value, cell, command };

    std::string text;
    Kind kind = Kind::words;
    bool strong = false, emphasis = false;
    Link link = Link::none;
    std::string target; // of a link: "PATH", "PATH HEAD ROW COLUMN", "COMMAND"
    int line = 0;       // in the file, from 1

    bool operator==(const LessonSpan&) const = default;
};
using LessonText = std::vector<LessonSpan>;

struct LessonBlock {
    enum class Kind { paragraph, heading, item, code, table_row, prediction };

    Kind kind = Kind::paragraph;
    LessonText text;               // of all but table rows and predictions
    std::vector<LessonText> cells; // of a table's row
    std::size_t prediction = 0;    // which of the card's
};

// The path, and where in its value; row or column −1: not said.
struct LessonCell {
    std::string path;
    Cell cell;
};

struct LessonChoice {
    LessonText text;
    LessonText reason;                   // told to whoever chose it; may be empty
    bool is_right = false;               // [x]
    std::optional<Expectation> right_if; // or this is asked of the model; with both, [x] is what to expect
    int line = 0;
};

struct LessonPrediction {
    enum class Kind { number, cell, choice };

    Kind kind = Kind::choice;
    LessonCell cell;              // number: the cell; cell: its row, column −1
    std::optional<double> within; // number: how far off counts as right
    std::vector<LessonBlock> question;
    std::vector<LessonChoice> choices;
    bool covered = false;            // choice: the room's picture is covered until it is answered
    std::vector<std::string> covers; // or these values are
    int line = 0;
};

struct LessonLine {
    std::string text;
    int line = 0;
};

// Lines of the file, from 1; the end is none of them.
struct LineRange {
    int begin = 0, end = 0;
};

struct LessonCard {
    std::string title;
    int line = 0;
    int behind_heading = 0;              // the line
    std::vector<LineRange> setup_blocks; // with the lines that open and close them
    std::vector<LessonBlock> blocks;     // in the order of reading
    std::vector<LessonLine> setup;       // commands
    bool has_setup = false;
    std::vector<LessonPrediction> predictions;
    std::vector<Expectation> done;  // all of them hold: the card is done
    std::vector<LessonBlock> aside; // for the teacher
};

// What is wrong with a line of the file; the error's first argument is what it is about.
struct LessonFault {
    int line = 0;
    Error error;
};

struct Lesson {
    std::filesystem::path file;
    std::string title;
    std::vector<LessonCard> cards;
    std::vector<LessonFault> faults; // what was left out, because it could not be read
};

// Never fails: what cannot be read is left out and told as a fault.
Lesson read_lesson(std::string_view markdown);
// Error: the file cannot be read.
Result<Lesson> read_lesson_file(const std::filesystem::path& file);

// The card's setup as a session's file, one command a line; data that lies beside the lesson is found there.
std::string setup_of(const LessonCard& card, const std::filesystem::path& lesson);
// Whether a line may stand in a setup: what a session file may hold, but for a lesson within the lesson.
Result<Done> check_setup_line(const CommandRegistry& commands, std::string_view line);
Result<Done> run_setup(Session& session, const LessonCard& card, const std::filesystem::path& lesson);
// Whether a link may send that line, which anybody may have written: it is a command, and nothing that writes
// or opens files, deletes, waits or plays a hand (CommandForm::of_person).
Result<FittingForm> fit_of_link(const CommandRegistry& commands, std::string_view line);

std::string plain_text(const LessonText& text); // without links and formulas' notation

} // namespace headlight
