// A Transformer of random weights, computed: what the tests of inspection look at.
#pragma once

#include "engine/model/parameters.h"
#include "engine/model/transformer.h"
#include "engine/ops/leaves.h"
#include "engine/tensor/random.h"

#include <memory>
#include <string>
#include <vector>

namespace headlight {

inline ModelConfig inspected_config() {
    ModelConfig config;
    config.d_model = 16;
    config.num_heads = 2;
    config.encoder_layers = 1;
    config.decoder_layers = 1;
    config.d_ff = 24;
    config.source_vocab_size = 11;
    config.target_vocab_size = 13;
    config.max_length = 12;
    return config;
}

struct InspectedModel {
    ModelConfig config;
    Parameters parameters;
    std::unique_ptr<Model> model;

    // Every weight, biases too, is changed by a normal number of this deviation.
    explicit InspectedModel(ModelConfig chosen = inspected_config(), std::uint64_t seed = 7,
                            double deviation = 0.1)
        : config(chosen), parameters(declare_parameters(config)) {
        initialise(parameters, config, seed);
        Random random({seed, 1});
        for (Index i = 0; i < parameters.count(); ++i)
            parameters.data()[i] += Real(deviation * random.normal());
        TransformerOptions options;
        options.loss = true;
        options.label_smoothing = 0.1;
        model = build_transformer(config, parameters, options);
        compute({5, 9, 4, 9, 2, 0}, {1, 7, 12, 7}, {7, 12, 7, 2});
    }

    // Sequences lie one under another.
    void compute(const std::vector<TokenId>& source, const std::vector<TokenId>& target,
                 const std::vector<TokenId>& goal, Index sequences = 1) {
        feed(model->map.source()->tokens, source, sequences, Index(source.size()) / sequences);
        feed(model->map.target()->tokens, target, sequences, Index(target.size()) / sequences);
        feed(model->map.output.goal, goal, sequences, Index(goal.size()) / sequences);
        model->graph.forward();
    }

    Graph& graph() { return model->graph; }
    const Node& node(const std::string& path) { return *model->graph.find(path); }
};

} // namespace headlight
