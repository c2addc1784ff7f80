// Costs on paper against graphs that compute: formulas of sizes say what Op::multiplications counts.
#include "engine/inspect/counted.h"

#include "engine/inspect/cost.h"
#include "engine/model/families/families.h"
#include "engine/ops/leaves.h"
#include "tests/engine/model/small_model.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace headlight;

namespace {

constexpr Index length = 6;

struct CountedGraph {
    Index parameters = 0, multiplications = 0, weight_bytes = 0;
};

// All streams fed with `length` tokens.
CountedGraph computed(Parameters& parameters, Model& model) {
    const std::vector<TokenId> ids(std::size_t(length), 1);
    for (const Stream& stream : model.map.streams) feed(stream.tokens, ids, 1, length);
    model.graph.forward(0, model.end_of_output());
    CountedGraph counted;
    counted.parameters = parameters.count();
    counted.multiplications = model.graph.multiplications(0, model.end_of_output());
    for (const Attention& attention : model.map.attentions)
        counted.weight_bytes += attention.weights->value.size() * 4;
    return counted;
}

CountedGraph computed(const Family& family) {
    Parameters parameters = family.list_parameters();
    parameters.allocate();
    const std::unique_ptr<Model> model = family.build(parameters, {});
    return computed(parameters, *model);
}

void check(const CountedModel& sizes, const CountedGraph& graph) {
    const ModelCost cost = cost_of(sizes, length);
    CHECK(cost.all() == graph.multiplications);
    CHECK(cost.score_bytes == graph.weight_bytes);
    CHECK(cost.parameters == graph.parameters);
}

const CountedModel& counted_model(std::string_view name) {
    for (const CountedModel& model : counted_models())
        if (model.name == name) return model;
    FAIL(std::string(name));
    return counted_models().front();
}

} // namespace

TEST_CASE("a layer's count by formula is what its graph multiplies") {
    for (std::size_t part = 0; part < std::size(cost_part_names); ++part)
        for (const Index n : {3, 8, 20})
            for (const Index d : {8, 24}) {
                CAPTURE(cost_part_names[part]);
                CHECK(counted_multiplications(CostPart(part), n, d)
                      == measure_cost(CostPart(part), n, d, 0).multiplications);
            }
}

TEST_CASE("attention and feed-forward multiply as much at N = 2d, and attention more beyond") {
    for (const Index d : {16, 64, 768}) {
        const auto attention = [&](Index n) { return counted_multiplications(CostPart::attention, n, d); };
        const auto others = [&](Index n) { return counted_multiplications(CostPart::feed_forward, n, d); };
        CHECK(attention(even_length(d)) == others(even_length(d)));
        CHECK(attention(even_length(d) + 1) > others(even_length(d) + 1));
        CHECK(attention(even_length(d) - 1) < others(even_length(d) - 1));
    }
}

TEST_CASE("the graph of counts says the same, each step of it explained") {
    for (const LayerSize size : {LayerSize{}, LayerSize{7, 24}, LayerSize{2048, 512}}) {
        const auto counts = build_layer_counts(size);
        const auto value = [&](const char* name) {
            const Node* node = counts->graph.find(std::string("costs.") + name);
            REQUIRE(node);
            return double(node->value(0, 0, 0));
        };
        constexpr const char* names[] = {"attention", "feed_forward", "rnn", "lstm", "gru"};
        for (std::size_t part = 0; part < std::size(names); ++part)
            CHECK(value(names[part])
                  == double(counted_multiplications(CostPart(part), size.length, size.d_model)));
        CHECK(value("projections") + value("mixing") == value("attention"));
    }
}

TEST_CASE("small models of the families multiply, hold and remember what the formulas say") {
    check({.decoder_layers = 3,
           .d_model = 12,
           .heads = 3,
           .d_ff = 20,
           .key_heads = 3,
           .d_k = 4,
           .vocabulary = 11,
           .positions = 9,
           .has_final_norm = true},
          computed(
              *gpt2({.layers = 3, .heads = 3, .d_model = 12, .d_ff = 20, .positions = 9, .vocabulary = 11})));
    check({.decoder_layers = 2,
           .d_model = 12,
           .heads = 4,
           .d_ff = 18,
           .key_heads = 2,
           .d_k = 6,
           .vocabulary = 13,
           .is_gated = true,
           .is_biased = false,
           .has_final_norm = true},
          computed(*llama({.layers = 2,
                           .heads = 4,
                           .key_heads = 2,
                           .d_model = 12,
                           .d_ff = 18,
                           .d_k = 6,
                           .positions = 16,
                           .vocabulary = 13,
                           .tied = true})));
}

TEST_CASE("an encoder-decoder multiplies what the formulas say, and attends twice in each decoder layer") {
    ModelConfig config = test::small_config();
    config.encoder_layers = 2, config.decoder_layers = 3;
    config.final_norm = false;
    config.target_vocab_size = config.source_vocab_size;
    Parameters parameters = test::random_parameters(config, 3);
    const std::unique_ptr<Model> model = build_transformer(config, parameters);
    CountedGraph graph = computed(parameters, *model);
    // Ours has a matrix of words for what is read, for what was said and for what is said, and a bias.
    graph.parameters -= 2 * config.target_vocab_size * config.d_model + config.target_vocab_size;
    check({.encoder_layers = 2,
           .decoder_layers = 3,
           .d_model = config.d_model,
           .heads = config.num_heads,
           .d_ff = config.d_ff,
           .key_heads = config.num_heads,
           .d_k = config.d_k(),
           .vocabulary = config.source_vocab_size},
          graph);
}

TEST_CASE("the models that people know have the parameters that are told of them") {
    const auto parameters = [](std::string_view name) { return cost_of(counted_model(name), 1).parameters; };
    CHECK(parameters("gpt2") == 124'439'808);
    CHECK(parameters("gpt2") == gpt2({})->list_parameters().count());
    CHECK(parameters("llama") == 1'235'814'400);
    CHECK(parameters("llama")
          == llama({.layers = 16,
                    .heads = 32,
                    .key_heads = 8,
                    .d_model = 2048,
                    .d_ff = 8192,
                    .d_k = 64,
                    .vocabulary = 128'256,
                    .tied = true})
                 ->list_parameters()
                 .count());
    MarianConfig base; // the paper's base model, but for a bias of the logits
    base.encoder_layers = base.decoder_layers = 6;
    base.encoder_heads = base.decoder_heads = 8;
    base.d_model = 512;
    base.encoder_d_ff = base.decoder_d_ff = 2048;
    base.source_vocabulary = base.target_vocabulary = 37'000;
    CHECK(parameters("transformer") == marian(base)->list_parameters().count() - 37'000);
    CHECK(even_length(counted_model("gpt2")) == 2 * 768);
    const CountedModel& llama_1b = counted_model("llama");
    const ModelCost at = cost_of(llama_1b, Index(even_length(llama_1b)));
    CHECK(at.attention() == at.feed_forward);
}

TEST_CASE("where two curves cross is found between their points, and only where one stays above") {
    const std::vector<double> x = {8, 16, 32, 64}, square = {64, 256, 1024, 4096},
                              line = {160, 320, 640, 1280};
    REQUIRE(crossing(x, square, line));
    CHECK(*crossing(x, square, line) == doctest::Approx(20)); // x² = 20 x
    CHECK_FALSE(crossing(x, line, line));
    const std::vector<double> low = {1, 2, 3, 4}, up_and_down = {64, 400, 600, 4096};
    CHECK_FALSE(crossing(x, low, line));
    CHECK_FALSE(crossing(x, line, low)); // above from the first point on
    CHECK(*crossing(x, up_and_down, line) > 32);
    CHECK_FALSE(crossing({}, {}, {}));
}
