#include "engine/model/transformer.h"

#include "tests/engine/model/small_model.h"
#include "tests/support/explanation_check.h"

#include <doctest/doctest.h>

#include <cstring>

using namespace headlight;
using namespace headlight::test;

namespace {

// The first value that differs in any bit, or "".
std::string different_bits(const Graph& a, const Graph& b) {
    for (std::size_t i = 0; i < a.nodes().size(); ++i) {
        const Tensor &x = a.nodes()[i].value, &y = b.nodes()[i].value;
        if (!(x.shape() == y.shape())
            || std::memcmp(x.data(), y.data(), std::size_t(x.size()) * sizeof(Real)))
            return a.nodes()[i].path;
    }
    return {};
}

} // namespace

TEST_CASE(
    "in every kind of Transformer, every cell of every value and gradient is what its explanation says") {
    std::vector<ModelConfig> configs = all_configs(), alone = one_stack_configs();
    configs.insert(configs.end(), alone.begin(), alone.end());
    for (const ModelConfig& config : configs) {
        Parameters parameters = random_parameters(config, 7);
        const auto model = build_transformer(config, parameters, {.loss = true, .label_smoothing = 0.1});
        feed(*model, padded_batch(config));
        model->graph.forward();
        model->graph.backward(model->map.output.loss);
        CAPTURE(description(config));
        CHECK(unexplained_cell(model->graph) == "");
        CHECK(unexplained_gradient(model->graph) == "");
    }
}

TEST_CASE("a Transformer in training explains its dropout, too, and batch norm by its batch") {
    for (const Norm norm : {Norm::layer, Norm::batch}) {
        ModelConfig config = small_config();
        config.dropout = 0.3;
        config.norm = norm;
        Parameters parameters = random_parameters(config, 7);
        const auto model =
            build_transformer(config, parameters, {.dropout = true, .batch_statistics = true, .loss = true});
        feed(*model, padded_batch(config));
        model->graph.random_seed = 3;
        model->graph.forward();
        model->graph.backward(model->map.output.loss);
        CHECK(model->map.batch_norms.size() == (norm == Norm::batch ? 8 : 0));
        CHECK(unexplained_cell(model->graph) == "");
        CHECK(unexplained_gradient(model->graph) == "");
    }
}

TEST_CASE("what-ifs in the middle of a Transformer are explained, and so are their gradients") {
    const ModelConfig config = small_config();
    Parameters parameters = random_parameters(config, 7);
    const auto model = build_transformer(config, parameters, {.loss = true});
    feed(*model, padded_batch(config));
    model->graph.set_edits({{"encoder.0.self_attn.weights", {1, -1, -1}, Edit::Kind::scale, 0},
                            {"decoder.1.cross_attn.scores", {-1, 1, -1}, Edit::Kind::add, 2},
                            {"decoder.self_mask", {0, 0, 1}, Edit::Kind::replace, 0},
                            {"decoder.0.ffn.w_1", {-1, 3, -1}, Edit::Kind::scale, -1},
                            {"decoder.0.ffn.activated", {-1, -1, 2}, Edit::Kind::add, -1},
                            {"decoder.0.norm1", {0, -1, -1}, Edit::Kind::scale, Real(0.5)},
                            {"output.logits", {0, 1, -1}, Edit::Kind::scale, 3},
                            {"encoder.embed.output", {0, 2, 3}, Edit::Kind::replace, 4}});
    model->graph.forward();
    model->graph.backward(model->map.output.loss);
    CHECK(unexplained_cell(model->graph) == "");
    CHECK(unexplained_gradient(model->graph) == "");
}

TEST_CASE("the decoder fed word by word computes the same bits as the whole Transformer") {
    const ModelConfig config = small_config();
    Parameters parameters = random_parameters(config, 7);
    const auto whole = build_transformer(config, parameters), part = build_transformer(config, parameters);
    Index words = 0;
    for (const Index source_length : {7, 3, 11}) {
        for (Index length = 1; length <= 9; ++length) {
            const Batch batch = one_pair(config, source_length, length, std::uint64_t(source_length));
            feed(*whole, batch);
            feed(*part, batch);
            whole->graph.forward();
            part->graph.forward(length == 1 ? 0 : part->map.target()->tokens->index);
            CAPTURE(length);
            CHECK(different_bits(whole->graph, part->graph) == "");
            ++words;
        }
    }
    CHECK(words == 27);
}

TEST_CASE("what the encoder computes stands before the target's tokens") {
    const ModelConfig config = small_config();
    Parameters parameters = random_parameters(config, 7);
    const auto model = build_transformer(config, parameters, {.loss = true});
    CHECK(model->map.output.goal->index > model->map.target()->tokens->index);
    CHECK(model->map.source()->output->index < model->map.target()->tokens->index);
    CHECK(model->map.source()->tokens->index < model->map.target()->tokens->index);
}

TEST_CASE("a word does not look at the words after it") {
    // Other words later on leave the logits of the earlier ones as they are, bit for bit.
    const ModelConfig config = small_config();
    Parameters parameters = random_parameters(config, 7);
    const auto a = build_transformer(config, parameters), b = build_transformer(config, parameters);
    Batch batch = one_pair(config, 5, 6, 1);
    feed(*a, batch);
    batch.target.back() = batch.target.back() == 4 ? 5 : 4;
    feed(*b, batch);
    a->graph.forward();
    b->graph.forward();
    const std::size_t earlier = std::size_t(5 * config.target_vocab_size);
    CHECK(std::memcmp(a->map.output.values->value.data(), b->map.output.values->value.data(),
                      earlier * sizeof(Real))
          == 0);
    CHECK(std::memcmp(a->map.output.values->value.row(0, 5), b->map.output.values->value.row(0, 5),
                      sizeof(Real))
          != 0);
}

TEST_CASE("padding changes no number of the sentence beside it") {
    const ModelConfig config = small_config();
    Parameters parameters = random_parameters(config, 7);
    const auto padded = build_transformer(config, parameters), alone = build_transformer(config, parameters);
    const Batch both = padded_batch(config);
    feed(*padded, both);
    const std::vector<TokenId> source = {7, config.eos_id}, target = {config.bos_id, 5};
    Batch shorter;
    shorter.sequences = 1;
    shorter.source_length = shorter.target_length = 2;
    shorter.source = source;
    shorter.target = target;
    feed(*alone, shorter);
    padded->graph.forward();
    alone->graph.forward();
    for (Index t = 0; t < 2; ++t)
        for (Index v = 0; v < config.target_vocab_size; ++v)
            CHECK(padded->map.output.values->value(1, t, v)
                  == doctest::Approx(alone->map.output.values->value(0, t, v)).epsilon(1e-5));
}

TEST_CASE("memory grows with the longest sentence only, forward and backward") {
    ModelConfig config = small_config();
    config.max_length = 600;
    Parameters parameters = random_parameters(config, 7);
    const auto model = build_transformer(config, parameters, {.loss = true});
    const auto pass = [&](Index length) {
        feed(*model, one_pair(config, length, length, 1));
        model->graph.forward();
        model->graph.backward(model->map.output.loss);
        return model->graph.bytes();
    };
    const std::size_t after_first = pass(150);
    for (int i = 0; i < 3; ++i) CHECK(pass(150) == after_first);
    for (Index length = 1; length < 150; length += 7) CHECK(pass(length) == after_first);
    CHECK(pass(600) > after_first); // what is measured can grow
}

TEST_CASE("memory does not grow while the decoder alone runs again and again") {
    ModelConfig config = small_config();
    config.max_length = 150;
    Parameters parameters = random_parameters(config, 7);
    const auto model = build_transformer(config, parameters);
    feed(*model, one_pair(config, 100, 100, 1));
    model->graph.forward();
    const std::size_t after_first = model->graph.bytes();
    for (int i = 0; i < 50; ++i) model->graph.forward(model->map.target()->tokens->index);
    CHECK(model->graph.bytes() == after_first);
}

TEST_CASE("sentences may grow and shrink: the numbers are those of a fresh graph") {
    const ModelConfig config = small_config();
    Parameters parameters = random_parameters(config, 7);
    const auto used = build_transformer(config, parameters);
    for (const Index length : {1, 2, 5, 12, 9, 3, 1}) {
        const auto fresh = build_transformer(config, parameters);
        const Batch batch = one_pair(config, length, 1 + length / 2, std::uint64_t(length));
        feed(*used, batch);
        feed(*fresh, batch);
        used->graph.forward();
        fresh->graph.forward();
        CHECK(different_bits(used->graph, fresh->graph) == "");
    }
}
