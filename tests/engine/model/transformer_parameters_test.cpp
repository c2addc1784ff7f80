#include "engine/model/transformer.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <stdexcept>

using namespace headlight;

namespace {

ModelConfig small_config() {
    ModelConfig config;
    config.d_model = 8;
    config.num_heads = 2;
    config.encoder_layers = 1;
    config.decoder_layers = 1;
    config.d_ff = 16;
    config.source_vocab_size = 5;
    config.target_vocab_size = 7;
    return config;
}

std::string list_of(const Parameters& parameters) {
    std::string text;
    for (const Parameter& p : parameters.list())
        text += p.name + " [" + (p.is_vector ? "" : std::to_string(p.rows) + ", ") + std::to_string(p.columns)
                + "]\n";
    return text;
}

} // namespace

TEST_CASE("the parameters of a Transformer have the names, shapes and order of PyTorch's state_dict") {
    CHECK(list_of(declare_parameters(small_config()))
          == "source_embedding.weight [5, 8]\n"
             "target_embedding.weight [7, 8]\n"
             "transformer.encoder.layers.0.self_attn.in_proj_weight [24, 8]\n"
             "transformer.encoder.layers.0.self_attn.in_proj_bias [24]\n"
             "transformer.encoder.layers.0.self_attn.out_proj.weight [8, 8]\n"
             "transformer.encoder.layers.0.self_attn.out_proj.bias [8]\n"
             "transformer.encoder.layers.0.linear1.weight [16, 8]\n"
             "transformer.encoder.layers.0.linear1.bias [16]\n"
             "transformer.encoder.layers.0.linear2.weight [8, 16]\n"
             "transformer.encoder.layers.0.linear2.bias [8]\n"
             "transformer.encoder.layers.0.norm1.weight [8]\n"
             "transformer.encoder.layers.0.norm1.bias [8]\n"
             "transformer.encoder.layers.0.norm2.weight [8]\n"
             "transformer.encoder.layers.0.norm2.bias [8]\n"
             "transformer.decoder.layers.0.self_attn.in_proj_weight [24, 8]\n"
             "transformer.decoder.layers.0.self_attn.in_proj_bias [24]\n"
             "transformer.decoder.layers.0.self_attn.out_proj.weight [8, 8]\n"
             "transformer.decoder.layers.0.self_attn.out_proj.bias [8]\n"
             "transformer.decoder.layers.0.multihead_attn.in_proj_weight [24, 8]\n"
             "transformer.decoder.layers.0.multihead_attn.in_proj_bias [24]\n"
             "transformer.decoder.layers.0.multihead_attn.out_proj.weight [8, 8]\n"
             "transformer.decoder.layers.0.multihead_attn.out_proj.bias [8]\n"
             "transformer.decoder.layers.0.linear1.weight [16, 8]\n"
             "transformer.decoder.layers.0.linear1.bias [16]\n"
             "transformer.decoder.layers.0.linear2.weight [8, 16]\n"
             "transformer.decoder.layers.0.linear2.bias [8]\n"
             "transformer.decoder.layers.0.norm1.weight [8]\n"
             "transformer.decoder.layers.0.norm1.bias [8]\n"
             "transformer.decoder.layers.0.norm2.weight [8]\n"
             "transformer.decoder.layers.0.norm2.bias [8]\n"
             "transformer.decoder.layers.0.norm3.weight [8]\n"
             "transformer.decoder.layers.0.norm3.bias [8]\n"
             "generator.weight [7, 8]\n"
             "generator.bias [7]\n");
}

TEST_CASE("batch norm has the buffers of torch.nn.BatchNorm1d, which lie behind all that is learned") {
    ModelConfig config = small_config();
    const Parameters layer = declare_parameters(config);
    config.norm = Norm::batch;
    const Parameters batch = declare_parameters(config);
    CHECK(batch.learned() == layer.count());
    CHECK(layer.learned() == layer.count());
    CHECK(batch.count() == layer.count() + 5 * 2 * config.d_model);
    const std::string norm = "transformer.decoder.layers.0.norm3";
    CHECK(list_of(batch).find(norm + ".weight [8]\n" + norm + ".bias [8]\n" + norm + ".running_mean [8]\n"
                              + norm + ".running_var [8]\n")
          != std::string::npos);
    for (const Parameter& p : batch.list()) {
        CAPTURE(p.name);
        const Parameter* same = layer.find(p.name);
        CHECK(p.is_learned == (same != nullptr));
        CHECK((same ? p.offset == same->offset : p.offset >= batch.learned())); // laid out alike
    }
}

TEST_CASE("learned positions and final norms are parameters only when the config asks for them") {
    ModelConfig config = small_config();
    config.positional_encoding = PositionalEncoding::learned;
    config.final_norm = true;
    config.max_length = 11;
    const Parameters parameters = declare_parameters(config);
    REQUIRE(parameters.find("source_positions.weight") != nullptr);
    CHECK(parameters.find("target_positions.weight")->rows == 11);
    CHECK(parameters.find("transformer.encoder.norm.weight")->columns == 8);
    CHECK(parameters.find("transformer.decoder.norm.bias")->is_vector);
}

TEST_CASE("declared parameters lie one after another and begin at zero") {
    const Parameters parameters = declare_parameters(small_config());
    Index end = 0;
    for (const Parameter& p : parameters.list()) {
        CHECK(p.offset == end);
        end += p.size();
    }
    CHECK(parameters.count() == end);
    CHECK(std::all_of(parameters.data(), parameters.data() + end, [](Real x) { return x == 0; }));
}

TEST_CASE("heads that do not share d_model evenly are a broken promise") {
    ModelConfig config = small_config();
    config.num_heads = 3;
    CHECK_THROWS_AS(declare_parameters(config), std::logic_error);
}
