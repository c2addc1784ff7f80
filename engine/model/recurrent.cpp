#include "engine/model/recurrent.h"
#include "engine/base/check.h"
#include "engine/model/stack.h"
#include "engine/ops/pointwise.h"
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

namespace {

RecurrentKind kind_of(Architecture architecture) {
    return architecture == Architecture::rnn    ? RecurrentKind::rnn
           : architecture == Architecture::lstm ? RecurrentKind::lstm
                                                : RecurrentKind::gru;
}

class RecurrentModel {
public:
    RecurrentModel(const ModelConfig& config, Parameters& parameters, const TransformerOptions& options)
        : config_(config),
          options_(options),
          build_{model_->graph, model_->map, parameters, options.gradients} {}
    RecurrentModel(const RecurrentModel&) = delete; // the context refers to its neighbours
    RecurrentModel& operator=(const RecurrentModel&) = delete;

    std::unique_ptr<Model> one_stack() {
        Stream& stream = begin_stream(build_, "rnn", written(0));
        Node* goal = options_.loss ? goal_tokens(build_, "rnn") : nullptr;
        Node* x = nullptr;
        {
            Scope scope(build_.graph, "rnn", stack_box());
            x = stack(embedded(stream, "target_embedding.weight"), stream, "rnn");
        }
        return said(x, stream, goal);
    }

    std::unique_ptr<Model> two_stacks() {
        Stream& source = begin_stream(build_, "encoder",
                                      {.vocabulary_size = config_.source_vocab_size,
                                       .vocabulary = 0,
                                       .max_length = config_.max_length,
                                       .after = {config_.eos_id}});
        {
            Scope scope(build_.graph, "encoder", stack_box());
            stack(embedded(source, "source_embedding.weight"), source, "encoder");
            keep_finals(source);
        }
        Stream& target = begin_stream(build_, "decoder", written(1));
        Node* goal = options_.loss ? goal_tokens(build_, "decoder") : nullptr;
        Node* x = nullptr;
        {
            Scope scope(build_.graph, "decoder", stack_box());
            x = embedded(target, "target_embedding.weight");
            x = config_.architecture == Architecture::rnn_attention ? attend_and_write(x, target, source)
                                                                    : stack(x, target, "decoder");
        }
        return said(x, target, goal);
    }

private:
    Stream written(Index vocabulary) const {
        return {.vocabulary_size = config_.target_vocab_size,
                .vocabulary = vocabulary,
                .max_length = config_.max_length,
                .is_written = true,
                .before = {config_.bos_id},
                .ends = {config_.eos_id}};
    }
    Node* dropped(Node* x, const char* as) {
        return context_.dropout > 0 ? name(as, dropout(x, context_.dropout)) : x;
    }
    Node* embedded(Stream& stream, const std::string& table) {
        Scope scope(build_.graph, "embed");
        Node* x = embed_words(stream, context_, table);
        build_.graph.alias("output", x);
        stream.embedded = x;
        return dropped(x, "dropout");
    }

    RecurrentLayerOptions options_of(Index number, const Stream& stream, const std::string& torch) const {
        return {.kind = kind_of(config_.architecture),
                .torch = torch,
                .number = number,
                .hidden = config_.d_model,
                .tokens = stream.tokens};
    }
    // Layers over one another; they begin with what those of the encoder ended with, when there is one.
    Node* stack(Node* x, Stream& stream, const std::string& torch) {
        for (Index i = 0; i < config_.decoder_layers; ++i)
            x = layer(x, i, stream, build_, [&](Node* in) {
                RecurrentLayerOptions options = options_of(i, stream, torch);
                if (!finals_.empty()) options.initial = finals_[std::size_t(i)];
                return recurrent_layer(i > 0 ? dropped(in, "dropout") : in, build_, options);
            });
        return end(x, stream);
    }
    Node* end(Node* x, Stream& stream) {
        build_.graph.alias("output", x);
        stream.output = x;
        return x;
    }
    // The last layer's is known as "final".
    void keep_finals(const Stream& stream) {
        Scope box(build_.graph, "final_state", unnamed_box());
        const std::vector<RecurrentLayer>& layers = build_.map.recurrent_layers;
        for (const RecurrentLayer& layer : layers) {
            const bool is_last = &layer == &layers.back();
            Node* hidden = build_.graph.find(layer.hidden->path);
            finals_.push_back(build_.value(is_last ? "final" : "final_" + std::to_string(finals_.size()),
                                           last_word(hidden, stream.tokens, config_.pad_id),
                                           {.symbol = {"h_n"}, .is_named = false}, "final"));
        }
    }

    Node* attend_and_write(Node* x, Stream& target, Stream& source) {
        Node* allowed = mask("cross_mask", target, source, false, context_);
        Node* memory = build_.graph.find(source.output->path);
        x = layer(x, 0, target, build_, [&](Node* in) {
            const AdditiveAttention attention =
                begin_additive_attention(memory, allowed, build_, "additive_attn", "attention");
            RecurrentLayerOptions options = options_of(0, target, "decoder");
            options.initial = finals_.back();
            options.read = [&](Node* before) {
                Node* context = attend(attention, before, build_);
                Scope box(build_.graph, "recurrence", unnamed_box()); // the layer's own
                return build_.value("input", side_by_side(in, context),
                                    {.symbol = {"x_t"}, .is_named = false});
            };
            return recurrent_layer(in, build_, options);
        });
        return end(x, target);
    }

    std::unique_ptr<Model> said(Node* x, const Stream& stream, Node* goal) {
        say_words(x, stream, build_, "generator.weight", "generator.bias",
                  {options_.probabilities, goal, config_.pad_id, options_.label_smoothing});
        return std::move(model_);
    }

    const ModelConfig config_;
    const TransformerOptions options_;
    std::unique_ptr<Model> model_ = std::make_unique<Model>();
    Builder build_;
    LayerContext context_{build_, config_, options_.dropout ? config_.dropout : 0};
    std::vector<Node*> finals_; // of the encoder's layers
};

} // namespace

std::unique_ptr<Model> build_recurrent_model(const ModelConfig& config, Parameters& parameters,
                                             const TransformerOptions& options) {
    RecurrentModel model(config, parameters, options);
    return config.has_encoder() ? model.two_stacks() : model.one_stack();
}

Parameters list_recurrent_parameters(const ModelConfig& config) {
    const Index d = config.d_model;
    const bool attends = config.architecture == Architecture::rnn_attention;
    HEADLIGHT_CHECK(d > 0 && config.decoder_layers > 0 && config.target_vocab_size > 0,
                    "sizes of a recurrent network must be positive");
    HEADLIGHT_CHECK(!attends || config.decoder_layers == 1, "attention is of one recurrent layer");
    Parameters parameters;
    if (config.has_encoder())
        parameters.declare_matrix("source_embedding.weight", config.source_vocab_size, d);
    parameters.declare_matrix("target_embedding.weight", config.target_vocab_size, d);
    const auto stack = [&](const std::string& torch, Index read) {
        for (Index i = 0; i < config.decoder_layers; ++i)
            declare_recurrent_layer(parameters, torch, i, kind_of(config.architecture), i == 0 ? read : d, d);
    };
    if (config.has_encoder()) {
        stack("encoder", d);
        stack("decoder", attends ? 2 * d : d);
        if (attends) declare_additive_attention(parameters, "attention", d, d);
    } else {
        stack("rnn", d);
    }
    parameters.declare_matrix("generator.weight", config.target_vocab_size, d);
    parameters.declare_vector("generator.bias", config.target_vocab_size);
    return parameters;
}

} // namespace headlight
