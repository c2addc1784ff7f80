// What a lesson asks of the model, yes or no:
//
//   expect PATH HEAD ROW COLUMN VALUE TOLERANCE    the number is that, within the tolerance
//   larger PATH HEAD ROW COLUMN PATH HEAD ROW COLUMN    the first number is larger than the second
//   said "WORD"       the model says this word
//   changed PATH      a what-if edits this value
//   asked PATH        a number of this value is held, or was on the way to the one that is held
//   diverged          gradient descent on its page has left the bowl
//   learnt MODEL DISTANCE    in the race that is looked at it reached an accuracy of at least 90 %
//   failed MODEL DISTANCE    it reached less than 50 %
//   recalls MODEL     it answers the sentence that the room of memory asks
//   forgets MODEL     it answers it wrongly
//   fades MODEL TIMES    so many times smaller is the gradient at the fact than that at the last word
//   reached tokens|exact SHARE FROM TO    in the run that is looked at this share of words, or of whole
//                     held-out sentences, came out right for the first time at a step of FROM … TO − 1
//   strayed           a word was said that was not the most probable one in its place
#pragma once

#include "engine/base/result.h"
#include "engine/graph/graph.h"

#include <span>
#include <string>
#include <string_view>

namespace headlight {

class Session;

struct Expectation {
    enum class Kind {
        expect,
        larger,
        said,
        changed,
        asked,
        learnt,
        failed,
        recalls,
        forgets,
        fades,
        reached,
        strayed,
        diverged
    };

    Kind kind = Kind::expect;
    std::string path, other_path; // the second: of `larger`
    Cell cell, other_cell;
    double value = 0, tolerance = 0; // value: also the distance, or how many times
    double from = 0, to = 0;         // steps
    std::string word;                // or the racer, or the curve
    std::string text;                // as it was written
    int line = 0;
};

// How each is written, "said \"WORD\"": its name comes first.
std::span<const std::string_view> expectation_forms();
// Error: error.lesson_expectation {the text, its forms}, error.lesson_expectation_near {the text, which name
// was meant}, error.decimal_comma.
Result<Expectation> read_expectation(std::string_view text);

// Error: a value or a cell that is not there (error.no_such_value, error.no_such_cell); nobody called so has
// run (error.race_not_run); no run has come so far (error.lesson_not_yet).
Result<bool> holds(const Expectation& expectation, const Session& session);

// Whether the model says the word: a whole word of its output, whatever the case of its first letter and the
// punctuation beside it; of a model that writes letters, the letters joined.
bool says(const Session& session, std::string_view word);

} // namespace headlight
