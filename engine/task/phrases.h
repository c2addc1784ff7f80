// Every sentence that a phrase grammar can say in one direction, and which of them are held out.
#pragma once

#include "engine/task/grammar.h"
#include "engine/task/task.h"

namespace headlight::grammar {

// The sentences of one phrase of the grammar, without their final period; none occurs twice in a PhraseBook.
struct SpokenPhrase {
    std::size_t line = 0; // in the grammar's file
    std::vector<SentencePair> training;
    std::vector<SentencePair> held_out;
};

struct SpokenBlock {
    std::string name;
    std::size_t share = 1;
    std::vector<SpokenPhrase> phrases;
};

// One in ten combinations of the words in held slots is held out, whole; which ones, a hash of the words
// decides, so the choice does not move when the grammar grows. A sentence that one phrase holds out is held
// out of all of them, except one that is written in full, without a slot: that one is always trained on.
// Errors: grammar_contradiction (a source, whatever its capitals, with two translations), grammar_too_large.
Result<std::vector<SpokenBlock>> speak(const Grammar& grammar, Direction direction);

} // namespace headlight::grammar
