#include "engine/inspect/cost.h"

#include "engine/inspect/formulas.h"
#include "engine/model/parameters.h"
#include "engine/model/transformer.h"
#include "engine/ops/leaves.h"

#include <doctest/doctest.h>

#include <numeric>

using namespace headlight;

namespace {

struct Small {
    ModelConfig config;
    Parameters parameters;
    std::unique_ptr<Model> model;

    Small() {
        config.d_model = 16;
        config.num_heads = 2;
        config.encoder_layers = config.decoder_layers = 1;
        config.d_ff = 32;
        config.source_vocab_size = config.target_vocab_size = 9;
        parameters = declare_parameters(config);
        initialise(parameters, config, 1);
        model = build_transformer(config, parameters, {.loss = true});
        const std::vector<TokenId> words = {4, 5, 6, 7, 8, 2};
        feed(model->map.streams[0].tokens, words, 2, 3);
        feed(model->map.streams[1].tokens, words, 2, 3);
        feed(model->map.output.goal, words, 2, 3);
    }
    void pass() {
        model->graph.forward();
        model->graph.backward(model->map.output.loss);
    }
};

} // namespace

TEST_CASE("operations are timed while somebody asks, and their parts add up to the passes") {
    Small small;
    NodeTimes times(small.model->graph.nodes().size());
    small.pass();
    CHECK(std::accumulate(times.forward.begin(), times.forward.end(), 0.0) == 0);
    small.model->graph.times = &times;
    for (int i = 0; i < 3; ++i) small.pass();
    OperationCosts costs;
    costs.add(small.model->graph, times);
    double forward = 0, backward = 0;
    Index nodes = 0;
    double before = 1e9;
    for (const OperationCost& cost : costs.dearest_first()) {
        CAPTURE(std::string(cost.operation));
        CHECK(cost.seconds() <= before);
        before = cost.seconds();
        forward += cost.forward.seconds;
        backward += cost.backward.seconds;
        nodes += cost.nodes;
    }
    Index computed = 0;
    for (const Node& node : small.model->graph.nodes()) computed += !node.is_view();
    CHECK(nodes == computed);
    CHECK(forward > 0);
    CHECK(backward > 0);
    CHECK(forward <= doctest::Approx(std::accumulate(times.forward.begin(), times.forward.end(), 0.0)));
}

TEST_CASE("a product counts two operations for each pair of numbers, and as many again for each gradient") {
    Small small;
    small.pass();
    const Node& hidden = *small.model->graph.find("encoder.0.ffn.hidden"); // 2 · 3 rows, 16 → 32
    const double products = 2.0 * 6 * 16 * 32;
    CHECK(forward_work(hidden).floating_point_operations == products);
    CHECK(backward_work(hidden).floating_point_operations == 2 * products);
    CHECK(forward_work(hidden).bytes == (6 * 16 + 16 * 32 + 32 + 6 * 32) * double(sizeof(Real)));
    const Node& activated = *small.model->graph.find("encoder.0.ffn.activated");
    CHECK(forward_work(activated).floating_point_operations == 6 * 32);
    const Node& mask = *small.model->map.attentions[0].mask; // nothing is differentiated
    CHECK(backward_work(mask).bytes == 0);
}

TEST_CASE("the products alone are those of the passes") {
    Small small;
    small.pass();
    BareProducts products(small.model->graph);
    CHECK_FALSE(products.empty());
    products.run();
    Index multiplications = 0;
    for (const Node& node : small.model->graph.nodes()) {
        const MatrixProduct product = node.op->product(node);
        multiplications += product.multiplications();
        CHECK(product.multiplications() == node.op->multiplications(node));
    }
    CHECK(multiplications == small.model->graph.multiplications(0, Index(small.model->graph.nodes().size())));
    CHECK(BareProducts(Graph()).empty());
}
