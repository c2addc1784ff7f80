#include "engine/base/lasting.h"
#include "engine/model/families/families.h"
#include "engine/model/layers.h"
#include "engine/ops/gather.h"
#include "engine/ops/pointwise.h"
#include "engine/ops/products.h"

namespace headlight {

namespace {

constexpr const char *word_table = "embeddings.word_embeddings.weight",
                     *position_rows = "embeddings.position_embeddings.weight",
                     *type_rows = "embeddings.token_type_embeddings.weight",
                     *embedding_norm = "embeddings.LayerNorm";

class Bert final : public Family {
public:
    explicit Bert(const BertConfig& config) : c(config) {}

    ModelConfig shared_config() const override {
        ModelConfig config;
        config.d_model = c.d_model;
        config.num_heads = c.heads;
        config.encoder_layers = c.layers;
        config.decoder_layers = 0;
        config.d_ff = c.d_ff;
        config.activation = Activation::gelu;
        config.layer_norm_eps = c.layer_norm_eps;
        config.positional_encoding = PositionalEncoding::learned;
        config.scale_embeddings = false;
        config.dropout = 0;
        config.max_length = c.positions;
        config.source_vocab_size = config.target_vocab_size = c.vocabulary;
        config.pad_id = c.pad;
        config.bos_id = c.before.empty() ? no_padding : c.before.front();
        config.eos_id = c.after.empty() ? no_padding : c.after.front();
        config.unk_id = no_padding;
        return config;
    }

    Parameters list_parameters() const override {
        Parameters p;
        p.declare_matrix(word_table, c.vocabulary, c.d_model);
        p.declare_matrix(position_rows, c.positions, c.d_model);
        if (c.types > 0) p.declare_matrix(type_rows, c.types, c.d_model);
        declare_layer_norm(p, embedding_norm, c.d_model);
        for (Index i = 0; i < c.layers; ++i) {
            const std::string layer = layer_name(i);
            for (const std::string* part : {&c.names.q, &c.names.k, &c.names.v, &c.names.o})
                declare_linear_layer(p, layer + *part, c.d_model, c.d_model);
            declare_layer_norm(p, layer + c.names.attention_norm, c.d_model);
            declare_linear_layer(p, layer + c.names.first, c.d_ff, c.d_model);
            declare_linear_layer(p, layer + c.names.second, c.d_model, c.d_ff);
            declare_layer_norm(p, layer + c.names.output_norm, c.d_model);
        }
        if (c.says == BertConfig::Says::classes) {
            declare_linear_layer(p, c.names.pooler, c.d_model, c.d_model);
            declare_linear_layer(p, c.names.classifier, Index(c.labels.size()), c.d_model);
        }
        if (c.says == BertConfig::Says::words) {
            declare_linear_layer(p, c.names.transform, c.d_model, c.d_model);
            declare_layer_norm(p, c.names.transform_norm, c.d_model);
            p.declare_vector(c.names.bias, c.vocabulary);
            if (!c.tied) p.declare_matrix(c.names.decoder + ".weight", c.vocabulary, c.d_model);
        }
        return p;
    }

    FileLayout file_layout() const override {
        FileLayout layout{.prefix = c.names.prefix,
                          .of_heads = {"cls.", "classifier.", "pre_classifier.", "vocab_"}};
        if (c.says == BertConfig::Says::words && c.tied)
            layout.other_names = {{c.names.decoder + ".weight", word_table}};
        return layout;
    }

    std::unique_ptr<Model> build(Parameters& parameters, const TransformerOptions& options) const override {
        Construction made(*this, parameters, options);
        Stream& stream = begin_stream(made.build, "encoder",
                                      {.vocabulary_size = c.vocabulary,
                                       .max_length = c.positions,
                                       .before = c.before,
                                       .after = c.after});
        const bool says = c.says != BertConfig::Says::nothing;
        Node* goal = says && options.loss ? goal_tokens(made.build, "encoder") : nullptr;
        Node* x = encoder(stream, made);
        switch (c.says) {
        case BertConfig::Says::nothing:
            made.model->map.output.values = x;
            break;
        case BertConfig::Says::classes:
            say_class(x, goal, made, options);
            break;
        case BertConfig::Says::words:
            say_masked_words(x, stream, goal, made, options);
            break;
        }
        return std::move(made.model);
    }

private:
    std::string layer_name(Index i) const { return c.names.layers + "." + std::to_string(i) + "."; }

    Node* encoder(Stream& stream, Construction& made) const {
        Scope scope(made.build.graph, "encoder", stack_box());
        Node* x = embedding(stream, made);
        Node* padding = mask("mask", stream, stream, false, made.context);
        for (Index i = 0; i < c.layers; ++i)
            x = made.add_layer(x, i, stream, [&](Node* in) { return layer_of(in, i, padding, made); });
        return end_stream(x, stream, made.context, "");
    }

    // LayerNorm(word + type + position).
    Node* embedding(Stream& stream, Construction& made) const {
        Builder& build = made.build;
        if (c.types > 0) {
            Scope box(build.graph, "input", unnamed_box());
            stream.types = build.value("token_types", token_types(stream.tokens), {.symbol = {"s"}});
        }
        Scope scope(build.graph, "embed");
        Node* x = embed_words(stream, made.context, word_table);
        if (stream.types) {
            Node* table = build.weight("type_table", type_rows, {.symbol = {"T"}});
            Node* types = build.value("types", gather(table, stream.types), {.symbol = {"X_s"}});
            x = build.value("with_types", add(x, types),
                            {.symbol = {"X_t"}, .is_named = false, .spelled_out = true});
        }
        x = add_positions(x, learned_positions(stream, build, position_rows), stream, build, "sum");
        x = build.value("output", norm(x, "norm", made.context, embedding_norm),
                        {.symbol = {"X_1"}, .is_named = false, .inputs = {"x"}}, "norm");
        stream.embedded = x;
        return x;
    }

    // a = LN(x + attention(x)); LN(a + dense(act(dense a))).
    Node* layer_of(Node* x, Index i, Node* padding, Construction& made) const {
        const std::string name = layer_name(i);
        x = normed_sublayer(x, 1, made.context, name + c.names.attention_norm, [&](Node* in) {
            return made.attend(in, in, padding, "self_attn", {c.heads, c.heads, c.d_model / c.heads}, [&] {
                return attention_weights(
                    made.build, {name + c.names.q, name + c.names.k, name + c.names.v, name + c.names.o});
            });
        });
        return normed_sublayer(x, 2, made.context, name + c.names.output_norm, [&](Node* in) {
            return feed_forward(in, made.build, name + c.names.first, name + c.names.second, c.activation);
        });
    }

    // What a linear layer of the head makes of x, and its activation, as the value `as`.
    Node* dense(Node* x, const std::string& name, const std::string& as, Activate activate,
                Construction& made) const {
        Builder& build = made.build;
        Node* w = build.weight("w_1", name + ".weight", {.symbol = {"W_1"}});
        Node* b = build.weight("b_1", name + ".bias", {.symbol = {"b_1"}});
        Node* hidden = build.value("hidden", linear(x, w, b), {.symbol = {"H"}, .inputs = {"x"}});
        return build.value(as, activate(hidden), {.symbol = {"h"}});
    }

    void say_class(Node* x, Node* goal, Construction& made, const TransformerOptions& options) const {
        Builder& build = made.build;
        Scope scope(build.graph, "output", stack_box());
        Node* first = build.value("first", first_row(x), {.symbol = {"x"}, .inputs = {"X"}});
        Node* pooled = dense(first, c.names.pooler, "pooled", c.pooler_activation, made);
        build.map.output.labels = c.labels;
        say_classes(pooled, build, c.names.classifier + ".weight", c.names.classifier + ".bias",
                    {options.probabilities, goal, no_padding, options.label_smoothing});
    }

    void say_masked_words(Node* x, const Stream& stream, Node* goal, Construction& made,
                          const TransformerOptions& options) const {
        {
            Scope scope(made.build.graph, "output", stack_box());
            x = dense(x, c.names.transform, "activated", c.activation, made);
            x = made.build.value("transformed", norm(x, "norm", made.context, c.names.transform_norm),
                                 {.symbol = {"N"}, .is_named = false, .inputs = {"x"}}, "norm");
        }
        say_words(x, stream, made.build, c.tied ? word_table : c.names.decoder + ".weight", c.names.bias,
                  {options.probabilities, goal, c.pad, options.label_smoothing});
        made.model->map.output.tokens = nullptr; // the word at each position, not the next one
    }

    const BertConfig c;
};

} // namespace

const BertNames& bert_names() {
    static const BertNames& names = lasting(BertNames{.prefix = "bert.",
                                                      .layers = "encoder.layer",
                                                      .q = "attention.self.query",
                                                      .k = "attention.self.key",
                                                      .v = "attention.self.value",
                                                      .o = "attention.output.dense",
                                                      .attention_norm = "attention.output.LayerNorm",
                                                      .first = "intermediate.dense",
                                                      .second = "output.dense",
                                                      .output_norm = "output.LayerNorm",
                                                      .pooler = "pooler.dense",
                                                      .classifier = "classifier",
                                                      .transform = "cls.predictions.transform.dense",
                                                      .transform_norm = "cls.predictions.transform.LayerNorm",
                                                      .bias = "cls.predictions.bias",
                                                      .decoder = "cls.predictions.decoder"});
    return names;
}

BertConfig::BertConfig() : activation(gelu), pooler_activation(headlight::tanh) {}

std::shared_ptr<const Family> bert(const BertConfig& config) { return std::make_shared<Bert>(config); }

BertConfig distilbert_config() {
    BertConfig config;
    config.names = {.prefix = "distilbert.",
                    .layers = "transformer.layer",
                    .q = "attention.q_lin",
                    .k = "attention.k_lin",
                    .v = "attention.v_lin",
                    .o = "attention.out_lin",
                    .attention_norm = "sa_layer_norm",
                    .first = "ffn.lin1",
                    .second = "ffn.lin2",
                    .output_norm = "output_layer_norm",
                    .pooler = "pre_classifier",
                    .classifier = "classifier",
                    .transform = "vocab_transform",
                    .transform_norm = "vocab_layer_norm",
                    .bias = "vocab_projector.bias",
                    .decoder = "vocab_projector"};
    config.layers = 6;
    config.types = 0;
    config.pooler_activation = relu; // of the layer before the classifier
    return config;
}

} // namespace headlight
