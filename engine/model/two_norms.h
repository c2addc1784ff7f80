// Layer norm (Ba, Kiros & Hinton 2016) beside batch norm (Ioffe & Szegedy 2015) of the same numbers: vectors
// of a padded batch, before and after one more sentence came into it.
#pragma once

#include "engine/graph/graph.h"
#include "engine/model/parameters.h"

#include <memory>
#include <vector>

namespace headlight {

// Sentences one under another, each padded to the longest: [samples · length × width], row-major.
struct PaddedVectors {
    Index samples = 0, length = 0, width = 0;
    std::vector<Real> numbers;

    Index rows() const { return samples * length; }
};

// Values: "norms.input", "norms.layer", "norms.batch" [samples · length × width], both with γ = 1 and β = 0
// ("norms.gamma", "norms.beta" [1 × width]); "norms.longer.…" the same with the sentence that came last; and
// "norms.change.input", "…layer", "…batch": of the sentences before it, what it changed. A batch stands here
// as rows of one matrix, which is all that either norm knows of it.
struct TwoNorms {
    Parameters parameters;
    Graph graph;
    Index samples = 0, length = 0;        // without the last sentence
    Index longer_samples = 0, longer = 0; // with it
    const Node *tokens = nullptr, *longer_tokens = nullptr,
               *change_rows = nullptr; // whose positions rows are
};

// Built and computed. `with` has the sentences of `without` and one more, and is at least as long.
std::unique_ptr<TwoNorms> build_two_norms(const PaddedVectors& without, const PaddedVectors& with,
                                          double epsilon);

} // namespace headlight
