#include "engine/io/trace.h"

#include "engine/io/safetensors.h"
#include "engine/ops/leaves.h"
#include "tests/engine/model/small_model.h"
#include "tests/support/temporary_folder.h"

#include <doctest/doctest.h>

using namespace headlight;
using namespace headlight::test;

namespace {

const std::vector<TokenId> source{4, 5, 6, 2, 0}; // padded
const std::vector<TokenId> target{1, 5, 4};

Vocabulary vocabulary(Index size) {
    std::vector<std::string> words;
    for (Index i = 4; i < size; ++i) words.push_back("w\"" + std::to_string(i) + "é");
    return Vocabulary::with_specials(words);
}

struct Traced {
    ModelConfig config;
    Parameters parameters = random_parameters(config, 7);
    std::unique_ptr<Model> model = build_transformer(config, parameters);
    TemporaryFolder folder;

    explicit Traced(const ModelConfig& c) : config(c) {
        feed(model->map.source()->tokens, source, 1, Index(source.size()));
        feed(model->map.target()->tokens, target, 1, Index(target.size()));
        model->graph.forward();
    }
    SafetensorsFile write() {
        REQUIRE(write_trace(folder / "t.safetensors", *model, vocabulary(config.source_vocab_size),
                            vocabulary(config.target_vocab_size)));
        auto file = SafetensorsFile::open(folder / "t.safetensors");
        REQUIRE(file);
        return *std::move(file);
    }
};

using Dimensions = std::vector<Index>;

Dimensions shape_of(const SafetensorsFile& file, const std::string& path) {
    const TensorEntry* entry = file.find(path);
    return entry ? entry->shape : Dimensions{};
}

} // namespace

TEST_CASE("a trace has every value of the forward pass, and no weight") {
    for (const ModelConfig& config : all_configs()) {
        CAPTURE(description(config));
        Traced traced(config);
        const SafetensorsFile file = traced.write();
        const Graph& graph = traced.model->graph;
        for (const TensorEntry& entry : file.entries()) {
            const Node* node = graph.find(entry.name);
            REQUIRE_MESSAGE(node, entry.name);
            CHECK_MESSAGE(node->op->name() != "parameter", entry.name);
            std::vector<Real> numbers(std::size_t(entry.count));
            REQUIRE(file.read(entry, numbers.data()));
            CHECK_MESSAGE(std::equal(numbers.begin(), numbers.end(), node->value.data()), entry.name);
        }
        for (const char* path : {"encoder.output", "decoder.output", "encoder.embed.output"})
            CHECK_MESSAGE(file.find(path), path);
    }
}

TEST_CASE("per-head values have three dimensions, also when there is one head; the others have two") {
    for (const Index heads : {1, 2}) {
        ModelConfig config = small_config();
        config.num_heads = heads;
        Traced traced(config);
        const SafetensorsFile file = traced.write();
        const Index d_model = config.d_model, d_k = d_model / heads;
        CHECK(shape_of(file, "encoder.embed.positions") == Dimensions{5, d_model});
        for (const char* name : {"q", "k", "v"}) {
            CHECK(shape_of(file, std::string("encoder.0.self_attn.") + name) == Dimensions{heads, 5, d_k});
            CHECK(shape_of(file, std::string("decoder.0.self_attn.") + name) == Dimensions{heads, 3, d_k});
        }
        CHECK(shape_of(file, "decoder.0.cross_attn.k") == Dimensions{heads, 5, d_k});
        for (const char* name : {"scores", "scaled", "masked", "weights"}) {
            CHECK(shape_of(file, std::string("decoder.0.cross_attn.") + name) == Dimensions{heads, 3, 5});
            CHECK(shape_of(file, std::string("decoder.0.self_attn.") + name) == Dimensions{heads, 3, 3});
        }
        CHECK(shape_of(file, "decoder.0.self_attn.heads") == Dimensions{heads, 3, d_k});
        CHECK(shape_of(file, "decoder.0.self_attn.concat") == Dimensions{3, d_model});
        CHECK(shape_of(file, "encoder.0.ffn.hidden") == Dimensions{5, config.d_ff});
        CHECK(shape_of(file, "output.probabilities") == Dimensions{3, config.target_vocab_size});
    }
}

TEST_CASE("a trace says which tokens were fed, as the vocabulary writes them") {
    Traced traced(small_config());
    const SafetensorsFile file = traced.write();
    CHECK(file.metadata().at("source_tokens") == R"(["w\"4é","w\"5é","w\"6é","</s>","<pad>"])");
    CHECK(file.metadata().at("target_tokens") == R"(["<s>","w\"5é","w\"4é"])");
}

TEST_CASE("a trace that cannot be written is an error, and leaves nothing") {
    Traced traced(small_config());
    const Vocabulary words = vocabulary(traced.config.source_vocab_size);
    const Vocabulary other = vocabulary(traced.config.target_vocab_size);
    CHECK_FALSE(write_trace(traced.folder / "no/such/folder.safetensors", *traced.model, words, other));
    CHECK_FALSE(write_trace(traced.folder.path(), *traced.model, words, other));
    CHECK(traced.folder.count_files() == 0);
}
