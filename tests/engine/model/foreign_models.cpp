#include "tests/engine/model/foreign_models.h"

#include "engine/model/layers.h"
#include "engine/model/stack.h"
#include "engine/model/transformer.h"
#include "engine/ops/leaves.h"
#include "engine/ops/products.h"
#include "engine/ops/softmax.h"
#include "engine/tensor/random.h"

namespace headlight::test {

namespace {

constexpr Index words = 9, classes = 3;

ModelConfig sizes() {
    ModelConfig config;
    config.d_model = 8;
    config.num_heads = 4;
    config.d_ff = 6;
    config.max_length = 10;
    return config;
}

const Stream fed{.vocabulary_size = words, .max_length = 10, .after = {2}};
const Stream written{
    .vocabulary_size = words, .max_length = 10, .is_written = true, .before = {1}, .ends = {2}};

// --- weights
// ------------------------------------------------------------------------------------------------

void linear_weights(Parameters& p, const std::string& path, Index out, Index in) {
    p.declare_matrix(path + ".weight", out, in);
    p.declare_vector(path + ".bias", out);
}

void attention_weights(Parameters& p, const std::string& path) {
    const Index d = sizes().d_model;
    p.declare_matrix(path + ".in_proj_weight", 3 * d, d);
    p.declare_vector(path + ".in_proj_bias", 3 * d);
    linear_weights(p, path + ".out_proj", d, d);
}

// As many attentions as named, a feed-forward network, and their norms.
void layer_weights(Parameters& p, const std::string& path, const std::vector<std::string>& attentions) {
    const ModelConfig config = sizes();
    for (const std::string& attention : attentions) attention_weights(p, path + "." + attention);
    linear_weights(p, path + ".linear1", config.d_ff, config.d_model);
    linear_weights(p, path + ".linear2", config.d_model, config.d_ff);
    for (std::size_t i = 0; i <= attentions.size(); ++i)
        for (const char* part : {".weight", ".bias"})
            p.declare_vector(path + ".norm" + std::to_string(i + 1) + part, config.d_model);
}

// --- building
// -----------------------------------------------------------------------------------------------

struct Construction {
    std::unique_ptr<Model> model = std::make_unique<Model>();
    ModelConfig config = sizes();
    Builder build;
    LayerContext context{build, config, 0};

    explicit Construction(Parameters& parameters) : build{model->graph, model->map, parameters} {}

    Stream& begin(const std::string& stack, Stream stream, Index vocabulary = 0) {
        Scope scope(build.graph, stack, stack_box());
        stream.vocabulary = vocabulary;
        return begin_stream(build, stream);
    }
    Node* attend(Node* x, Node* keys, Node* allowed, const std::string& name, const std::string& torch_name) {
        Scope scope(build.graph, name, {.family = "attn"});
        return multi_head_attention(x, keys, allowed, build, {4, 4, 2},
                                    torch_attention_weights(build, torch_name, config.d_model));
    }
    Node* network(Node* x, const std::string& torch_name) {
        return feed_forward(x, build, torch_name, Activation::gelu);
    }
    Node* encode(Stream& stream, const std::string& stack, Index layers) {
        Scope scope(build.graph, stack, stack_box());
        Node* x = embed(stream, context, stack + ".embedding", "");
        Node* padding = mask("mask", stream, stream, false, context);
        for (Index i = 0; i < layers; ++i)
            x = layer(x, i, stream, build, [&](Node* in) {
                return encoder_layer(in, padding, context, stack + "." + std::to_string(i));
            });
        return end_stream(x, stream, context, "");
    }
    Node* goal() {
        Scope scope(build.graph, "wanted", stack_box());
        return build.value("goal", tokens(build.graph), {.symbol = {"y"}});
    }
    void say(Node* x, const Stream& stream) {
        say_words(x, stream, build, "output.weight", "output.bias", {.goal = goal()});
    }
};

std::unique_ptr<Model> encoder_with_classes(Parameters& parameters) {
    Construction c(parameters);
    Node* x = c.encode(c.begin("reader", fed), "reader", 2);
    Node* wanted = c.goal();
    Scope scope(c.build.graph, "sorter", stack_box());
    Node* w = c.build.weight("w", "output.weight", {.symbol = {"W"}}, {axis::classes, axis::features});
    Node* b = c.build.weight("b", "output.bias", {.symbol = {"b"}}, {axis::single, axis::classes});
    Output& output = c.model->map.output;
    output.meaning = Output::Meaning::classes;
    output.values = c.build.value("logits", linear(x, w, b), {.symbol = {"Z"}, .inputs = {"X"}});
    output.probabilities = c.build.value("probabilities", softmax(output.values), {.symbol = {"p"}});
    output.goal = wanted;
    output.loss = c.build.value("loss", cross_entropy(output.values, wanted, -1, 0), {.symbol = {"L"}});
    return std::move(c.model);
}

std::unique_ptr<Model> decoder_only(Parameters& parameters) {
    Construction c(parameters);
    Stream& stream = c.begin("writer", written);
    Node* x = nullptr;
    {
        Scope scope(c.build.graph, "writer", stack_box());
        x = embed(stream, c.context, "writer.embedding", "");
        Node* ahead = mask("causal", stream, stream, true, c.context);
        for (Index i = 0; i < 2; ++i)
            x = layer(x, i, stream, c.build, [&](Node* in) {
                return encoder_layer(in, ahead, c.context, "writer." + std::to_string(i));
            });
        x = end_stream(x, stream, c.context, "");
    }
    c.say(x, stream);
    return std::move(c.model);
}

std::unique_ptr<Model> three_streams(Parameters& parameters) {
    Construction c(parameters);
    Stream &left = c.begin("left", fed), &right = c.begin("right", fed);
    Node *from_left = c.encode(left, "left", 1), *from_right = c.encode(right, "right", 2);
    Stream& stream = c.begin("writer", written, 1);
    Node* x = nullptr;
    {
        Scope scope(c.build.graph, "writer", stack_box());
        x = embed(stream, c.context, "writer.embedding", "");
        Node* ahead = mask("ahead", stream, stream, true, c.context);
        Node* of_left = mask("of_left", stream, left, false, c.context);
        Node* of_right = mask("of_right", stream, right, false, c.context);
        const auto attention = [&](const std::string& name, Node* keys, Node* allowed) {
            return [&c, name, keys, allowed](Node* in) {
                return c.attend(in, keys ? keys : in, allowed, name, "writer.0." + name);
            };
        };
        x = layer(x, 0, stream, c.build, [&](Node* in) {
            in = sublayer(in, 1, c.context, "writer.0", attention("itself", nullptr, ahead));
            in = sublayer(in, 2, c.context, "writer.0", attention("to_left", from_left, of_left));
            in = sublayer(in, 3, c.context, "writer.0", attention("to_right", from_right, of_right));
            return sublayer(in, 4, c.context, "writer.0", [&](Node* y) { return c.network(y, "writer.0"); });
        });
        x = end_stream(x, stream, c.context, "");
    }
    c.say(x, stream);
    return std::move(c.model);
}

// Four heads read two heads of keys and values; nobody is forbidden anything.
std::unique_ptr<Model> shared_keys(Parameters& parameters) {
    Construction c(parameters);
    Stream& stream = c.begin("writer", written);
    Node* x = nullptr;
    {
        Scope scope(c.build.graph, "writer", stack_box());
        x = embed(stream, c.context, "writer.embedding", "");
        x = layer(x, 0, stream, c.build, [&](Node* in) {
            return sublayer(in, 1, c.context, "writer.0", [&](Node* y) {
                Scope attention(c.build.graph, "grouped", {.family = "attn"});
                const auto weight = [&](const char* as) {
                    return c.build.weight(as, std::string("g.") + as);
                };
                const AttentionWeights weights{weight("w_q"), weight("b_q"), weight("w_k"), weight("b_k"),
                                               weight("w_v"), weight("b_v"), weight("w_o"), weight("b_o")};
                return multi_head_attention(y, y, nullptr, c.build, {4, 2, 2}, weights);
            });
        });
        x = end_stream(x, stream, c.context, "");
    }
    c.say(x, stream);
    return std::move(c.model);
}

std::unique_ptr<Model> no_attention(Parameters& parameters) {
    Construction c(parameters);
    Stream& stream = c.begin("words", written);
    Node* x = nullptr;
    {
        Scope scope(c.build.graph, "words", stack_box());
        x = embed(stream, c.context, "words.embedding", "");
        for (Index i = 0; i < 2; ++i)
            x = layer(x, i, stream, c.build,
                      [&](Node* in) { return c.network(in, "words." + std::to_string(i)); });
        x = end_stream(x, stream, c.context, "");
    }
    c.say(x, stream);
    return std::move(c.model);
}

// Our own of one stack.
ModelConfig one_stack(Architecture architecture, Head head) {
    ModelConfig config = sizes();
    config.architecture = architecture;
    config.head = head;
    config.labels = {"bad", "fair", "good"};
    config.encoder_layers = config.decoder_layers = 2;
    config.source_vocab_size = config.target_vocab_size = words;
    return settled(config);
}

ForeignModel one_stack_model(const std::string& name, Architecture architecture, Head head) {
    const ModelConfig config = one_stack(architecture, head);
    return {name, [config](Parameters& p) { p = list_parameters(config); },
            [config](Parameters& p) { return build_transformer(config, p, {.loss = true}); }};
}

ForeignModel recurrent_model(const std::string& name, Architecture architecture, Index layers) {
    ModelConfig config = sizes();
    config.architecture = architecture;
    config.decoder_layers = layers;
    config.source_vocab_size = config.target_vocab_size = words;
    config = settled(config);
    return {name, [config](Parameters& p) { p = list_parameters(config); },
            [config](Parameters& p) { return build_transformer(config, p, {.loss = true}); }};
}

// y = x w + b, in no scope at all.
std::unique_ptr<Model> neuron(Parameters& parameters) {
    Construction c(parameters);
    Node *x = c.build.weight("x", "x"), *w = c.build.weight("w", "w"), *b = c.build.weight("b", "b");
    c.model->map.output.values = c.build.value("y", linear(x, w, b), {.symbol = {"y"}});
    return std::move(c.model);
}

void declare_stack(Parameters& p, const std::string& stack, Index layers,
                   const std::vector<std::string>& attn) {
    p.declare_matrix(stack + ".embedding", words, sizes().d_model);
    for (Index i = 0; i < layers; ++i) layer_weights(p, stack + "." + std::to_string(i), attn);
}

} // namespace

const std::vector<ForeignModel>& foreign_models() {
    static const Index d = sizes().d_model;
    static const std::vector<ForeignModel> all = {
        {"encoder only, with classes",
         [](Parameters& p) {
             declare_stack(p, "reader", 2, {"self_attn"});
             linear_weights(p, "output", classes, d);
         },
         encoder_with_classes},
        {"decoder only",
         [](Parameters& p) {
             declare_stack(p, "writer", 2, {"self_attn"});
             linear_weights(p, "output", words, d);
         },
         decoder_only},
        {"three streams",
         [](Parameters& p) {
             declare_stack(p, "left", 1, {"self_attn"});
             declare_stack(p, "right", 2, {"self_attn"});
             declare_stack(p, "writer", 1, {"itself", "to_left", "to_right"});
             linear_weights(p, "output", words, d);
         },
         three_streams},
        {"heads that share keys",
         [](Parameters& p) {
             p.declare_matrix("writer.embedding", words, d);
             for (const char* part : {".weight", ".bias"})
                 p.declare_vector(std::string("writer.0.norm1") + part, d);
             const std::pair<const char*, Index> projections[] = {
                 {"q", d}, {"k", d / 2}, {"v", d / 2}, {"o", d}};
             for (const auto& [name, out] : projections) {
                 p.declare_matrix(std::string("g.w_") + name, out, d);
                 p.declare_vector(std::string("g.b_") + name, out);
             }
             linear_weights(p, "output", words, d);
         },
         shared_keys},
        {"no attention",
         [](Parameters& p) {
             declare_stack(p, "words", 2, {});
             linear_weights(p, "output", words, d);
         },
         no_attention},
        one_stack_model("a word for each word", Architecture::encoder_only, Head::tokens),
        one_stack_model("one class for all words", Architecture::encoder_only, Head::classes),
        one_stack_model("the next word", Architecture::decoder_only, Head::tokens),
        recurrent_model("Elman's network", Architecture::rnn, 1),
        recurrent_model("two layers of LSTM", Architecture::lstm, 2),
        recurrent_model("a GRU", Architecture::gru, 1),
        recurrent_model("two GRUs and a vector between", Architecture::rnn_fixed, 2),
        recurrent_model("two GRUs with additive attention", Architecture::rnn_attention, 1),
        {"a linear neuron",
         [](Parameters& p) {
             p.declare_matrix("x", 4, 3);
             p.declare_matrix("w", 1, 3);
             p.declare_vector("b", 1);
         },
         neuron},
    };
    return all;
}

namespace {

void compute(Model& model) {
    Random random(11);
    Index length = 3;
    Index last = 0;
    for (const Stream& stream : model.map.streams) {
        std::vector<TokenId> ids;
        for (Index i = 0; i < length; ++i) ids.push_back(TokenId(3 + random.below(words - 3)));
        feed(stream.tokens, ids, 1, length);
        last = length++; // each another
    }
    if (Node* goal = model.map.output.goal) {
        const bool is_one = model.map.output.values->axes.rows.kind == Axis::Kind::single; // for all words
        std::vector<TokenId> ids;
        for (Index i = 0; i < (is_one ? 1 : last); ++i)
            ids.push_back(TokenId(i % (classes - 1) + 1)); // none is padding
        feed(goal, ids, 1, Index(ids.size()));
    }
    model.graph.forward();
    if (model.map.output.loss) model.graph.backward(model.map.output.loss);
}

} // namespace

ComputedForeignModel::ComputedForeignModel(const ForeignModel& chosen) : foreign(chosen) {
    chosen.declare(parameters);
    parameters.allocate();
    Random random(7);
    for (Index i = 0; i < parameters.count(); ++i) parameters.data()[i] = Real(0.5 * random.normal());
    model = chosen.build(parameters);
    compute(*model);
}

std::unique_ptr<Model> ComputedForeignModel::another_pass() {
    std::unique_ptr<Model> pass = foreign.build(parameters);
    compute(*pass);
    return pass;
}

} // namespace headlight::test
