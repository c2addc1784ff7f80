// What the changes do: the same sentence through the changed model and through the model as it is, and a
// second sentence to compare with and to take values from.
#pragma once

#include "app/session/changes.h"
#include "app/session/sentence.h"

#include <optional>
#include <string>
#include <vector>

namespace headlight {

struct Question;

// Before the changes, and after them.
struct Comparison {
    Sentence before; // what the model says as it is
    // The unchanged model, fed exactly what the changed one was fed: at the same path and cell stands the
    // number that the change made another. Valid until the session computes again.
    const Graph* baseline = nullptr;
    // Both models fed the words of `before`: how probable each finds the next of these words, and the loss.
    std::vector<double> probability_before, probability_after;
    double loss_before = 0, loss_after = 0;
};

// A pass computes a source with the words of a sentence, said or not.
void compute_with_words_of(const Sentence& words, const std::vector<TokenId>& source_ids, Model& pass);

class WhatIf {
public:
    // Computes the second sentence and puts the changes that are on into the model's graph; what is computed
    // next is the changed model. A change that this model or sentence cannot have is left out: see fault().
    // True when the weights in use become others than they were.
    bool prepare(LoadedModel& model, const std::vector<Change>& changes,
                 const std::optional<std::string>& second, const Waiting& waiting = {});
    // After the sentence was computed: the same without the changes.
    void compare(LoadedModel& model, const Question& question, const Sentence& changed,
                 const Waiting& waiting = {});

    // Null while no change is at work.
    const Comparison* comparison() const { return comparison_ ? &*comparison_ : nullptr; }
    // The second sentence as the unchanged model computes it, and its values; null when there is none.
    const Sentence* second() const { return second_ ? &*second_ : nullptr; }
    const Graph* second_graph() const { return second_graph_; }
    // Why a change of the list has no effect on this model or sentence; null when it has.
    const Error* fault(std::size_t change) const;

private:
    std::optional<Sentence> second_;
    const Graph* second_graph_ = nullptr;
    std::vector<std::optional<Error>> faults_; // by change
    std::vector<Edit> weight_edits_;           // of the last call of prepare
    std::optional<Comparison> comparison_;
};

} // namespace headlight
