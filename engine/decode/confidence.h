// How far an answer can be trusted: learnt from held-out sentences, whose right answers are known, of how
// probable the words of an answer were that turned out right, or wrong.
#pragma once

#include "engine/decode/writing.h"

#include <span>
#include <vector>

namespace headlight {

// What an answer tells of itself: natural logarithms of the probabilities of its words, their mean and the
// least.
struct Evidence {
    double mean = 0, least = 0;
};
Evidence evidence_of(std::span<const SaidWord> said);

struct JudgedAnswer {
    Evidence evidence;
    bool is_right = false;
};

// Logistic regression: σ(bias + of_mean · mean + of_least · least), Platt's scaling (1999) with two scores.
struct Confidence {
    double bias = 0, of_mean = 0, of_least = 0;

    double probability_right(const Evidence& evidence) const;
};
// The most probable one, by Newton's method, with a little shrinkage, so that answers all right or all wrong
// have one too. Of no answers: one half, whatever the evidence.
Confidence fit_confidence(std::span<const JudgedAnswer> answers);

// Of those answers whose predicted probability lies from `from` to `to`: how many, what was predicted in the
// mean, and how many were right.
struct ReliabilityBin {
    double from = 0, to = 1, predicted = 0;
    Index answers = 0, right = 0;
};
// Only bins with answers.
std::vector<ReliabilityBin> reliability(const Confidence& confidence, std::span<const JudgedAnswer> answers,
                                        int bins = 10);

} // namespace headlight
