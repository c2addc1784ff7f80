#include "engine/model/stack.h"

#include "engine/ops/gather.h"
#include "engine/ops/leaves.h"
#include "engine/ops/pointwise.h"
#include "engine/ops/products.h"
#include "engine/ops/softmax.h"

namespace headlight {

Stream& begin_stream(Builder& build, Stream stream) {
    Scope box(build.graph, "input", unnamed_box());
    stream.tokens = build.value("tokens", tokens(build.graph), {.symbol = {"t"}});
    stream.name = build.graph.box().enclosing(BoxLevel::stack)->name;
    return build.map.streams.emplace_back(std::move(stream));
}

Node* embed_words(Stream& stream, LayerContext& context, const std::string& table_name) {
    Builder& build = context.build;
    Node* table = build.weight("table", table_name, {.symbol = {"E"}},
                               {axis::vocabulary(*stream.tokens), axis::features});
    Node* x = build.value("tokens", gather(table, stream.tokens), {.symbol = {"X"}});
    stream.embeddings = x;
    if (context.config.scale_embeddings)
        x = build.value("scaled", multiply(x, square_root("d_model", context.config.d_model)),
                        {.symbol = {"\\tilde{X}"}, .is_named = false, .spelled_out = true});
    return x;
}

Node* learned_positions(Stream& stream, Builder& build, const std::string& table) {
    return first_rows(build.weight("position_table", table, {.symbol = {"P"}}), stream.tokens);
}

Node* add_positions(Node* x, Node* codes, Stream& stream, Builder& build, const std::string& as) {
    stream.positions = build.value("positions", codes, {.symbol = {"PE"}});
    return build.value(as, add(x, codes), {.symbol = {"X_0"}, .is_named = false});
}

Stream& begin_stream(Builder& build, const std::string& stack, Stream stream) {
    Scope scope(build.graph, stack, stack_box());
    return begin_stream(build, std::move(stream));
}

Node* goal_tokens(Builder& build, const std::string& stack) {
    Scope scope(build.graph, stack, stack_box());
    return build.value("goal", tokens(build.graph), {.symbol = {"y"}});
}

Node* embed(Stream& stream, LayerContext& context, const std::string& table,
            const std::string& position_table) {
    Builder& build = context.build;
    Scope scope(build.graph, "embed");
    Node* x = embed_words(stream, context, table);
    switch (context.config.positional_encoding) {
    case PositionalEncoding::sinusoidal:
        x = add_positions(x, sinusoidal_positions(stream.tokens, context.config.d_model), stream, build);
        break;
    case PositionalEncoding::learned:
        x = add_positions(x, learned_positions(stream, build, position_table), stream, build);
        break;
    case PositionalEncoding::none:
        build.graph.alias("output", x);
        break;
    }
    stream.embedded = x;
    if (context.dropout > 0) x = name("dropout", dropout(x, context.dropout));
    return x;
}

Node* mask(const std::string& as, Stream& queries, Stream& keys, bool causal, LayerContext& context) {
    return mask(as, queries, keys, causal, context.config.pad_id, context.build);
}

Node* mask(const std::string& as, Stream& queries, Stream& keys, bool causal, TokenId padding,
           Builder& build) {
    Scope box(build.graph, "mask", unnamed_box());
    Node* made =
        build.value(as, attention_mask(queries.tokens, keys.tokens, padding, causal), {.symbol = {"M"}});
    if (&queries == &keys) queries.mask = made, queries.is_causal = causal;
    return made;
}

Node* layer(Node* x, Index number, const Stream& stream, Builder& build,
            const std::function<Node*(Node*)>& make) {
    Scope scope(build.graph, std::to_string(number), layer_box(number));
    Node* y = make(x);
    build.map.layers.push_back({build.here(), stream.tokens, x, y});
    return y;
}

Node* end_stream(Node* x, Stream& stream, LayerContext& context, const std::string& torch_name) {
    if (context.config.final_norm) {
        Scope box(context.build.graph, "output", unnamed_box("norm"));
        x = context.build.value("output", norm(x, "norm", context, torch_name),
                                {.symbol = {"M"}, .is_named = false, .inputs = {"x"}});
    } else {
        context.build.graph.alias("output", x);
    }
    stream.output = x;
    return x;
}

namespace {

// Logits over what stands along `said`, and all that follows from them; in the scope of the output.
void say(Node* x, const Axis& said, Output::Meaning meaning, Builder& build, const std::string& weight,
         const std::string& bias, const WordsOptions& options) {
    Node* w = build.weight("w", weight, {.symbol = {"W"}}, {said, axis::features});
    Node* b = build.weight_if_any("b", bias, {.symbol = {"b"}}, {axis::single, said});
    Output& output = build.map.output;
    output.meaning = meaning;
    output.tokens = said.tokens;
    output.goal = options.goal;
    const bool is_tied = w->name != "w"; // rows of a table that was read before: x Eᵀ
    output.values =
        build.value("logits", linear(x, w, b), {.symbol = {"Z"}, .inputs = {"X", is_tied ? "E^T" : ""}});
    if (options.probabilities) {
        output.probabilities =
            build.value("probabilities", softmax(output.values), {.symbol = {"p"}, .by_cells = true});
        output.chosen = build.value("chosen", argmax(output.probabilities), {.symbol = {"\\hat{y}"}});
    }
    if (options.goal)
        output.loss = build.value(
            "loss", cross_entropy(output.values, options.goal, options.pad_id, options.label_smoothing),
            {.symbol = {"L"}});
}

} // namespace

Node* self_attending_stack(Stream& stream, bool causal, Index layers, LayerContext& context,
                           const StackNames& names) {
    Builder& build = context.build;
    Scope scope(build.graph, stream.name, stack_box());
    Node* x = embed(stream, context, names.side + "_embedding.weight", names.side + "_positions.weight");
    Node* allowed = mask(causal ? "self_mask" : "mask", stream, stream, causal, context);
    for (Index i = 0; i < layers; ++i)
        x = layer(x, i, stream, build, [&](Node* in) {
            return encoder_layer(in, allowed, context, names.torch + ".layers." + std::to_string(i));
        });
    return end_stream(x, stream, context, names.torch + ".norm");
}

void say_words(Node* x, const Stream& stream, Builder& build, const std::string& weight,
               const std::string& bias, const WordsOptions& options) {
    Scope scope(build.graph, "output", stack_box());
    say(x, axis::vocabulary(*stream.tokens), Output::Meaning::words, build, weight, bias, options);
}

void say_a_word_each(Node* x, Builder& build, const std::string& weight, const std::string& bias,
                     const WordsOptions& options) {
    Scope scope(build.graph, "output", stack_box());
    say(x, axis::words_said, Output::Meaning::words, build, weight, bias, options);
}

void say_classes(Node* x, Builder& build, const std::string& weight, const std::string& bias,
                 WordsOptions options) {
    options.pad_id = -1; // every sequence is in a class
    say(x, axis::classes, Output::Meaning::classes, build, weight, bias, options);
}

void say_class(Node* x, const Stream& stream, Builder& build, const std::string& weight,
               const std::string& bias, const WordsOptions& options) {
    Scope scope(build.graph, "output", stack_box());
    Node* mean = build.value("pooled", mean_of_words(x, stream.tokens, options.pad_id),
                             {.symbol = {"\\bar{x}"}, .inputs = {"X"}});
    say_classes(mean, build, weight, bias, options);
}

} // namespace headlight
