#include "engine/model/plain_attention.h"

#include "engine/ops/elementwise.h"
#include "engine/ops/leaves.h"
#include "engine/ops/products.h"
#include "engine/ops/softmax.h"

#include <optional>
#include <utility>

namespace headlight {

PlainVectors rat_of_rome() {
    return {{"o", "rato", "roeu", "a", "roupa", "do", "rei", "de", "Roma"},
            {{0.2, 0.0},
             {0.5, 0.3},
             {0.2, 0.3},
             {0.1, 0.1},
             {-0.3, 0.2},
             {0.2, 0.1},
             {0.8, 0.5},
             {0.1, 0.3},
             {0.9, 0.5}}};
}

std::unique_ptr<PlainAttention> build_plain_attention(const PlainVectors& vectors,
                                                      PlainAttentionOptions options) {
    auto attention = std::make_unique<PlainAttention>();
    attention->words = vectors.words;
    Graph& graph = attention->graph;
    Parameters& parameters = attention->parameters;
    const Index n = Index(vectors.words.size()), d = n > 0 ? Index(vectors.numbers.front().size()) : 0;
    parameters.declare_matrix("x", n, d);
    for (const char* matrix : {"w_q", "w_k", "w_v"}) parameters.declare_matrix(matrix, d, d);
    parameters.allocate();
    Tensor x_numbers = attention->parameter("x");
    for (Index i = 0; i < n; ++i)
        for (Index c = 0; c < d; ++c)
            x_numbers(0, i, c) = Real(vectors.numbers[std::size_t(i)][std::size_t(c)]);
    for (const char* matrix : {"w_q", "w_k", "w_v"})
        for (Index c = 0; c < d; ++c) attention->parameter(matrix)(0, c, c) = 1;

    std::optional<Scope> scope(std::in_place, graph, "plain");
    Node* x = name("tokens", given(graph, parameters, "x"));
    x->axes.rows = axis::positions(*x); // its rows are the words
    x->symbol = {"X"};
    Node *q = x, *k = x, *v = x;
    if (options.projections) {
        const auto weight = [&](const char* matrix) {
            return name(matrix, given(graph, parameters, matrix));
        };
        Node *w_q = weight("w_q"), *w_k = weight("w_k"), *w_v = weight("w_v");
        q = name("q", matmul(x, w_q));
        k = name("k", matmul(x, w_k));
        v = name("v", matmul(x, w_v));
        q->symbol = {"Q", "query"}, w_q->symbol = {"W^Q", "query"};
        k->symbol = {"K", "key"}, w_k->symbol = {"W^K", "key"};
        v->symbol = {"V", "value"}, w_v->symbol = {"W^V", "value"};
    }
    Node* scores = name("scores", matmul_nt(q, k));
    scores->symbol = {"S"};
    if (options.scaled) {
        scores = name("scaled", divide(scores, square_root("d_k", d)));
        scores->symbol = {"S'"};
    }
    Node* weights = name("weights", softmax(scores));
    Node* y = name("output", matmul(weights, v));
    weights->symbol = {"A"};
    y->symbol = {"Y", "value"};
    scope.reset();
    graph.alias("x", x);
    graph.alias("y", y);
    for (const char* short_name : {"w_q", "w_k", "w_v", "q", "k", "v", "scores", "scaled", "weights"})
        if (const Node* node = graph.find(std::string("plain.") + short_name)) graph.alias(short_name, node);
    graph.forward();
    return attention;
}

} // namespace headlight
