#include "engine/model/feed_forward.h"

#include "engine/ops/elementwise.h"
#include "engine/ops/products.h"

namespace headlight {

Node* feed_forward(Node* x, Builder& build, const std::string& layer, Activation activation) {
    Scope scope(build.graph, "ffn");
    Node* w_1 = build.weight("w_1", layer + ".linear1.weight", {.symbol = {"W_1"}});
    Node* b_1 = build.weight("b_1", layer + ".linear1.bias", {.symbol = {"b_1"}});
    Node* hidden = build.value("hidden", linear(x, w_1, b_1), {.symbol = {"H"}, .inputs = {"X"}});
    Node* activated = build.value("activated", activation == Activation::relu ? relu(hidden) : gelu(hidden),
                                  {.symbol = {"G"}, .is_named = false, .spelled_out = true});
    Node* w_2 = build.weight("w_2", layer + ".linear2.weight", {.symbol = {"W_2"}});
    Node* b_2 = build.weight("b_2", layer + ".linear2.bias", {.symbol = {"b_2"}});
    Node* output = build.value("output", linear(activated, w_2, b_2), {.symbol = {"F"}, .is_named = false});
    build.map.feed_forwards.push_back({hidden, activated, output});
    return output;
}

} // namespace headlight
