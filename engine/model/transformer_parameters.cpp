#include "engine/model/transformer.h"

#include "engine/base/check.h"
#include "engine/model/recurrent.h"
#include "engine/model/transformer.h"

namespace headlight {

namespace {

void declare_linear(Parameters& parameters, const std::string& path, Index out, Index in) {
    parameters.declare_matrix(path + ".weight", out, in);
    parameters.declare_vector(path + ".bias", out);
}

void declare_norm(Parameters& parameters, const std::string& path, const ModelConfig& config) {
    parameters.declare_vector(path + ".weight", config.d_model); // γ
    parameters.declare_vector(path + ".bias", config.d_model);   // β
    if (config.norm != Norm::batch) return;
    parameters.declare_buffer(path + running_mean, config.d_model);
    parameters.declare_buffer(path + running_variance, config.d_model);
}

void declare_attention(Parameters& parameters, const std::string& path, Index d_model) {
    parameters.declare_matrix(path + ".in_proj_weight", 3 * d_model, d_model); // rows: W_Q, W_K, W_V
    parameters.declare_vector(path + ".in_proj_bias", 3 * d_model);
    declare_linear(parameters, path + ".out_proj", d_model, d_model);
}

void declare_feed_forward(Parameters& parameters, const std::string& layer, Index d_model, Index d_ff) {
    declare_linear(parameters, layer + ".linear1", d_ff, d_model);
    declare_linear(parameters, layer + ".linear2", d_model, d_ff);
}

void declare_encoder_layer(Parameters& parameters, const std::string& layer, const ModelConfig& config) {
    declare_attention(parameters, layer + ".self_attn", config.d_model);
    declare_feed_forward(parameters, layer, config.d_model, config.d_ff);
    declare_norm(parameters, layer + ".norm1", config);
    declare_norm(parameters, layer + ".norm2", config);
}

void declare_decoder_layer(Parameters& parameters, const std::string& layer, const ModelConfig& config) {
    declare_attention(parameters, layer + ".self_attn", config.d_model);
    declare_attention(parameters, layer + ".multihead_attn", config.d_model);
    declare_feed_forward(parameters, layer, config.d_model, config.d_ff);
    declare_norm(parameters, layer + ".norm1", config);
    declare_norm(parameters, layer + ".norm2", config);
    declare_norm(parameters, layer + ".norm3", config);
}

} // namespace

Parameters list_parameters(const ModelConfig& config) {
    if (config.is_recurrent()) return list_recurrent_parameters(config);
    HEADLIGHT_CHECK(config.d_model > 0 && config.d_ff > 0 && config.max_length > 0,
                    "sizes of a model must be positive: d_model " + std::to_string(config.d_model) + ", d_ff "
                        + std::to_string(config.d_ff) + ", max_length " + std::to_string(config.max_length));
    HEADLIGHT_CHECK(config.num_heads > 0 && config.d_model % config.num_heads == 0,
                    "d_model " + std::to_string(config.d_model) + " over " + std::to_string(config.num_heads)
                        + " heads");
    HEADLIGHT_CHECK(config.encoder_layers >= 0 && config.decoder_layers >= 0, "a stack of negative height");
    HEADLIGHT_CHECK(config.source_vocab_size > 0 && config.target_vocab_size > 0, "an empty vocabulary");
    const bool is_tied = config.tie_embeddings && config.has_decoder();
    HEADLIGHT_CHECK(!is_tied || !config.has_encoder() || config.source_vocab_size == config.target_vocab_size,
                    "embeddings of different vocabularies are tied");
    HEADLIGHT_CHECK(!config.sorts() || !config.labels.empty(), "classes without labels");

    const bool both = config.architecture == Architecture::encoder_decoder;
    const std::string within = both ? "transformer." : ""; // a stack alone is torch.nn.TransformerEncoder
    Parameters parameters;
    for (const char* part : {"_embedding.weight", "_positions.weight"}) {
        const bool positions = part[1] == 'p';
        if (positions && config.positional_encoding != PositionalEncoding::learned) continue;
        const auto declare = [&](const char* side, Index words) {
            parameters.declare_matrix(std::string(side) + part, positions ? config.max_length : words,
                                      config.d_model);
        };
        if (config.has_encoder()) declare("source", config.source_vocab_size);
        const bool is_same = !positions && is_tied && config.has_encoder();
        if (config.has_decoder() && !is_same) declare("target", config.target_vocab_size);
    }
    if (config.has_encoder()) {
        const std::string stack = within + "encoder";
        for (Index i = 0; i < config.encoder_layers; ++i)
            declare_encoder_layer(parameters, stack + ".layers." + std::to_string(i), config);
        if (config.final_norm) declare_norm(parameters, stack + ".norm", config);
    }
    if (config.has_decoder()) {
        const std::string stack = within + "decoder";
        for (Index i = 0; i < config.decoder_layers; ++i)
            (both ? declare_decoder_layer
                  : declare_encoder_layer)(parameters, stack + ".layers." + std::to_string(i), config);
        if (config.final_norm) declare_norm(parameters, stack + ".norm", config);
    }
    if (config.sorts())
        declare_linear(parameters, "classifier", Index(config.labels.size()), config.d_model);
    else if (is_tied)
        parameters.declare_vector("generator.bias", config.target_vocab_size);
    else
        declare_linear(parameters, "generator", config.target_vocab_size, config.d_model);
    return parameters;
}

Parameters declare_parameters(const ModelConfig& config) {
    Parameters parameters = list_parameters(config);
    parameters.allocate();
    return parameters;
}

} // namespace headlight
