#include "engine/io/model_folder.h"

#include "engine/model/transformer.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

using namespace headlight;

namespace {

using Strings = std::vector<std::string>;

ModelConfig good_config() {
    ModelConfig config;
    config.source_vocab_size = 120;
    config.target_vocab_size = 140;
    return config;
}

Error error_of(const std::string& text) {
    const Result<ModelConfig> config = config_from_json(text, "config.json");
    return config ? Error{} : config.error();
}

template <class Change>
Error error_after(Change change) {
    ModelConfig config = good_config();
    change(config);
    const Result<Done> checked = check_config(config, "config.json");
    return checked ? Error{} : checked.error();
}

} // namespace

TEST_CASE("a config comes back from its JSON as it was") {
    ModelConfig config = good_config();
    CHECK(*config_from_json(config_to_json(config), "config.json") == config);
    config.activation = Activation::gelu;
    config.norm_position = NormPosition::pre;
    config.norm = Norm::batch;
    config.positional_encoding = PositionalEncoding::learned;
    config.final_norm = true;
    config.scale_embeddings = false;
    config.dropout = 0;
    config.pad_id = 7;
    CHECK(*config_from_json(config_to_json(config), "config.json") == config);
}

TEST_CASE("missing keys keep their defaults and unknown ones are passed over") {
    CHECK(*config_from_json("{}", "config.json") == ModelConfig{});
    const Result<ModelConfig> config = config_from_json(
        R"({"architecture":"encoder-decoder","d_model":32,"somebody":{"else":[1]}})", "config.json");
    REQUIRE(config);
    CHECK(config->d_model == 32);
    CHECK(config->num_heads == 4);
}

TEST_CASE("a value of the wrong type is an error that names file, key and value") {
    CHECK(error_of(R"({"d_model":"64"})").key == "error.config_not_whole");
    CHECK(error_of(R"({"d_model":"64"})").arguments == Strings{"config.json", "d_model", "\"64\""});
    CHECK(error_of(R"({"d_model":64.5})").key == "error.config_not_whole");
    CHECK(error_of(R"({"d_model":null})").key == "error.config_not_whole");
    CHECK(error_of(R"({"d_model":18446744073709551615})").key == "error.config_not_whole");
    CHECK(error_of(R"({"pad_id":4294967296})").key == "error.config_not_whole");
    CHECK(error_of(R"({"dropout":"none"})").key == "error.config_not_number");
    CHECK(error_of(R"({"final_norm":1})").key == "error.config_not_flag");
    CHECK(error_of(R"({"activation":"swish"})").arguments
          == Strings{"config.json", "activation", "\"swish\"", "relu, gelu"});
    CHECK(error_of(R"({"norm_position":0})").key == "error.config_not_choice");
    const Error norm = error_of(R"({"norm":"instance"})");
    CHECK(norm.key == "error.config_not_choice");
    CHECK(norm.arguments.back() == "layer, batch");
    CHECK(error_of(R"({"architecture":"decoder"})").key == "error.config_architecture");
    CHECK(error_of(R"({"model_type":"gpt2"})").arguments == Strings{"config.json", "model_type", "\"gpt2\""});
    CHECK(error_of(R"({"source_vocab_size":0})").arguments[1] == "source_vocab_size");
    CHECK(error_of("[1]").key == "error.config_not_object");
    CHECK(error_of("{\n\"d_model\": 64,\n}").arguments == Strings{"config.json", "3", "1"});
}

TEST_CASE("sizes that make no model are errors that name the key") {
    CHECK(error_after([](ModelConfig&) {}).key == "");
    for (Index ModelConfig::*size :
         {&ModelConfig::d_model, &ModelConfig::num_heads, &ModelConfig::encoder_layers,
          &ModelConfig::decoder_layers, &ModelConfig::d_ff, &ModelConfig::max_length,
          &ModelConfig::source_vocab_size, &ModelConfig::target_vocab_size})
        for (Index value : {Index(0), Index(-1), Index(1'000'000'000), std::numeric_limits<Index>::max(),
                            std::numeric_limits<Index>::min()})
            CHECK(error_after([&](ModelConfig& config) { config.*size = value; }).key == "error.config_size");
    CHECK(error_after([](ModelConfig& c) { c.d_ff = -5; }).arguments
          == Strings{"config.json", "d_ff", "-5", "131072"});
    CHECK(error_after([](ModelConfig& c) { c.num_heads = 5; }).key == "error.config_heads");
    CHECK(error_after([](ModelConfig& c) { c.dropout = 1; }).key == "error.config_range");
    CHECK(error_after([](ModelConfig& c) { c.dropout = -0.1; }).key == "error.config_range");
    CHECK(error_after([](ModelConfig& c) { c.dropout = std::nan(""); }).key == "error.config_range");
    CHECK(error_after([](ModelConfig& c) { c.layer_norm_eps = 0; }).key == "error.config_range");
    CHECK(error_after([](ModelConfig& c) { c.unk_id = 120; }).arguments
          == Strings{"config.json", "unk_id", "120", "119"});
    CHECK(error_after([](ModelConfig& c) { c.bos_id = -1; }).key == "error.config_id");
    CHECK(error_after([](ModelConfig& c) { c.pad_id = 2; }).key == "error.config_same_id");
}

TEST_CASE("sizes that are each possible and together too much are an error, not a failed allocation") {
    const Error error = error_after([](ModelConfig& config) {
        config.d_model = 16'384;
        config.d_ff = 131'072;
        config.encoder_layers = config.decoder_layers = 256;
        config.source_vocab_size = config.target_vocab_size = 4'000'000;
    });
    CHECK(error.key == "error.config_too_large");
}

TEST_CASE("the paper's base and big models are possible") {
    for (Index d_model : {512, 1024})
        CHECK(error_after([&](ModelConfig& config) {
                  config.d_model = d_model;
                  config.num_heads = d_model / 64;
                  config.d_ff = 4 * d_model;
                  config.encoder_layers = config.decoder_layers = 6;
                  config.source_vocab_size = config.target_vocab_size = 37'000;
              }).key
              == "");
}

TEST_CASE("a config of one stack comes back as it was, without the keys of the other") {
    ModelConfig config = good_config();
    for (const Architecture architecture : {Architecture::encoder_only, Architecture::decoder_only})
        for (const Head head : {Head::tokens, Head::classes}) {
            config.architecture = architecture;
            config.head = head;
            config.labels = {"negative", "positive"};
            const ModelConfig plain = settled(config);
            const std::string text = config_to_json(plain);
            CHECK(*config_from_json(text, "config.json") == plain);
            CHECK(check_config(plain, "config.json"));
            CHECK((text.find("decoder_layers") == text.npos) == (architecture == Architecture::encoder_only));
            CHECK((text.find("labels") != text.npos) == plain.sorts());
        }
}

TEST_CASE("a config of a recurrent network comes back as it was, without the keys of a Transformer") {
    for (const Architecture architecture : {Architecture::rnn, Architecture::lstm, Architecture::gru,
                                            Architecture::rnn_fixed, Architecture::rnn_attention}) {
        ModelConfig config = good_config();
        config.architecture = architecture;
        config.decoder_layers = 1;
        const ModelConfig plain = settled(config);
        const std::string text = config_to_json(plain);
        CAPTURE(text);
        CHECK(*config_from_json(text, "config.json") == plain);
        CHECK(check_config(plain, "config.json"));
        CHECK(text.find("\"architecture\": \"" + architecture_name(architecture) + "\"") != text.npos);
        CHECK(text.find("num_layers") != text.npos);
        for (const char* key : {"num_heads", "d_ff", "layer_norm_eps", "encoder_layers"})
            CHECK(text.find(key) == text.npos);
        config.decoder_layers = 2;
        CHECK(bool(check_config(settled(config), "config.json"))
              == (architecture != Architecture::rnn_attention));
    }
}

TEST_CASE("classes have names, each its own") {
    const auto error_of_labels = [](const std::string& labels) {
        const std::string text =
            R"({"architecture":"encoder-only","head":"classes","labels":)" + labels + "}";
        Result<ModelConfig> config = config_from_json(text, "config.json");
        if (!config) return config.error().key;
        config->source_vocab_size = config->target_vocab_size = 120;
        const Result<Done> checked = check_config(*config, "config.json");
        return checked ? std::string() : checked.error().key;
    };
    CHECK(error_of_labels(R"(["bad", "good"])") == "");
    CHECK(error_of_labels(R"({"0": "bad"})") == "error.config_not_names");
    CHECK(error_of_labels(R"(["bad", 1])") == "error.config_not_names");
    for (const char* labels : {"[]", R"(["bad"])", R"(["bad", "bad"])", R"(["bad", ""])"})
        CHECK(error_of_labels(labels) == "error.config_labels");
    CHECK(error_of(R"({"architecture":"encoder-only","head":"regions"})").key == "error.config_not_choice");
}

TEST_CASE("embeddings are tied where there is one vocabulary, and a config says so only then") {
    ModelConfig config = good_config();
    CHECK(config_to_json(config).find("tie_embeddings") == std::string::npos);
    config.tie_embeddings = true;
    CHECK(check_config(config, "config.json").error().key == "error.config_tied");
    config.source_vocab_size = config.target_vocab_size;
    CHECK(check_config(config, "config.json"));
    CHECK(*config_from_json(config_to_json(config), "config.json") == config);
}
