// How a model forgets: what of a sentence's beginning still counts at its end, step by step in time.
//
// Two measures, both from one pass of the real model. ‖∂L/∂h_t‖, with L = −ln p(answer): how much the answer
// would move with what was known after step t; where it dies away between a fact and its question, training
// cannot reach the fact (Bengio, Simard & Frasconi 1994, §III; Hochreiter & Schmidhuber 1997, §3.1). And
// |h_t(A) − h_t(B)|, cell by cell, for two sentences that differ in the fact alone: what a cell holds of the
// fact after step t, and when it was overwritten.
#pragma once

#include "engine/model/transformer.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace headlight {

// What is asked: words without special tokens, and the one word that answers them.
struct MemoryQuestion {
    std::vector<TokenId> words;
    TokenId answer = 0;
};

// The rows of a value, one for each token that is read.
struct RowNorms {
    std::string path;          // of the value: "rnn.0.hidden", "decoder.embed.output"
    std::vector<double> norms; // ‖∂L/∂row‖
};

struct Forgetting {
    std::vector<TokenId> read; // as fed: <s> or </s> among them
    double loss = 0;           // −ln p(answer), nats
    double probability = 0;    // of the answer
    bool is_right = false;     // it is the most probable word
    // Of what carries the sentence on: a recurrent network's h and, of an LSTM, c (what passes by in c does
    // not pass through h); of a Transformer the embedded words, all of which its attention reads.
    std::vector<RowNorms> gradients;
};

// The stream that is read up to the answer; null in a model that has none. Its layer in time: the last one;
// null in a Transformer.
const Stream* memory_stream(const ModelMap& map);
const RecurrentLayer* memory_layer(const ModelMap& map);
// Whether the words have room in the model.
bool has_room(const ModelMap& map, std::span<const TokenId> words);

// The model must have a loss. Its values are those of this question afterwards, and its gradients too.
Forgetting forgetting_of(Model& model, const MemoryQuestion& question, TokenId pad_id);

// A cell that held something of the fact.
struct Overwriting {
    Index cell = 0;
    double most = 0;  // the largest difference after any step between the fact and the end
    Index at = 0;     // the step where that was
    Index lost = -1;  // the first step after which it never again had half of that; −1: it kept it
    double gate = -1; // the share that stays at `lost`: LSTM f, GRU z; −1: there is no such gate
};

struct HeldFact {
    std::string path; // of what is compared: c of an LSTM, else h
    Index steps = 0, cells = 0;
    std::vector<TokenId> read;              // of the first sentence
    std::vector<double> difference;         // |value(A) − value(B)| [steps × cells]
    std::vector<double> total;              // ‖value(A) − value(B)‖ after each step
    std::vector<Overwriting> cells_by_most; // the cells that held most first
    double at(Index step, Index cell) const { return difference[std::size_t(step * cells + cell)]; }
};

// Nothing of a model without a recurrent layer, or when the sentences are not of one length. Its values are
// those of the first sentence afterwards.
std::optional<HeldFact> held_fact(Model& model, const MemoryQuestion& fact, const MemoryQuestion& other,
                                  TokenId pad_id);

} // namespace headlight
