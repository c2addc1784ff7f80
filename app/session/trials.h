// What is tried on many sentences of which the right answer is known: it goes on by itself, a few at a time.
#pragma once

#include "engine/base/result.h"
#include "engine/decode/writing.h"

#include <filesystem>
#include <string>
#include <vector>

namespace headlight {

struct LoadedModel;

enum class TrialKind {
    wider_is_worse,  // sentences that a narrow beam gets right and a wider one does not
    spread_of_errors // what wrong words do to those after them
};

// A sentence that a beam of `narrow` says rightly, and one of `wide` does not.
struct WiderIsWorse {
    std::string source, right, wrong;
    Index narrow = 1, wide = 2;
};

struct Trials {
    TrialKind kind = TrialKind::wider_is_worse;
    double length_penalty = 1;
    bool is_hasty = false;
    std::vector<std::pair<std::string, std::string>> sentences; // with their right answers
    std::size_t done = 0;
    std::vector<WiderIsWorse> found;
    Index right_narrow = 0, right_wide = 0; // of those done: a width of 1, of the widest
    SpreadOfErrors spread;

    bool is_over() const { return done == sentences.size(); }
};

// Sentences of the task that the model was trained on, which were held out of its training. Error: it does
// not say which task that was.
Result<std::vector<std::pair<std::string, std::string>>>
held_out_sentences(const LoadedModel& model, const std::filesystem::path& assets);

// Goes on for about so many seconds, without the changes that are made.
void advance_for(Trials& trials, double seconds, LoadedModel& model);

} // namespace headlight
