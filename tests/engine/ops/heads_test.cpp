#include "engine/ops/products.h"

#include "engine/model/parameters.h"
#include "engine/model/transformer.h"
#include "engine/ops/pointwise.h"
#include "engine/ops/products.h"
#include "engine/ops/softmax.h"
#include "engine/train/trainer.h"
#include "tests/support/naive.h"
#include "tests/support/op_check.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

using namespace headlight;
using namespace headlight::test;

TEST_CASE("split_heads gives each head its columns, sequence by sequence") {
    for (const Index heads : {1, 2, 3, 6})
        CHECK(fault(
                  {random_numbers({2, 5, 6}, 1)},
                  [&](Graph&, const Inputs& in) { return split_heads(in[0], heads); },
                  [&](const auto& in) { return naive::split_heads(in[0], heads); })
              == "");
}

TEST_CASE("merge_heads puts the heads of each sequence side by side") {
    for (const Index heads : {1, 2, 3, 6})
        CHECK(fault(
                  {random_numbers({6, 5, 3}, 1)},
                  [&](Graph&, const Inputs& in) { return merge_heads(in[0], heads); },
                  [&](const auto& in) { return naive::merge_heads(in[0], heads); })
              == "");
}

TEST_CASE("what is split and merged is what it was") {
    CHECK(fault(
              {random_numbers({3, 5, 8}, 1)},
              [](Graph&, const Inputs& in) { return merge_heads(split_heads(in[0], 4), 4); },
              [](const auto& in) { return in[0]; })
          == "");
}

TEST_CASE("columns that the heads do not divide are refused") {
    Graph graph;
    split_heads(input(graph, Numbers({1, 2, 7})), 2);
    CHECK_THROWS_AS(graph.forward(), std::logic_error);
}

TEST_CASE("heads that are left where they lie are those that are copied, however many share keys") {
    for (const Index key_heads : {1, 2, 4}) {
        Node *q = nullptr, *joined = nullptr;
        CHECK(fault(
                  {random_numbers({2, 5, 12}, 1), random_numbers({2, 5, 3 * key_heads}, 2),
                   random_numbers({2, 5, 3 * key_heads}, 3)},
                  [&](Graph& graph, const Inputs& in) {
                      q = split_heads(add(in[0], in[0]), 4);
                      Node* k = split_heads(add(in[1], in[1]), key_heads);
                      Node* v = split_heads(add(in[2], in[2]), key_heads);
                      joined = merge_heads(matmul(matmul_nt(q, k), v), 4);
                      graph.leave_heads_in_place();
                      CHECK(q->is_in_place);
                      CHECK(joined->is_in_place);
                      return joined;
                  },
                  [&](const auto& in) {
                      const auto heads = [&](std::size_t i, Index count) {
                          return naive::split_heads(naive::add(in[i], in[i]), count);
                      };
                      const auto shared = [&](const Numbers& few) {
                          Numbers all({8, few.shape.rows, few.shape.columns});
                          for (Index b = 0; b < 8; ++b)
                              for (Index r = 0; r < few.shape.rows; ++r)
                                  for (Index c = 0; c < few.shape.columns; ++c)
                                      all(b, r, c) = few(b * key_heads / 4, r, c);
                          return all;
                      };
                      const Numbers k = shared(heads(1, key_heads)), v = shared(heads(2, key_heads));
                      return naive::merge_heads(naive::matmul(naive::matmul_nt(heads(0, 4), k), v), 4);
                  })
              == "");
    }
}

TEST_CASE("heads that somebody else reads are copied") {
    Graph graph;
    Node* x = add(input(graph, random_numbers({2, 3, 4}, 1)), input(graph, random_numbers({2, 3, 4}, 2)));
    Node* cut = split_heads(x, 2);
    Node* also = add(x, x);
    Node* joined = merge_heads(cut, 2); // reads no product
    graph.spare_memory();
    CHECK_FALSE(cut->is_in_place);
    CHECK_FALSE(joined->is_in_place);
    graph.forward();
    CHECK(also->value(1, 2, 3) == 2 * cut->value(3, 2, 1));
}

TEST_CASE("a Transformer learns the same when memory is spared") {
    ModelConfig config;
    config.d_model = 12;
    config.num_heads = 3;
    config.encoder_layers = config.decoder_layers = 2;
    config.d_ff = 20;
    config.source_vocab_size = config.target_vocab_size = 12;
    Parameters parameters = declare_parameters(config);
    initialise(parameters, config, 5);
    const EncodedPair first{{4, 5, 6, 2}, {6, 5, 4, 2}}, second{{7, 2}, {7, 8, 2}};
    const EncodedPair* const pairs[] = {&first, &second};
    Batch batch;
    batch.fill(pairs, config);
    std::vector<Real> gradients[2];
    for (const bool in_place : {false, true}) {
        gradients[in_place].resize(std::size_t(parameters.count()));
        const auto model = build_transformer(
            config, parameters,
            {.dropout = true, .probabilities = false, .loss = true, .gradients = gradients[in_place].data()});
        if (in_place) model->graph.spare_memory();
        model->graph.random_seed = 3;
        feed(*model, batch);
        set_token_count(model->map.output.loss, batch.goal_tokens);
        model->graph.forward();
        model->graph.backward(model->map.output.loss);
        const Node& q = *model->graph.find("encoder.0.self_attn.q");
        CHECK(q.is_in_place == in_place);
        const Node& query = *model->graph.find("encoder.0.self_attn.query");
        CHECK(q.value(4, 1, 2) == query.value(1, 1, 6)); // the second head of the second sentence
    }
    // Products of few rows may be summed in another order where the rows lie farther apart.
    double most = 0, difference = 0;
    for (std::size_t i = 0; i < gradients[0].size(); ++i) {
        most = std::max(most, double(std::abs(gradients[0][i])));
        difference = std::max(difference, double(std::abs(gradients[0][i] - gradients[1][i])));
    }
    CHECK(most > 0.01);
    CHECK(difference < 1e-6 * most);
}
