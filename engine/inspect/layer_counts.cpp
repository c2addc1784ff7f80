#include "engine/inspect/layer_counts.h"

#include "engine/ops/elementwise.h"
#include "engine/ops/leaves.h"
#include "engine/ops/products.h"

#include <string>

namespace headlight {

std::unique_ptr<LayerCounts> build_layer_counts(const LayerSize& size) {
    auto counts = std::make_unique<LayerCounts>();
    counts->size = size;
    Graph& graph = counts->graph;
    Parameters& parameters = counts->parameters;
    parameters.declare_matrix("length", 1, 1);
    parameters.declare_matrix("width", 1, 1);
    parameters.allocate();
    parameters.tensor (*parameters.find("length"))(0, 0, 0) = Real(size.length);
    parameters.tensor (*parameters.find("width"))(0, 0, 0) = Real(size.d_model);

    const Scope scope(graph, "costs");
    const auto called = [](const char* path, const char* letter, Node* node) {
        name(path, node)->symbol = {letter};
        return node;
    };
    const auto times = [](Node* x, int factor) {
        const std::string number = std::to_string(factor);
        return multiply(x, {double(factor), number, number});
    };
    Node* n = called("length", "N", given(graph, parameters, "length"));
    Node* d = called("width", "d", given(graph, parameters, "width"));
    Node* square = called("square", "d^2", matmul(d, d));
    Node* projection = called("projection", "N d^2", matmul(n, square));
    Node* pairs = called("pairs", "N^2", matmul(n, n));
    Node* products = called("products", "N^2 d", matmul(pairs, d));
    Node* projections = called("projections", "P", times(projection, 4)); // Q, K, V and the output
    Node* mixing = called("mixing", "M", times(products, 2));             // scores, and blends of values
    called("attention", "A", add(projections, mixing));
    called("feed_forward", "F", times(projection, 8)); // d → 4d → d
    called("rnn", "R", times(projection, 2));          // of what comes and of what was
    called("lstm", "L", times(projection, 8));         // the same for four gates
    called("gru", "G", times(projection, 6));          // for three
    graph.forward();
    return counts;
}

} // namespace headlight
