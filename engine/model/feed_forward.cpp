#include "engine/model/feed_forward.h"

#include "engine/ops/elementwise.h"
#include "engine/ops/gate.h"
#include "engine/ops/products.h"

namespace headlight {

Node* feed_forward(Node* x, Builder& build, const std::string& layer, Activation activation) {
    return feed_forward(x, build, layer + ".linear1", layer + ".linear2",
                        activation == Activation::relu ? relu : gelu);
}

Node* feed_forward(Node* x, Builder& build, const std::string& first, const std::string& second,
                   Activate activate) {
    Scope scope(build.graph, "ffn");
    Node* w_1 = build.weight("w_1", first + ".weight", {.symbol = {"W_1"}});
    Node* b_1 = build.weight("b_1", first + ".bias", {.symbol = {"b_1"}});
    Node* hidden = build.value("hidden", linear(x, w_1, b_1), {.symbol = {"H"}, .inputs = {"X"}});
    Node* activated =
        build.value("activated", activate(hidden), {.symbol = {"G"}, .is_named = false, .spelled_out = true});
    Node* w_2 = build.weight("w_2", second + ".weight", {.symbol = {"W_2"}});
    Node* b_2 = build.weight("b_2", second + ".bias", {.symbol = {"b_2"}});
    Node* output = build.value("output", linear(activated, w_2, b_2), {.symbol = {"F"}, .is_named = false});
    build.map.feed_forwards.push_back({hidden, activated, output});
    return output;
}

Node* gated_feed_forward(Node* x, Builder& build, const GatedNames& names, Activate activate) {
    Scope scope(build.graph, "ffn");
    const auto times = [&](Node* from, const std::string& name, const std::string& part,
                           const std::string& letter) {
        Node* w = build.weight("w_" + part, name + ".weight", {.symbol = {"W_" + letter}});
        Node* b = build.weight_if_any("b_" + part, name + ".bias", {.symbol = {"b_" + letter}});
        return linear(from, w, b);
    };
    Node* hidden = build.value("gate", times(x, names.gate, "gate", "g"), {.symbol = {"H"}, .inputs = {"X"}});
    build.graph.alias("hidden", hidden);
    Node* up = build.value("up", times(x, names.up, "up", "u"), {.symbol = {"U"}, .inputs = {"X"}});
    Node* activated =
        build.value("activated", activate(hidden), {.symbol = {"G"}, .is_named = false, .spelled_out = true});
    Node* product = build.value("product", gate(activated, up),
                                {.symbol = {"P"}, .is_named = false, .spelled_out = true});
    Node* output =
        build.value("output", times(product, names.down, "down", "d"), {.symbol = {"F"}, .is_named = false});
    build.map.feed_forwards.push_back({hidden, activated, output, up, product});
    return output;
}

} // namespace headlight
