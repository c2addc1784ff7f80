#include "engine/model/recurrent.h"

#include "engine/ops/additive_attention.h"
#include "engine/ops/gates.h"
#include "engine/ops/products.h"
#include "engine/ops/recurrent.h"
#include "engine/ops/softmax.h"

#include <optional>

namespace headlight {

Index gates_of(RecurrentKind kind) {
    return kind == RecurrentKind::rnn ? 1 : kind == RecurrentKind::lstm ? 4 : 3;
}

namespace {

constexpr const char* kind_names[] = {"rnn", "lstm", "gru"};

struct RecurrentNames {
    std::string w_ih, w_hh, b_ih, b_hh;
    RecurrentNames(const std::string& torch, Index number) {
        const std::string layer = "_l" + std::to_string(number);
        w_ih = torch + ".weight_ih" + layer, w_hh = torch + ".weight_hh" + layer;
        b_ih = torch + ".bias_ih" + layer, b_hh = torch + ".bias_hh" + layer;
    }
};

// Gates of one layer, out of what they share.
class Gates {
public:
    Gates(Builder& build, RecurrentLayer& layer, Node* u, Node* v, Index count)
        : build_(build), layer_(layer), u_(u), v_(v), count_(count) {}

    Node* make(const char* as, const char* letter, Squash squash, Node* reset = nullptr) {
        Node* gate = build_.value(
            as, recurrent_gate(u_, v_, squash, {Index(layer_.gates.size()), count_, letter}, reset),
            {.symbol = {std::string(letter) + "_t"}});
        layer_.gates.push_back(gate);
        return gate;
    }

private:
    Builder& build_;
    RecurrentLayer& layer_;
    Node *u_, *v_;
    Index count_;
};

} // namespace

void declare_recurrent_layer(Parameters& parameters, const std::string& torch, Index number,
                             RecurrentKind kind, Index in, Index hidden) {
    const RecurrentNames names(torch, number);
    const Index rows = gates_of(kind) * hidden;
    parameters.declare_matrix(names.w_ih, rows, in);
    parameters.declare_matrix(names.w_hh, rows, hidden);
    parameters.declare_vector(names.b_ih, rows);
    parameters.declare_vector(names.b_hh, rows);
}

Node* recurrent_layer(Node* x, Builder& build, const RecurrentLayerOptions& options) {
    Graph& graph = build.graph;
    const RecurrentNames names(options.torch, options.number);
    RecurrentLayer layer;
    layer.path = build.here();
    layer.tokens = options.tokens;
    const BoxTraits traits = unnamed_box(kind_names[std::size_t(options.kind)]);
    std::optional<Scope> box(std::in_place, graph, "recurrence", traits);
    Node* w_ih = build.weight("w_ih", names.w_ih, {.symbol = {"W_{ih}"}});
    Node* b_ih = build.weight("b_ih", names.b_ih, {.symbol = {"b_{ih}"}});
    Node* w_hh = build.weight("w_hh", names.w_hh, {.symbol = {"W_{hh}"}});
    Node* b_hh = build.weight("b_hh", names.b_hh, {.symbol = {"b_{hh}"}});
    const auto from_input = [&](Node* of) {
        return build.value("from_input", linear(of, w_ih, b_ih), {.symbol = {"u_t"}, .inputs = {"x_t"}});
    };
    Node* u = options.read ? nullptr : from_input(x); // of all steps at once

    const RecurrenceScope recurrence(graph);
    const auto before_of = [&](const char* as, Node* initial, const char* symbol) {
        return build.value(as, row_before(x, options.hidden, initial),
                           {.symbol = {symbol}, .is_named = false});
    };
    if (options.read) box.emplace(graph, "state_before", unnamed_box()); // what is read has boxes of its own
    Node* before = before_of("before", options.initial, "h_{t-1}");
    if (options.read) {
        box.reset();
        Node* read = options.read(before);
        box.emplace(graph, "recurrence", traits);
        u = from_input(read);
    }
    Node* v = build.value("from_state", linear(before, w_hh, b_hh), {.symbol = {"v_t"}});
    Gates gates(build, layer, u, v, gates_of(options.kind));
    Node* hidden = nullptr;
    switch (options.kind) {
    case RecurrentKind::rnn:
        hidden = build.value("hidden", recurrent_gate(u, v, Squash::tanh, {}), {.symbol = {"h_t"}});
        break;
    case RecurrentKind::lstm: {
        Node* cell_before = before_of("cell_before", nullptr, "c_{t-1}");
        Node* i = gates.make("input_gate", "i", Squash::sigmoid);
        Node* f = gates.make("forget_gate", "f", Squash::sigmoid);
        Node* g = gates.make("cell_candidate", "g", Squash::tanh);
        Node* o = gates.make("output_gate", "o", Squash::sigmoid);
        Node* cell = build.value("cell", cell_state(f, cell_before, i, g), {.symbol = {"c_t"}});
        graph.feed_back(cell_before, cell);
        hidden = build.value("hidden", shown_state(o, cell), {.symbol = {"h_t"}});
        layer.cell_before = cell_before, layer.cell = cell;
        break;
    }
    case RecurrentKind::gru: {
        Node* r = gates.make("reset_gate", "r", Squash::sigmoid);
        Node* z = gates.make("update_gate", "z", Squash::sigmoid);
        Node* n = gates.make("new", "n", Squash::tanh, r);
        hidden = build.value("hidden", updated_state(z, n, before), {.symbol = {"h_t"}});
        break;
    }
    }
    graph.feed_back(before, hidden);
    layer.from_input = u, layer.from_state = v, layer.before = before, layer.hidden = hidden;
    build.map.recurrent_layers.push_back(std::move(layer));
    return hidden;
}

void declare_additive_attention(Parameters& parameters, const std::string& torch, Index width, Index hidden) {
    parameters.declare_matrix(torch + ".query.weight", width, hidden);
    parameters.declare_matrix(torch + ".key.weight", width, hidden);
    parameters.declare_matrix(torch + ".energy.weight", 1, width);
}

AdditiveAttention begin_additive_attention(Node* memory, Node* mask, Builder& build, const std::string& scope,
                                           const std::string& torch) {
    const Scope within(build.graph, scope, {.family = "additive_attn"});
    AdditiveAttention attention{scope};
    attention.w_query = build.weight("w_a", torch + ".query.weight", {.symbol = {"W_a", "query"}});
    // Made once, before the first step: a box of their own.
    const Scope keys(build.graph, "keys", unnamed_box("additive_keys"));
    Node* w_key = build.weight("u_a", torch + ".key.weight", {.symbol = {"U_a", "key"}});
    attention.v =
        build.weight("v_a", torch + ".energy.weight", {.symbol = {"v"}}, {axis::single, axis::features});
    attention.keys =
        build.value("k", linear(memory, w_key, nullptr), {.symbol = {"K", "key"}, .inputs = {"H"}});
    attention.memory = memory, attention.mask = mask;
    return attention;
}

Node* attend(const AdditiveAttention& a, Node* states, Builder& build) {
    const Scope within(build.graph, a.scope, {.family = "additive_attn"});
    Node* q = build.value("q", linear(states, a.w_query, nullptr), {.symbol = {"Q", "query"}});
    Node* scores =
        build.value("scores", additive_scores(q, a.keys, a.v), {.symbol = {"E"}, .by_cells = true});
    Node* allowed = build.value("masked", masked(scores, a.mask),
                                {.symbol = {"\\hat{E}"}, .is_named = false, .spelled_out = true});
    Node* weights = build.value("weights", softmax(allowed), {.symbol = {"A"}});
    Node* context = build.value("context", matmul(weights, a.memory), {.symbol = {"C"}, .inputs = {"", "H"}});

    Attention& attention = build.map.attentions.emplace_back();
    attention.path = build.here();
    attention.q = q, attention.k = a.keys, attention.v = a.memory;
    attention.scores = scores, attention.mask = a.mask, attention.masked = allowed;
    attention.weights = weights, attention.mixed = attention.output = context;
    return context;
}

} // namespace headlight
