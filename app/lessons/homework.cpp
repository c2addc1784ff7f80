#include "app/lessons/homework.h"

#include "app/lessons/player.h"
#include "app/session/files.h"
#include "app/session/value_names.h"
#include "engine/inspect/numbers.h"
#include "engine/io/file.h"
#include "engine/text/words.h"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace headlight {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view shown = "shown", to_come = "later", of_lesson = "homework lesson ";

// What was answered, and what was true then, as they stand in the line.
std::string answer_of(const LessonPrediction& p, const LessonAnswer& a) {
    const auto line = [&](const std::string& answer, const std::string& truth) {
        return (a.given ? answer : std::string(shown)) + " " + truth;
    };
    switch (p.kind) {
    case LessonPrediction::Kind::number:
        return line(exactly(a.number), exactly(a.truth));
    case LessonPrediction::Kind::cell:
        return line(std::to_string(a.column + 1), std::to_string(a.right_column + 1));
    case LessonPrediction::Kind::choice:
        return line(std::to_string(a.choice + 1), std::to_string(a.right_choice + 1));
    }
    return {};
}

std::string on_one_line(std::string text) {
    std::replace_if(
        text.begin(), text.end(), [](char c) { return c == '\t' || c == '\n' || c == '\r'; }, ' ');
    return std::string(trim(text));
}

std::string question_of(const LessonPrediction& p) {
    std::string question;
    for (const LessonBlock& block : p.question) question += plain_text(block.text) + " ";
    return on_one_line(std::move(question));
}

std::string label_of(const LessonPrediction& p, Index column, const Session& session) {
    const Node* node = session.find(p.cell.path);
    const std::vector<std::string> labels =
        node ? axis_labels(session, *node, false) : std::vector<std::string>();
    return column >= 0 && std::size_t(column) < labels.size() ? labels[std::size_t(column)]
                                                              : std::to_string(column + 1);
}

// The row's answer as a person reads it, what the live model says to it, and which of the two was right.
void judge(HomeworkRow& row, const LessonPrediction& p, const LessonAnswer* a, const Session& session) {
    const bool given = a && a->given;
    bool is_right = a && a->is_right; // as it was, where the model no longer tells
    constexpr int decimals = 3;
    switch (p.kind) {
    case LessonPrediction::Kind::number:
        if (given) row.answer = exactly(a->number);
        if (const Result<double> truth = number_asked(p, session)) {
            row.truth = number_text(*truth, decimals);
            is_right = given && is_near(p, a->number, *truth);
        }
        break;
    case LessonPrediction::Kind::cell:
        if (given) row.answer = label_of(p, a->column, session);
        if (const Result<LargestCell> largest = largest_cell(p, session)) {
            row.truth = label_of(p, largest->column, session);
            is_right = given && a->column == largest->column;
        }
        break;
    case LessonPrediction::Kind::choice:
        if (given) row.answer = plain_text(p.choices[a->choice].text);
        if (const Result<std::size_t> right = right_choice(p, session)) {
            row.truth = plain_text(p.choices[*right].text);
            is_right = given && a->choice == *right;
        }
        break;
    }
    using Verdict = HomeworkRow::Verdict;
    row.verdict = !a ? Verdict::open : !given ? Verdict::shown : is_right ? Verdict::right : Verdict::wrong;
    row.answer = on_one_line(row.answer);
    row.truth = on_one_line(row.truth);
}

// A shipped lesson's name, a file that is there, or one of that name beside the session.
Result<std::string> lesson_beside(const std::string& named, const fs::path& session,
                                  const LessonPlayer& player) {
    for (const LessonEntry& entry : player.lessons())
        if (entry.name == named) return named;
    std::error_code none;
    const std::string path = file_of_argument(named);
    const fs::path beside = session.parent_path() / fs::path(path).filename();
    for (const fs::path& file : {fs::path(path), beside})
        if (fs::is_regular_file(file, none)) return file_argument(file);
    return Error{"error.homework_lesson", {session.string(), path, beside.string()}};
}

} // namespace

// --- in the window ---------------------------------------------------------------------------------------

std::vector<std::string> LessonPlayer::homework() const {
    const std::string name = lesson_name(lesson_->file);
    const bool is_listed = is_shipped_
                           && std::any_of(lessons_.begin(), lessons_.end(),
                                          [&](const LessonEntry& entry) { return entry.name == name; });
    std::error_code none;
    std::vector<std::string> lines;
    lines.push_back(std::string(of_lesson)
                    + (is_listed ? name : file_argument(fs::absolute(lesson_->file, none))));
    if (!student_.empty()) lines.push_back("homework by " + student_);
    lines.push_back("homework card " + std::to_string(card_ + 1));
    for (const auto& [place, answer] : answers_) {
        const auto& [card, prediction] = place;
        if (card >= lesson_->cards.size() || prediction >= lesson_->cards[card].predictions.size()) continue;
        lines.push_back("homework answer " + std::to_string(card + 1) + " " + std::to_string(prediction + 1)
                        + " " + answer_of(lesson_->cards[card].predictions[prediction], answer));
    }
    for (const auto& [place, choice] : kept_)
        lines.push_back("homework answer " + std::to_string(place.first + 1) + " "
                        + std::to_string(place.second + 1) + " " + std::to_string(choice + 1) + " "
                        + std::string(to_come));
    return lines;
}

// What a session was saved with is there again; one whose lesson is no longer there is opened without it.
Result<Done> LessonPlayer::open_homework(const std::string& name) {
    list_lessons();
    fs::path file = name;
    for (const LessonEntry& entry : lessons_)
        if (entry.name == name) file = entry.file;
    lesson_.reset();
    answers_.clear();
    kept_.clear();
    votes_ = {};
    trouble_.clear();
    student_.clear();
    shows_welcome_ = false;
    Result<Lesson> lesson = read_lesson_file(file);
    if (lesson && !lesson->cards.empty())
        take(*std::move(lesson));
    else
        session_.tell("homework.no_lesson", {shown_name(file.filename().string())});
    card_ = 0;
    cover();
    return Done{};
}

Result<Done> LessonPlayer::take_answer(const Arguments& in) {
    const std::size_t card = std::size_t(in.whole("CARD")) - 1,
                      prediction = std::size_t(in.whole("PREDICTION")) - 1;
    if (card >= lesson_->cards.size() || prediction >= lesson_->cards[card].predictions.size())
        return Done{}; // the lesson was another then
    const LessonPrediction& p = lesson_->cards[card].predictions[prediction];
    LessonAnswer answer;
    answer.given = in.text("ANSWER") != shown;
    const Result<double> truth = number_of(in.text("TRUTH")), entered = number_of(in.text("ANSWER"));
    if (answer.given && !entered) return entered.error();
    if (p.kind == LessonPrediction::Kind::number) {
        answer.number = answer.given ? *entered : NAN;
        answer.truth = truth ? *truth : NAN;
        answer.is_right = answer.given && is_near(p, answer.number, answer.truth);
    } else {
        // Places from 1; what is none of those that there are is an answer to another lesson.
        const double most = p.kind == LessonPrediction::Kind::choice ? double(p.choices.size()) : 1e6;
        const auto is_place = [&](const Result<double>& place) {
            return place && *place >= 1 && *place <= most && *place == std::floor(*place);
        };
        if (in.text("TRUTH") == to_come && p.kind == LessonPrediction::Kind::choice && is_place(entered)) {
            kept_[{card, prediction}] = std::size_t(*entered) - 1;
            cover();
            return Done{};
        }
        if (!is_place(truth) || (answer.given && !is_place(entered))) return Done{};
        const Index right = Index(*truth) - 1, chosen = answer.given ? Index(*entered) - 1 : -1;
        answer.right_column = right;
        answer.column = chosen;
        answer.right_choice = std::size_t(right);
        answer.choice = answer.given ? std::size_t(chosen) : p.choices.size();
        answer.is_right = chosen == right;
    }
    answers_[{card, prediction}] = answer;
    cover();
    find_out();
    return Done{};
}

void LessonPlayer::add_homework_commands() {
    using namespace argument;
    const auto add = [this](std::vector<Argument> arguments, auto run) {
        session_.commands().add("homework", std::move(arguments), std::move(run)).replayable = true;
    };
    add({"lesson", file("NAME")}, [this](const Arguments& in) { return open_homework(in.text("NAME")); });
    add({"by", text("NAME")}, [this](const Arguments& in) {
        student_ = in.text("NAME");
        cover();
    });
    // Without its lesson there is nothing that they could belong to.
    add({"card", whole("N", 1, 1e6)}, [this](const Arguments& in) {
        if (!lesson_) return;
        card_ = std::min(std::size_t(in.whole("N")) - 1, lesson_->cards.size() - 1);
        cover();
    });
    add({"answer", whole("CARD", 1, 1e6), whole("PREDICTION", 1, 1e6), word("ANSWER"), word("TRUTH")},
        [this](const Arguments& in) { return lesson_ ? take_answer(in) : Result<Done>(Done{}); });
}

// --- in the terminal -------------------------------------------------------------------------------------

Result<std::vector<HomeworkRow>> read_homework(const fs::path& file, const fs::path& assets,
                                               const Strings& strings) {
    const Result<std::string> text = read_file(file, longest_session);
    if (!text) return text.error();
    Session session(assets, strings);
    LessonPlayer player(session);
    std::istringstream all(*text);
    std::string line;
    for (int number = 1; std::getline(all, line); ++number) {
        std::string command(trim(line));
        if (!command.starts_with("homework ")) continue;
        if (command.starts_with(of_lesson)) {
            const Result<std::string> lesson = lesson_beside(command.substr(of_lesson.size()), file, player);
            if (!lesson) return lesson.error();
            command = std::string(of_lesson) + *lesson;
        }
        if (const Result<Done> done = session.execute(command); !done)
            return Error{"error.script_line",
                         {file.string(), std::to_string(number), strings.text(done.error())}};
    }
    if (!player.is_open()) return Error{"error.homework_none", {file.string()}};
    std::vector<HomeworkRow> rows;
    const Lesson& lesson = player.lesson();
    for (std::size_t card = 0; card < lesson.cards.size(); ++card) {
        const LessonCard& here = lesson.cards[card];
        if (here.predictions.empty()) continue;
        (void)run_setup(session, here, lesson.file); // what then cannot be asked has no truth
        for (std::size_t i = 0; i < here.predictions.size(); ++i) {
            HomeworkRow row;
            row.student = on_one_line(player.student());
            row.lesson = lesson_name(lesson.file);
            row.card = card + 1;
            row.question = question_of(here.predictions[i]);
            judge(row, here.predictions[i], player.answer(card, i), session);
            if (const auto kept = player.kept_choice(card, i))
                row.answer = on_one_line(plain_text(here.predictions[i].choices[*kept].text));
            rows.push_back(std::move(row));
        }
    }
    return rows;
}

} // namespace headlight
