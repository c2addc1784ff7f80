#include "tests/engine/model/small_model.h"

#include "engine/io/model_folder.h"
#include "engine/model/parameters.h"
#include "engine/model/transformer.h"
#include "engine/tensor/random.h"

namespace headlight::test {

ModelConfig small_config() {
    ModelConfig config;
    config.d_model = 6;
    config.num_heads = 2;
    config.encoder_layers = 1;
    config.decoder_layers = 2;
    config.d_ff = 10;
    config.max_length = 12;
    config.source_vocab_size = 9;
    config.target_vocab_size = 7;
    return config;
}

std::vector<ModelConfig> all_configs() {
    std::vector<ModelConfig> configs;
    for (const NormPosition position : {NormPosition::post, NormPosition::pre})
        for (const bool final_norm : {false, true})
            for (const Activation activation : {Activation::relu, Activation::gelu})
                for (const PositionalEncoding positions :
                     {PositionalEncoding::sinusoidal, PositionalEncoding::learned, PositionalEncoding::none})
                    for (const bool scale : {true, false}) {
                        ModelConfig config = small_config();
                        config.norm_position = position;
                        config.final_norm = final_norm;
                        config.activation = activation;
                        config.positional_encoding = positions;
                        config.scale_embeddings = scale;
                        configs.push_back(config);
                    }
    for (const std::size_t like : {std::size_t(0), configs.size() - 1}) {
        configs.push_back(configs[like]);
        configs.back().norm = Norm::batch;
    }
    return configs;
}

std::vector<ModelConfig> one_stack_configs() {
    std::vector<ModelConfig> configs;
    for (const auto& [architecture, head] : {std::pair(Architecture::encoder_only, Head::tokens),
                                             std::pair(Architecture::encoder_only, Head::classes),
                                             std::pair(Architecture::decoder_only, Head::tokens)})
        for (const bool modern : {false, true}) {
            ModelConfig config = small_config();
            config.architecture = architecture;
            config.head = head;
            config.labels = {"bad", "fair", "good"};
            if (modern) {
                config.norm_position = NormPosition::pre;
                config.final_norm = true;
                config.activation = Activation::gelu;
                config.positional_encoding = PositionalEncoding::learned;
            }
            configs.push_back(settled(config));
            if (!modern) continue;
            configs.push_back(configs.back());
            configs.back().norm = Norm::batch;
        }
    return configs;
}

std::vector<ModelConfig> recurrent_configs() {
    std::vector<ModelConfig> configs;
    for (const Architecture architecture : {Architecture::rnn, Architecture::lstm, Architecture::gru,
                                            Architecture::rnn_fixed, Architecture::rnn_attention}) {
        ModelConfig config = small_config();
        config.architecture = architecture;
        config.decoder_layers = architecture == Architecture::rnn_attention ? 1 : 2;
        configs.push_back(settled(config));
    }
    return configs;
}

std::string description(const ModelConfig& config) {
    if (config.is_recurrent()) return architecture_name(config.architecture);
    std::string text = config.norm_position == NormPosition::pre ? "pre" : "post";
    if (config.norm == Norm::batch) text += ", batch norm";
    if (config.sorts()) text = "classes, " + text;
    if (!config.has_encoder()) text = "decoder only, " + text;
    if (!config.has_decoder()) text = "encoder only, " + text;
    if (config.final_norm) text += ", final_norm";
    text += config.activation == Activation::relu ? ", relu" : ", gelu";
    text += config.positional_encoding == PositionalEncoding::sinusoidal ? ", sinusoidal"
            : config.positional_encoding == PositionalEncoding::learned  ? ", learned"
                                                                         : ", none";
    return config.scale_embeddings ? text + ", scaled" : text;
}

Parameters random_parameters(const ModelConfig& config, std::uint64_t seed) {
    Parameters parameters = declare_parameters(config);
    initialise(parameters, config, seed);
    Random random({seed, 1});
    for (const Parameter& p : parameters.list())
        if (p.is_vector)
            for (Index i = 0; i < p.size(); ++i)
                parameters.data()[p.offset + i] += Real(random.uniform(-0.3, 0.3));
    return parameters;
}

Batch padded_batch(const ModelConfig& config) {
    EncodedPair longer{{4, 8, 5, config.eos_id}, {6, 4, config.eos_id}};
    EncodedPair shorter{{7, config.eos_id}, {5, config.eos_id}};
    if (config.sorts()) longer.target = {2}, shorter.target = {0};
    if (!config.has_decoder() && !config.sorts()) longer.target = {6, 4, 5, config.eos_id};
    if (!config.has_encoder()) longer.source = {4, 6, 5}, shorter.source = {};
    const EncodedPair* pairs[] = {&longer, &shorter};
    Batch batch;
    batch.fill(pairs, config);
    return batch;
}

Batch one_pair(const ModelConfig& config, Index source_length, Index target_length, std::uint64_t seed) {
    Random random(seed);
    EncodedPair pair;
    for (Index i = 0; i < source_length; ++i)
        pair.source.push_back(TokenId(4 + random.below(config.source_vocab_size - 4)));
    for (Index i = 0; i < target_length; ++i)
        pair.target.push_back(TokenId(4 + random.below(config.target_vocab_size - 4)));
    const EncodedPair* pairs[] = {&pair};
    Batch batch;
    batch.fill(pairs, config);
    return batch;
}

} // namespace headlight::test
