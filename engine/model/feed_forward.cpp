#include "engine/model/feed_forward.h"

#include "engine/ops/elementwise.h"
#include "engine/ops/products.h"

namespace headlight {

Node* feed_forward(Node* x, Weights& weights, const std::string& layer, Activation activation) {
    Scope scope(weights.graph, "ffn");
    Node* w_1 = weights.get("w_1", layer + ".linear1.weight");
    Node* b_1 = weights.get("b_1", layer + ".linear1.bias");
    Node* hidden = name("hidden", linear(x, w_1, b_1));
    Node* activated = name("activated", activation == Activation::relu ? relu(hidden) : gelu(hidden));
    Node* w_2 = weights.get("w_2", layer + ".linear2.weight");
    Node* b_2 = weights.get("b_2", layer + ".linear2.bias");
    return name("output", linear(activated, w_2, b_2));
}

} // namespace headlight
