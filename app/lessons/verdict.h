// What is said of an answer: whether it was right, and what would have been.
#pragma once

#include "app/lessons/player.h"

#include <string>

namespace headlight {

struct Verdict {
    enum class How { right, wrong, told }; // told: uncovered without an answer, neither right nor wrong

    How how = How::told;
    std::string text; // in the language of the session
    NamedCell where;  // where the number comes from
};

// Of a number or a cell; of choices each says for itself what is right.
Verdict verdict_of(const LessonPrediction& prediction, const LessonAnswer& answer, const Session& session);

// A word of the row that is asked about, in quotes.
std::string label_of_column(const LessonPrediction& prediction, Index column, const Session& session);

} // namespace headlight
