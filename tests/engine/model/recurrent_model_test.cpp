#include "engine/model/recurrent.h"

#include "engine/model/parameters.h"
#include "engine/model/transformer.h"
#include "tests/engine/model/small_model.h"
#include "tests/support/explanation_check.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

using namespace headlight;
using namespace headlight::test;

namespace {

const ModelConfig& config_of(Architecture architecture) {
    static const std::vector<ModelConfig> all = recurrent_configs();
    return *std::find_if(all.begin(), all.end(),
                         [&](const ModelConfig& c) { return c.architecture == architecture; });
}

// The row of a value in a batch, against the same row of a sequence by itself.
double row_difference(const Node& in_batch, Index sequence, const Node& alone, Index row) {
    double largest = 0;
    for (Index c = 0; c < alone.value.columns(); ++c)
        largest =
            std::max(largest, std::abs(double(in_batch.value(sequence, row, c) - alone.value(0, row, c))));
    return largest;
}

} // namespace

TEST_CASE("padding changes nothing that a recurrent network says, nor the state that it ends with") {
    for (const ModelConfig& config : recurrent_configs()) {
        CAPTURE(description(config));
        Parameters parameters = random_parameters(config, 3);
        EncodedPair longer{{4, 6, 5, 6, 2}, {6, 4, 5, 2}}, shorter{{5, 2}, {4, 2}};
        const auto together = build_transformer(config, parameters, {.loss = true});
        const auto alone = build_transformer(config, parameters, {.loss = true});
        const EncodedPair *both[] = {&longer, &shorter}, *one[] = {&shorter};
        Batch batch;
        batch.fill(both, config);
        feed(*together, batch);
        together->graph.forward();
        batch.fill(one, config);
        feed(*alone, batch);
        alone->graph.forward();
        const Node &there = *together->map.output.values, &here = *alone->map.output.values;
        for (Index t = 0; t < here.value.rows(); ++t) CHECK(row_difference(there, 1, here, t) < 1e-6);
        if (!config.has_encoder()) continue;
        CHECK(
            row_difference(*together->graph.find("encoder.final"), 1, *alone->graph.find("encoder.final"), 0)
            < 1e-6);
    }
}

TEST_CASE("the map knows a recurrent layer with its gates, in the order of PyTorch") {
    const auto names = [](Architecture architecture) {
        Parameters parameters = random_parameters(config_of(architecture), 3);
        const auto model = build_transformer(config_of(architecture), parameters);
        std::vector<std::string> all;
        const RecurrentLayer& layer = model->map.recurrent_layers.front();
        for (const Node* gate : layer.gates) all.push_back(gate->name);
        CHECK(model->map.recurrent_layer_of(*layer.hidden) == &layer);
        CHECK(layer.tokens == model->map.streams.front().tokens);
        return all;
    };
    using Names = std::vector<std::string>;
    CHECK(names(Architecture::rnn) == Names{});
    CHECK(names(Architecture::lstm) == Names{"input_gate", "forget_gate", "cell_candidate", "output_gate"});
    CHECK(names(Architecture::gru) == Names{"reset_gate", "update_gate", "new"});
}

TEST_CASE("the LSTM's forget gates begin open") {
    const ModelConfig& config = config_of(Architecture::lstm);
    Parameters parameters = declare_parameters(config);
    initialise(parameters, config, 5);
    const Parameter& bias = *parameters.find("rnn.bias_ih_l0");
    const Real* values = parameters.values(bias);
    for (Index i = 0; i < config.d_model; ++i) CHECK(values[config.d_model + i] == 1);
    CHECK(std::abs(values[0]) < 0.5);
}

TEST_CASE("every number of a recurrent network is explained while its gates are being changed") {
    for (const ModelConfig& config : recurrent_configs()) {
        CAPTURE(description(config));
        Parameters parameters = random_parameters(config, 4);
        const auto model = build_transformer(config, parameters, {.loss = true});
        feed(*model, one_pair(config, 4, 3, 5));
        const RecurrentLayer& layer = model->map.recurrent_layers.back();
        Edit copied{layer.hidden->path, {-1, 2, -1}};
        copied.from = layer.hidden->path;
        copied.from_region.row = 1;
        std::vector<Edit> edits{{layer.before->path, {0, 1, 0}, Edit::Kind::replace, Real(0.5)}, copied};
        if (!layer.gates.empty()) edits.push_back({layer.gates[0]->path, {}, Edit::Kind::scale, Real(0.5)});
        model->graph.set_edits(edits);
        model->graph.forward();
        model->graph.backward(model->map.output.loss);
        CHECK(unexplained_cell(model->graph) == "");
        CHECK(unexplained_gradient(model->graph) == "");
    }
}
