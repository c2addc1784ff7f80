// In double only: float leaves no digits to compare.
#include "engine/model/transformer.h"

#include "engine/tensor/random.h"
#include "tests/engine/model/small_model.h"
#include "tests/support/loss_derivative.h"

#include <doctest/doctest.h>

#include <map>
#include <sstream>

using namespace headlight;
using namespace headlight::test;

TEST_CASE("in every kind of model, every parameter's gradient is the slope of the loss") {
    std::vector<ModelConfig> configs = all_configs(), alone = one_stack_configs();
    configs.insert(configs.end(), alone.begin(), alone.end());
    for (const ModelConfig& recurrent : recurrent_configs()) configs.push_back(recurrent);
    for (const ModelConfig& plain : configs) {
        ModelConfig config = plain;
        config.dropout = 0.2;
        Parameters parameters = random_parameters(config, 7);
        std::vector<Real> gradients(std::size_t(parameters.count()));
        const auto model = build_transformer(config, parameters,
                                             {.dropout = true,
                                              .batch_statistics = true,
                                              .loss = true,
                                              .label_smoothing = 0.1,
                                              .gradients = gradients.data()});
        model->graph.random_seed = 5;
        feed(*model, padded_batch(config));
        model->graph.forward();
        model->graph.backward(model->map.output.loss);

        Random random(3);
        std::ostringstream wrong;
        for (const Parameter& p : parameters.list())
            for (int sample = 0; sample < 3; ++sample) {
                const Index i = p.offset + random.below(p.size());
                const Real weight = parameters.data()[i];
                const double numeric =
                    loss_derivative(model->graph, *model->map.output.loss, [&](double change) {
                        parameters.data()[i] = weight + change;
                        model->graph.forward();
                    });
                parameters.data()[i] = weight;
                if (!agrees_with_slope(gradients[std::size_t(i)], numeric))
                    wrong << p.name << "[" << i - p.offset << "]: " << gradients[std::size_t(i)]
                          << " instead of " << numeric << "\n";
            }
        CAPTURE(description(config));
        CHECK(wrong.str() == "");
    }
}

TEST_CASE("the gradient shown at any value is what a nudge of that value does to the loss") {
    std::vector<ModelConfig> configs = recurrent_configs();
    for (const NormPosition position : {NormPosition::post, NormPosition::pre}) {
        ModelConfig config = small_config();
        config.norm_position = position;
        config.final_norm = position == NormPosition::pre;
        config.positional_encoding = PositionalEncoding::learned;
        configs.push_back(config);
    }
    for (const ModelConfig& config : configs) {
        CAPTURE(description(config));
        Parameters parameters = random_parameters(config, 9);
        const auto model = build_transformer(config, parameters, {.loss = true});
        feed(*model, padded_batch(config));
        model->graph.forward();
        model->graph.backward(model->map.output.loss);
        std::map<const Node*, std::vector<Real>> gradients; // kept: the nudges run the graph again
        for (const Node& node : model->graph.nodes())
            if (node.needs_grad && node.index <= model->map.output.loss->index)
                gradients[&node].assign(node.grad.data(), node.grad.data() + node.grad.size());

        Random random(4);
        std::ostringstream wrong;
        for (const auto& [node, gradient] : gradients)
            for (int sample = 0; sample < 2; ++sample) {
                const Shape shape = node->shape();
                const Index i = random.below(shape.size());
                const Region cell{i / (shape.rows * shape.columns), i / shape.columns % shape.rows,
                                  i % shape.columns};
                const double numeric =
                    loss_derivative(model->graph, *model->map.output.loss, [&](double change) {
                        model->graph.set_edits({{node->path, cell, Edit::Kind::add, change}});
                        model->graph.forward();
                    });
                if (!agrees_with_slope(gradient[std::size_t(i)], numeric))
                    wrong << node->path << "[" << i << "]: " << gradient[std::size_t(i)] << " instead of "
                          << numeric << "\n";
            }
        CHECK(gradients.size() > (config.is_recurrent() ? 15 : 80));
        CHECK(wrong.str() == "");
    }
}
