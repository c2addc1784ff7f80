#include "tests/support/naive_transformer.h"

#include <cmath>
#include <stdexcept>

namespace headlight::test::naive {

namespace {

class Model {
public:
    Model(const ModelConfig& config, const Parameters& parameters, const Hand& hand)
        : config_(config), parameters_(parameters), hand_(hand) {}

    Values run(const Ids& source, const Ids& target) {
        const Numbers memory = stack("encoder", "source", source, {}, source);
        stack("decoder", "target", target, memory, source);
        const Numbers x = values_.at("decoder.output");
        const Numbers w = weight("output.w", "generator.weight"), b = weight("output.b", "generator.bias");
        const Numbers logits = named("output.logits", linear(x, w, b));
        named("output.probabilities", softmax(logits));
        return std::move(values_);
    }

private:
    const Numbers& named(const std::string& path, Numbers computed) {
        if (hand_) computed = hand_(path, std::move(computed), values_);
        return values_[path] = std::move(computed);
    }

    // Rows (of a vector: columns) first … first + count of a parameter; count < 0: all.
    const Numbers& weight(const std::string& path, const std::string& parameter, Index first = 0,
                          Index count = -1) {
        const Parameter* p = parameters_.find(parameter);
        if (p == nullptr) throw std::logic_error("no parameter " + parameter);
        const Index whole = p->is_vector ? p->columns : p->rows;
        if (count < 0) count = whole;
        const Index width = p->is_vector ? 1 : p->columns;
        Numbers numbers(p->is_vector ? Shape{1, 1, count} : Shape{1, count, p->columns});
        for (std::size_t i = 0; i < numbers.data.size(); ++i)
            numbers.data[i] = double(parameters_.values(*p)[first * width + Index(i)]);
        return named(path, std::move(numbers));
    }

    Numbers embed(const std::string& stack, const std::string& side, const Ids& ids) {
        const std::string at = stack + ".embed.";
        Numbers x = named(at + "tokens", gather(weight(at + "table", side + "_embedding.weight"), ids, 1));
        if (config_.scale_embeddings)
            x = named(at + "scaled", multiply(x, std::sqrt(double(config_.d_model))));
        if (config_.positional_encoding == PositionalEncoding::none) return x;
        const Index length = Index(ids.size());
        const bool learned = config_.positional_encoding == PositionalEncoding::learned;
        const Numbers positions =
            learned ? first_rows(weight(at + "position_table", side + "_positions.weight"), length)
                    : sinusoidal_positions(length, config_.d_model);
        return named(at + "output", add(x, named(at + "positions", positions)));
    }

    Numbers attention(const std::string& at, const Numbers& from, const Numbers& keys_from,
                      const Numbers& mask, const std::string& layer) {
        const Index d = config_.d_model;
        const auto projected = [&](const char* letter, const std::string& path, const Numbers& x,
                                   Index which) {
            const Numbers w = weight(at + ".w_" + letter, layer + ".in_proj_weight", which * d, d);
            const Numbers b = weight(at + ".b_" + letter, layer + ".in_proj_bias", which * d, d);
            return split_heads(named(at + path, linear(x, w, b)), config_.num_heads);
        };
        const Numbers q = named(at + ".q", projected("q", ".query", from, 0));
        const Numbers k = named(at + ".k", projected("k", ".key", keys_from, 1));
        const Numbers v = named(at + ".v", projected("v", ".value", keys_from, 2));
        const Numbers scores = named(at + ".scores", matmul_nt(q, k));
        const Numbers scaled = named(at + ".scaled", multiply(scores, 1 / std::sqrt(double(config_.d_k()))));
        const Numbers allowed = named(at + ".masked", masked(scaled, mask));
        const Numbers weights = named(at + ".weights", softmax(allowed));
        const Numbers heads = named(at + ".heads", matmul(weights, v));
        const Numbers concat = named(at + ".concat", merge_heads(heads, config_.num_heads));
        const Numbers w_o = weight(at + ".w_o", layer + ".out_proj.weight"),
                      b_o = weight(at + ".b_o", layer + ".out_proj.bias");
        return named(at + ".output", linear(concat, w_o, b_o));
    }

    Numbers feed_forward(const std::string& at, const Numbers& x, const std::string& layer) {
        const Numbers w_1 = weight(at + ".w_1", layer + ".linear1.weight"),
                      b_1 = weight(at + ".b_1", layer + ".linear1.bias");
        const Numbers hidden = named(at + ".hidden", linear(x, w_1, b_1));
        const Numbers activated =
            named(at + ".activated", config_.activation == Activation::relu ? relu(hidden) : gelu(hidden));
        const Numbers w_2 = weight(at + ".w_2", layer + ".linear2.weight"),
                      b_2 = weight(at + ".b_2", layer + ".linear2.bias");
        return named(at + ".output", linear(activated, w_2, b_2));
    }

    Numbers norm(const std::string& path, const Numbers& x, const std::string& layer) {
        return norm(path, path, x, layer);
    }

    // `scope` has the weights, `path` is the value.
    Numbers norm(const std::string& path, const std::string& scope, const Numbers& x,
                 const std::string& layer) {
        const Numbers gamma = weight(scope + ".gamma", layer + ".weight"),
                      beta = weight(scope + ".beta", layer + ".bias");
        if (config_.norm == Norm::layer)
            return named(path, layer_norm(x, gamma, beta, config_.layer_norm_eps));
        const Numbers mean = weight(scope + ".mean", layer + ".running_mean"),
                      variance = weight(scope + ".variance", layer + ".running_var");
        return named(path, batch_norm(x, gamma, beta, mean, variance, config_.layer_norm_eps));
    }

    Numbers sublayer(const std::string& at, int number, const Numbers& x, const std::string& layer,
                     const std::function<Numbers(const Numbers&)>& f) {
        const std::string which = std::to_string(number), norm_path = at + ".norm" + which,
                          norm_weights = layer + ".norm" + which;
        if (config_.norm_position == NormPosition::pre) {
            const Numbers output = f(norm(norm_path, x, norm_weights));
            return named(at + ".add" + which, add(x, output));
        }
        const Numbers sum = named(at + ".add" + which, add(x, f(x)));
        return norm(norm_path, sum, norm_weights);
    }

    Numbers stack(const std::string& name, const std::string& side, const Ids& ids, const Numbers& memory,
                  const Ids& memory_ids) {
        const bool decodes = name == "decoder";
        Numbers x = embed(name, side, ids);
        const Numbers mask = named(name + (decodes ? ".self_mask" : ".mask"),
                                   attention_mask(ids, ids, 1, config_.pad_id, decodes));
        const Numbers cross_mask =
            decodes ? named("decoder.cross_mask", attention_mask(ids, memory_ids, 1, config_.pad_id, false))
                    : Numbers();
        const Index layers = decodes ? config_.decoder_layers : config_.encoder_layers;
        for (Index i = 0; i < layers; ++i) {
            const std::string at = name + "." + std::to_string(i),
                              layer = "transformer." + name + ".layers." + std::to_string(i);
            int number = 1;
            x = sublayer(at, number++, x, layer, [&](const Numbers& in) {
                return attention(at + ".self_attn", in, in, mask, layer + ".self_attn");
            });
            if (decodes)
                x = sublayer(at, number++, x, layer, [&](const Numbers& in) {
                    return attention(at + ".cross_attn", in, memory, cross_mask, layer + ".multihead_attn");
                });
            x = sublayer(at, number, x, layer,
                         [&](const Numbers& in) { return feed_forward(at + ".ffn", in, layer); });
        }
        if (config_.final_norm)
            return norm(name + ".output", name + ".norm", x, "transformer." + name + ".norm");
        return values_[name + ".output"] = x;
    }

    const ModelConfig& config_;
    const Parameters& parameters_;
    const Hand& hand_;
    Values values_;
};

} // namespace

Values transformer(const ModelConfig& config, const Parameters& parameters, const Ids& source,
                   const Ids& target, const Hand& hand) {
    return Model(config, parameters, hand).run(source, target);
}

} // namespace headlight::test::naive
