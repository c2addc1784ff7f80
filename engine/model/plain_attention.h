// Attention before anything is learned: Y = softmax(X Xᵀ) X on a few vectors small enough to draw (Bishop &
// Bishop 2023, §12.1.2), then with W_Q, W_K, W_V and ÷√d_k. The operations are those of the Transformer, so
// every number explains itself.
#pragma once

#include "engine/graph/graph.h"
#include "engine/model/parameters.h"

#include <memory>
#include <string>
#include <vector>

namespace headlight {

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

// Values: "plain.tokens" [n × d]; with projections "plain.w_q", "…w_k", "…w_v" [d × d] (the identity at first)
// and "plain.q", "…k", "…v" [n × d]; "plain.scores" [n × n]; "plain.scaled", when it is; "plain.weights"
// [n × n], "plain.output" [n × d]. Within their graph they are known as "x", "scores", …, "y" too.
struct PlainAttention {
    std::vector<std::string> words;
    Parameters parameters; // "x", "w_q", "w_k", "w_v": may be changed between passes
    Graph graph;

    Tensor parameter(const std::string& name) { return parameters.tensor(*parameters.find(name)); }
};

// Built and computed.
std::unique_ptr<PlainAttention> build_plain_attention(const PlainVectors& vectors,
                                                      PlainAttentionOptions options = {});

} // namespace headlight
