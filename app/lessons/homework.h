// What somebody has answered in a lesson, in lines of a saved session:
//
//   homework lesson NAME|FILE     the lesson, without its cards' setups: the session has set all up
//   homework by NAME              who answers, where somebody has said so
//   homework card N               where they are
//   homework answer CARD PREDICTION ANSWER TRUTH
//                                 a number, or the place of a choice from 1, or a column from 1; or "shown",
//                                 where it was uncovered without an answer. TRUTH: what the model said then,
//                                 or "later", where a training is still to tell whether a choice is right
#pragma once

#include "app/session/strings.h"
#include "engine/base/result.h"

#include <filesystem>
#include <string>
#include <vector>

namespace headlight {

// One prediction of the lesson in a session.
struct HomeworkRow {
    enum class Verdict { right, wrong, shown, open };

    std::string student, lesson;
    std::size_t card = 0;                // from 1
    std::string question, answer, truth; // what the model says now
    Verdict verdict = Verdict::open;
};

// Every prediction of the lesson, asked anew of the live model. Errors: no session, or none with a lesson
// (error.homework_none); its lesson is not there, nor beside the session (error.homework_lesson).
Result<std::vector<HomeworkRow>> read_homework(const std::filesystem::path& session,
                                               const std::filesystem::path& assets, const Strings& strings);

} // namespace headlight
