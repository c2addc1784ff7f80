// In double only: float leaves no digits to compare.
#include "engine/model/transformer.h"

#include "engine/tensor/random.h"
#include "tests/engine/model/small_model.h"

#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <map>
#include <sstream>

using namespace headlight;
using namespace headlight::test;

namespace {

// Which numbers each ReLU lets through. Where that changes, the loss has a kink and no derivative.
std::vector<bool> open_gates(const Graph& graph) {
    std::vector<bool> open;
    for (const Node& node : graph.nodes())
        if (node.op->name() == "relu")
            for (Index i = 0; i < node.value.size(); ++i) open.push_back(node.input(0).value.data()[i] > 0);
    return open;
}

// The derivative of the loss, by Richardson's extrapolation of two central differences. set(change) moves
// what is differentiated by and runs the graph forward. The step shrinks until it meets no kink.
double loss_derivative(const Transformer& model, const std::function<void(double)>& set) {
    set(0);
    const std::vector<bool> gates = open_gates(model.graph);
    for (double h = 2e-4; h > 1e-8; h /= 8) {
        bool kink = false;
        const auto loss = [&](double change) {
            set(change);
            kink = kink || open_gates(model.graph) != gates;
            return double(model.loss->value(0, 0, 0));
        };
        const double near = loss(h) - loss(-h), far = loss(2 * h) - loss(-2 * h);
        if (!kink) return (8 * near - far) / (12 * h);
    }
    return std::nan("");
}

// Relative 1e-6; the second term is what rounding leaves of a loss of about 2 over a step of 2e-4.
bool agree(double analytic, double numeric) {
    return std::abs(analytic - numeric) <= 1e-6 * std::abs(numeric) + 1e-10;
}

} // namespace

TEST_CASE("in every kind of Transformer, every parameter's gradient is the slope of the loss") {
    for (const ModelConfig& plain : all_configs()) {
        ModelConfig config = plain;
        config.dropout = 0.2;
        Parameters parameters = random_parameters(config, 7);
        std::vector<Real> gradients(std::size_t(parameters.count()));
        const auto model = build_transformer(
            config, parameters,
            {.dropout = true, .loss = true, .label_smoothing = 0.1, .gradients = gradients.data()});
        model->graph.random_seed = 5;
        feed(*model, padded_batch(config));
        model->graph.forward();
        model->graph.backward(model->loss);

        Random random(3);
        std::ostringstream wrong;
        for (const Parameter& p : parameters.list())
            for (int sample = 0; sample < 3; ++sample) {
                const Index i = p.offset + random.below(p.size());
                const Real weight = parameters.data()[i];
                const double numeric = loss_derivative(*model, [&](double change) {
                    parameters.data()[i] = weight + change;
                    model->graph.forward();
                });
                parameters.data()[i] = weight;
                if (!agree(gradients[std::size_t(i)], numeric))
                    wrong << p.name << "[" << i - p.offset << "]: " << gradients[std::size_t(i)]
                          << " instead of " << numeric << "\n";
            }
        CAPTURE(description(config));
        CHECK(wrong.str() == "");
    }
}

TEST_CASE("the gradient shown at any value is what a nudge of that value does to the loss") {
    for (const NormPosition position : {NormPosition::post, NormPosition::pre}) {
        ModelConfig config = small_config();
        config.norm_position = position;
        config.final_norm = position == NormPosition::pre;
        config.positional_encoding = PositionalEncoding::learned;
        Parameters parameters = random_parameters(config, 9);
        const auto model = build_transformer(config, parameters, {.loss = true});
        feed(*model, padded_batch(config));
        model->graph.forward();
        model->graph.backward(model->loss);
        std::map<const Node*, std::vector<Real>> gradients; // kept: the nudges run the graph again
        for (const Node& node : model->graph.nodes())
            if (node.needs_grad && node.index <= model->loss->index)
                gradients[&node].assign(node.grad.data(), node.grad.data() + node.grad.size());

        Random random(4);
        std::ostringstream wrong;
        for (const auto& [node, gradient] : gradients)
            for (int sample = 0; sample < 2; ++sample) {
                const Shape shape = node->shape();
                const Index i = random.below(shape.size());
                const Region cell{i / (shape.rows * shape.columns), i / shape.columns % shape.rows,
                                  i % shape.columns};
                const double numeric = loss_derivative(*model, [&](double change) {
                    model->graph.set_edits({{node->path, cell, Edit::Kind::add, change}});
                    model->graph.forward();
                });
                if (!agree(gradient[std::size_t(i)], numeric))
                    wrong << node->path << "[" << i << "]: " << gradient[std::size_t(i)] << " instead of "
                          << numeric << "\n";
            }
        CHECK(gradients.size() > 80);
        CHECK(wrong.str() == "");
    }
}
