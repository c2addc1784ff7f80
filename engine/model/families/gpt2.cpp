#include "engine/model/families/families.h"

#include "engine/model/families/families.h"
#include "engine/model/layers.h"

#include <cmath>

namespace headlight {

namespace {

std::string gpt2_layer(Index i) { return "h." + std::to_string(i); }

class Gpt2 final : public Family {
public:
    explicit Gpt2(const Gpt2Config& config) : c(config) {}

    ModelConfig shared_config() const override {
        ModelConfig config;
        config.d_model = c.d_model;
        config.num_heads = c.heads;
        config.encoder_layers = 0;
        config.decoder_layers = c.layers;
        config.d_ff = c.width_of_feed_forward();
        config.norm_position = NormPosition::pre;
        config.final_norm = true;
        config.layer_norm_eps = c.layer_norm_eps;
        config.positional_encoding = PositionalEncoding::learned;
        config.scale_embeddings = false;
        config.dropout = 0;
        config.max_length = c.positions;
        config.source_vocab_size = config.target_vocab_size = c.vocabulary;
        config.pad_id = no_padding;
        config.bos_id = config.eos_id = c.ends.empty() ? no_padding : c.ends.front();
        config.unk_id = no_padding;
        return config;
    }

    Parameters list_parameters() const override {
        Parameters p;
        p.declare_matrix("wte.weight", c.vocabulary, c.d_model);
        p.declare_matrix("wpe.weight", c.positions, c.d_model);
        for (Index i = 0; i < c.layers; ++i) {
            const std::string layer = gpt2_layer(i);
            declare_layer_norm(p, layer + ".ln_1", c.d_model);
            declare_linear_layer(p, layer + ".attn.c_attn", 3 * c.d_model, c.d_model); // W_Q, W_K, W_V
            declare_linear_layer(p, layer + ".attn.c_proj", c.d_model, c.d_model);
            declare_layer_norm(p, layer + ".ln_2", c.d_model);
            declare_linear_layer(p, layer + ".mlp.c_fc", c.width_of_feed_forward(), c.d_model);
            declare_linear_layer(p, layer + ".mlp.c_proj", c.d_model, c.width_of_feed_forward());
        }
        declare_layer_norm(p, "ln_f", c.d_model);
        if (!c.tied) p.declare_matrix("lm_head.weight", c.vocabulary, c.d_model);
        return p;
    }

    // Its `Conv1D` is a linear layer whose weights lie as x W reads them, [in, out].
    FileLayout file_layout() const override {
        FileLayout layout{.prefix = "transformer.",
                          .of_heads = {"lm_head."},
                          .transposed = {".c_attn.weight", ".c_proj.weight", ".c_fc.weight"}};
        if (c.tied) layout.other_names = {{"lm_head.weight", "wte.weight"}};
        return layout;
    }

    std::unique_ptr<Model> build(Parameters& parameters, const TransformerOptions& options) const override {
        Construction made(*this, parameters, options);
        return decoder_alone(made,
                             {.stream = {.vocabulary_size = c.vocabulary,
                                         .max_length = c.positions,
                                         .is_written = true,
                                         .before = c.before,
                                         .ends = c.ends,
                                         .usual_words = c.words_said},
                              .table = "wte.weight",
                              .positions = "wpe.weight",
                              .norm = "ln_f",
                              .output = c.tied ? "wte.weight" : "lm_head.weight"},
                             options,
                             [&](Node* x, Index i, Node* ahead) { return layer_of(x, i, ahead, made); });
    }

private:
    // a = x + attention(ln_1 x); a + mlp(ln_2 a).
    Node* layer_of(Node* x, Index i, Node* ahead, Construction& made) const {
        const std::string name = gpt2_layer(i);
        x = normed_sublayer(x, 1, made.context, name + ".ln_1", [&](Node* in) {
            return made.attend(in, in, ahead, "self_attn", shape_of(i), [&] {
                return packed_attention_weights(made.build, name + ".attn.c_attn.weight",
                                                name + ".attn.c_attn.bias", name + ".attn.c_proj", c.d_model);
            });
        });
        return normed_sublayer(x, 2, made.context, name + ".ln_2", [&](Node* in) {
            return feed_forward(in, made.build, name + ".mlp.c_fc", name + ".mlp.c_proj", c.activation);
        });
    }

    AttentionShape shape_of(Index i) const {
        AttentionShape shape{c.heads, c.heads, c.d_model / c.heads};
        const Constant root = square_root("d_k", shape.d_k);
        const double number = double(i + 1);
        const std::string times = std::to_string(i + 1);
        shape.is_scaled = c.scales_scores || c.scales_by_layer;
        if (c.scales_by_layer && c.scales_scores)
            shape.divisor = Constant{root.number * number, times + " " + root.symbol,
                                     times + "\\," + root.formula, times + "\\," + root.sized};
        else if (c.scales_by_layer)
            shape.divisor = Constant{number, times};
        return shape;
    }

    const Gpt2Config c;
};

} // namespace

std::shared_ptr<const Family> gpt2(const Gpt2Config& config) { return std::make_shared<Gpt2>(config); }

} // namespace headlight
