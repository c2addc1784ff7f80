#include "engine/model/families/families.h"

#include "engine/model/families/families.h"
#include "engine/model/layers.h"

namespace headlight {

namespace {

std::string llama_layer(Index i) { return "layers." + std::to_string(i); }

class Llama final : public Family {
public:
    explicit Llama(const LlamaConfig& config) : c(config) {}

    ModelConfig shared_config() const override {
        ModelConfig config;
        config.d_model = c.d_model;
        config.num_heads = c.heads;
        config.encoder_layers = 0;
        config.decoder_layers = c.layers;
        config.d_ff = c.d_ff;
        config.norm_position = NormPosition::pre;
        config.final_norm = true;
        config.layer_norm_eps = c.rms_norm_eps;
        config.positional_encoding = PositionalEncoding::none;
        config.scale_embeddings = false;
        config.dropout = 0;
        config.max_length = c.positions;
        config.source_vocab_size = config.target_vocab_size = c.vocabulary;
        config.pad_id = config.unk_id = no_padding;
        config.bos_id = c.before.empty() ? no_padding : c.before.front();
        config.eos_id = c.ends.empty() ? no_padding : c.ends.front();
        return config;
    }

    Parameters list_parameters() const override {
        Parameters p;
        p.declare_matrix("embed_tokens.weight", c.vocabulary, c.d_model);
        for (Index i = 0; i < c.layers; ++i) {
            const std::string layer = llama_layer(i), attention = layer + ".self_attn.",
                              mlp = layer + ".mlp.";
            p.declare_vector(layer + ".input_layernorm.weight", c.d_model);
            declare_linear_layer(p, attention + "q_proj", c.heads * c.d_k, c.d_model, c.biased_qkv);
            declare_linear_layer(p, attention + "k_proj", c.key_heads * c.d_k, c.d_model, c.biased_qkv);
            declare_linear_layer(p, attention + "v_proj", c.key_heads * c.d_k, c.d_model, c.biased_qkv);
            declare_linear_layer(p, attention + "o_proj", c.d_model, c.heads * c.d_k, c.biased_o);
            p.declare_vector(layer + ".post_attention_layernorm.weight", c.d_model);
            declare_linear_layer(p, mlp + "gate_proj", c.d_ff, c.d_model, c.biased_mlp);
            declare_linear_layer(p, mlp + "up_proj", c.d_ff, c.d_model, c.biased_mlp);
            declare_linear_layer(p, mlp + "down_proj", c.d_model, c.d_ff, c.biased_mlp);
        }
        p.declare_vector("norm.weight", c.d_model);
        if (!c.tied) p.declare_matrix("lm_head.weight", c.vocabulary, c.d_model);
        return p;
    }

    FileLayout file_layout() const override {
        FileLayout layout{.prefix = "model.", .of_heads = {"lm_head."}};
        if (c.tied) layout.other_names = {{"lm_head.weight", "embed_tokens.weight"}};
        return layout;
    }

    std::unique_ptr<Model> build(Parameters& parameters, const TransformerOptions& options) const override {
        Construction made(*this, parameters, options);
        made.context.has_rms_norms = true;
        return decoder_alone(made,
                             {.stream = {.vocabulary_size = c.vocabulary,
                                         .max_length = c.positions,
                                         .is_written = true,
                                         .before = c.before,
                                         .ends = c.ends,
                                         .usual_words = c.words_said},
                              .table = "embed_tokens.weight",
                              .positions = "",
                              .norm = "norm",
                              .output = c.tied ? "embed_tokens.weight" : "lm_head.weight"},
                             options,
                             [&](Node* x, Index i, Node* ahead) { return layer_of(x, i, ahead, made); });
    }

private:
    // a = x + attention(RMS x); a + down(silu(gate m) ⊙ up m), m = RMS a.
    Node* layer_of(Node* x, Index i, Node* ahead, Construction& made) const {
        const std::string name = llama_layer(i), attention = name + ".self_attn.", mlp = name + ".mlp.";
        x = normed_sublayer(x, 1, made.context, name + ".input_layernorm", [&](Node* in) {
            return made.attend(in, in, ahead, "self_attn", {c.heads, c.key_heads, c.d_k, c.rotation}, [&] {
                return attention_weights(made.build, {attention + "q_proj", attention + "k_proj",
                                                      attention + "v_proj", attention + "o_proj"});
            });
        });
        return normed_sublayer(x, 2, made.context, name + ".post_attention_layernorm", [&](Node* in) {
            return gated_feed_forward(in, made.build, {mlp + "gate_proj", mlp + "up_proj", mlp + "down_proj"},
                                      c.activation);
        });
    }

    const LlamaConfig c;
};

} // namespace

std::shared_ptr<const Family> llama(const LlamaConfig& config) { return std::make_shared<Llama>(config); }

} // namespace headlight
