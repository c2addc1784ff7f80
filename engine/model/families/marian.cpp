#include "engine/model/families/families.h"

#include "engine/model/families/families.h"
#include "engine/model/layers.h"
#include "engine/ops/leaves.h"
#include "engine/ops/pointwise.h"

namespace headlight {

namespace {

constexpr double marian_layer_norm_eps = 1e-5; // no key says another

std::string marian_layer(const std::string& side, Index i) { return side + ".layers." + std::to_string(i); }

class Marian final : public Family {
public:
    explicit Marian(const MarianConfig& config) : c(config) {}

    ModelConfig shared_config() const override {
        ModelConfig config;
        config.d_model = c.d_model;
        config.num_heads = c.encoder_heads;
        config.encoder_layers = c.encoder_layers;
        config.decoder_layers = c.decoder_layers;
        config.d_ff = c.encoder_d_ff;
        config.layer_norm_eps = marian_layer_norm_eps;
        config.scale_embeddings = c.scales_embeddings;
        config.dropout = 0;
        config.max_length = c.positions;
        config.source_vocab_size = c.source_vocabulary;
        config.target_vocab_size = c.target_vocabulary;
        config.pad_id = c.pad;
        config.bos_id = c.start;
        config.eos_id = c.end;
        config.unk_id = no_padding;
        return config;
    }

    Parameters list_parameters() const override {
        Parameters p;
        p.declare_matrix(table("encoder"), c.source_vocabulary, c.d_model);
        if (!c.shares_embeddings) p.declare_matrix(table("decoder"), c.target_vocabulary, c.d_model);
        if (c.stored_source_positions) p.declare_matrix(positions("encoder"), c.positions, c.d_model);
        if (c.stored_target_positions) p.declare_matrix(positions("decoder"), c.positions, c.d_model);
        for (const std::string side : {"encoder", "decoder"}) {
            const bool is_decoder = side == "decoder";
            const Index d_ff = is_decoder ? c.decoder_d_ff : c.encoder_d_ff;
            for (Index i = 0; i < (is_decoder ? c.decoder_layers : c.encoder_layers); ++i) {
                const std::string layer = marian_layer(side, i);
                declare_attention_of(p, layer + ".self_attn");
                if (is_decoder) declare_attention_of(p, layer + ".encoder_attn");
                declare_linear_layer(p, layer + ".fc1", d_ff, c.d_model);
                declare_linear_layer(p, layer + ".fc2", c.d_model, d_ff);
                declare_layer_norm(p, layer + ".final_layer_norm", c.d_model);
            }
        }
        if (!c.tied) p.declare_matrix("lm_head.weight", c.target_vocabulary, c.d_model);
        p.declare_matrix("final_logits_bias", 1, c.target_vocabulary);
        return p;
    }

    FileLayout file_layout() const override {
        FileLayout layout{.prefix = c.prefix, .of_heads = {"lm_head.", "final_logits_bias"}};
        const std::string of_target = table("decoder");
        if (c.shares_embeddings)
            layout.other_names = {{"encoder.embed_tokens.weight", of_target},
                                  {"decoder.embed_tokens.weight", of_target}};
        if (c.tied) layout.other_names.emplace_back("lm_head.weight", of_target);
        return layout;
    }

    std::unique_ptr<Model> build(Parameters& parameters, const TransformerOptions& options) const override {
        Construction made(*this, parameters, options);
        Stream& source = begin_stream(
            made.build, "encoder",
            {.vocabulary_size = c.source_vocabulary, .max_length = c.positions, .after = {c.end}});
        Node* memory = encoder(source, made);
        const Index most_fed = c.most_fed > 0 ? std::min(c.most_fed, c.positions) : c.positions;
        Stream& target = begin_stream(made.build, "decoder",
                                      {.vocabulary_size = c.target_vocabulary,
                                       .vocabulary = c.shares_embeddings ? 0 : 1,
                                       .max_length = most_fed,
                                       .is_written = true,
                                       .before = {c.start},
                                       .ends = {c.end},
                                       .never = c.never});
        Node* goal = options.loss ? goal_tokens(made.build, "decoder") : nullptr;
        Node* x = decoder(target, source, memory, made);
        say_words(x, target, made.build, c.tied ? table("decoder") : "lm_head.weight", "final_logits_bias",
                  {options.probabilities, goal, c.pad, options.label_smoothing});
        return std::move(made.model);
    }

private:
    std::string table(const std::string& side) const {
        return c.shares_embeddings ? "shared.weight" : side + ".embed_tokens.weight";
    }
    static std::string positions(const std::string& side) { return side + ".embed_positions.weight"; }

    void declare_attention_of(Parameters& p, const std::string& name) const {
        for (const char* part : {".q_proj", ".k_proj", ".v_proj", ".out_proj"})
            declare_linear_layer(p, name + part, c.d_model, c.d_model);
        declare_layer_norm(p, name + "_layer_norm", c.d_model);
    }

    // x·√d_model + P, without a norm.
    Node* embedding(Stream& stream, const std::string& side, bool stored, Construction& made) const {
        Scope scope(made.build.graph, "embed");
        Node* x = embed_words(stream, made.context, table(side));
        Node* codes = stored ? learned_positions(stream, made.build, positions(side))
                             : sinusoidal_positions(stream.tokens, c.d_model, Sinusoids::in_halves);
        x = add_positions(x, codes, stream, made.build);
        stream.embedded = x;
        return x;
    }

    Node* encoder(Stream& source, Construction& made) const {
        Scope scope(made.build.graph, "encoder", stack_box());
        Node* x = embedding(source, "encoder", c.stored_source_positions, made);
        Node* padding = mask("mask", source, source, false, made.context);
        for (Index i = 0; i < c.encoder_layers; ++i)
            x = made.add_layer(x, i, source, [&](Node* in) {
                const std::string name = marian_layer("encoder", i);
                in = attention(in, nullptr, padding, 1, "self_attn", name + ".self_attn", c.encoder_heads,
                               made);
                return network(in, 2, name, made);
            });
        return end_stream(x, source, made.context, "");
    }

    // The decoder begins with <pad>: as a key of its own it is never hidden.
    Node* decoder(Stream& target, Stream& source, Node* memory, Construction& made) const {
        Scope scope(made.build.graph, "decoder", stack_box());
        Node* x = embedding(target, "decoder", c.stored_target_positions, made);
        Node* ahead = mask("self_mask", target, target, true, no_padding, made.build);
        Node* of_source = mask("cross_mask", target, source, false, made.context);
        for (Index i = 0; i < c.decoder_layers; ++i)
            x = made.add_layer(x, i, target, [&](Node* in) {
                const std::string name = marian_layer("decoder", i);
                in =
                    attention(in, nullptr, ahead, 1, "self_attn", name + ".self_attn", c.decoder_heads, made);
                in = attention(in, memory, of_source, 2, "cross_attn", name + ".encoder_attn",
                               c.decoder_heads, made);
                return network(in, 3, name, made);
            });
        return end_stream(x, target, made.context, "");
    }

    // LN(x + attention); keys from x itself where no others are given.
    Node* attention(Node* x, Node* keys, Node* allowed, int number, const std::string& scope,
                    const std::string& name, Index heads, Construction& made) const {
        return normed_sublayer(x, number, made.context, name + "_layer_norm", [&](Node* in) {
            return made.attend(in, keys ? keys : in, allowed, scope, {heads, heads, c.d_model / heads}, [&] {
                return attention_weights(
                    made.build, {name + ".q_proj", name + ".k_proj", name + ".v_proj", name + ".out_proj"});
            });
        });
    }

    Node* network(Node* x, int number, const std::string& layer, Construction& made) const {
        return normed_sublayer(x, number, made.context, layer + ".final_layer_norm", [&](Node* in) {
            return feed_forward(in, made.build, layer + ".fc1", layer + ".fc2", c.activation);
        });
    }

    const MarianConfig c;
};

} // namespace

MarianConfig::MarianConfig() : activation(gelu) {}

std::shared_ptr<const Family> marian(const MarianConfig& config) { return std::make_shared<Marian>(config); }

} // namespace headlight
