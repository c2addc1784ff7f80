#pragma once

#include "engine/graph/graph.h"
#include "engine/model/parameters.h"

#include <array>
#include <memory>
#include <string>
#include <vector>

namespace headlight {

// Attention as a filing cabinet, small enough to be read: one note that says what is looked for, folders with
// a label (key) and what lies in them (value) (Alammar 2019, "The Illustrated GPT-2"). The operations are
// those of the Transformer: every number explains itself, and W_Q learns by the graph's own backward.

// What is chosen; the rest is computed.
struct CabinetNumbers {
    std::array<double, 2> note = {2, 1};      // the vector of the word that looks for something
    std::array<double, 4> w_q = {1, 0, 0, 1}; // which makes the query of it, row by row
    Index wanted = 0;                         // the folder that training shall find
    bool operator==(const CabinetNumbers&) const = default;
};

// Values: "cabinet.note" [1 × 2], "cabinet.w_q" [2 × 2], "cabinet.query" [1 × 2]; of four folders
// "cabinet.keys" [4 × 2], "cabinet.scores" and "cabinet.weights" [1 × 4], "cabinet.values" [4 × 3],
// "cabinet.output" [1 × 3]; the loss of the wanted folder, "cabinet.goal" and "cabinet.loss" [1 × 1].
struct FilingCabinet {
    std::vector<std::string> folders; // "robot", "a", "it", and "…" for all others
    std::string query_word;           // the word whose note it is
    Parameters parameters;
    Graph graph;

    double weight(Index folder) const;
};

constexpr Index wanted_folders = 3; // all but the others
constexpr double share_found = 0.8; // a folder is found that has so much of the attention

// Built and computed.
std::unique_ptr<FilingCabinet> build_filing_cabinet(const CabinetNumbers& numbers = {});

// So many steps of gradient descent of the loss, fewer where the wanted folder is found before: W_Q after
// them.
std::array<double, 4> trained(FilingCabinet& cabinet, Index steps);
bool has_found(const FilingCabinet& cabinet, Index wanted);

// Attention before anything is learned: Y = softmax(X Xᵀ) X on a few vectors small enough to draw (Bishop &
// Bishop 2023, §12.1.2), then with W_Q, W_K, W_V and ÷√d_k. The operations are those of the Transformer, so
// every number explains itself.

struct PlainAttentionOptions {
    bool projections = false; // Q = X W_Q, K = X W_K, V = X W_V; else all three are X
    bool scaled = false;      // scores ÷ √d_k
    bool operator==(const PlainAttentionOptions&) const = default;
};

// Words with a vector each.
struct PlainVectors {
    std::vector<std::string> words;
    std::vector<std::vector<double>> numbers; // one vector a word, all of the same length
    bool operator==(const PlainVectors&) const = default;
};

// O rato roeu a roupa do rei de Roma, in the plane.
PlainVectors rat_of_rome();

// Values: "plain.tokens" [n × d]; with projections "plain.w_q", "…w_k", "…w_v" [d × d] (the identity at
// first) and "plain.q", "…k", "…v" [n × d]; "plain.scores" [n × n]; "plain.scaled", when it is;
// "plain.weights" [n × n], "plain.output" [n × d]. Within their graph they are known as "x", "scores", …, "y"
// too.
struct PlainAttention {
    std::vector<std::string> words;
    Parameters parameters; // "x", "w_q", "w_k", "w_v": may be changed between passes
    Graph graph;

    Tensor parameter(const std::string& name) { return parameters.tensor(*parameters.find(name)); }
};

// Built and computed.
std::unique_ptr<PlainAttention> build_plain_attention(const PlainVectors& vectors,
                                                      PlainAttentionOptions options = {});

// Layer norm (Ba, Kiros & Hinton 2016) beside batch norm (Ioffe & Szegedy 2015) of the same numbers: vectors
// of a padded batch, before and after one more sentence came into it.

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
