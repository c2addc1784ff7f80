// Sentence pairs without end: what an everyday translation is trained on beside the phrasebook.
#pragma once

#include "engine/task/task.h"

namespace headlight {

class PairDrawing {
public:
    virtual ~PairDrawing() = default;
    // A pair, written as in the phrasebook: a capital letter, a final mark. It depends on `random` alone, and
    // any number of threads may draw at once.
    virtual SentencePair draw(Random& random) const = 0;
};

// Of the pairs that an everyday translation is trained on, those that are drawn; the others are the
// phrasebook's.
constexpr double drawn_share = 0.35;

} // namespace headlight
