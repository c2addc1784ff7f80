#include "tests/engine/model/families.h"

#include "engine/decode/writing.h"
#include "engine/io/safetensors.h"
#include "engine/io/trace.h"
#include "engine/io/weight_files.h"
#include "engine/ops/leaves.h"
#include "tests/support/explanation_check.h"
#include "tests/support/temporary_folder.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

using namespace headlight;
using namespace headlight::test;

namespace {

std::vector<Real> numbers_of(const SafetensorsFile& file, const TensorEntry& entry) {
    std::vector<Real> numbers(std::size_t(entry.count));
    REQUIRE(file.read(entry, numbers.data()));
    return numbers;
}

// The largest difference, relative to the largest number expected.
double difference(const std::vector<Real>& expected, const Real* computed) {
    double largest = 0, most = 0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        most = std::max(most, std::abs(double(expected[i])));
        largest = std::max(largest, std::abs(double(expected[i]) - double(computed[i])));
        if (!std::isfinite(double(computed[i]))) return INFINITY;
    }
    return largest / std::max(most, 1e-3);
}

std::vector<TokenId> word_ids(const std::string& letters) {
    std::vector<TokenId> ids;
    for (const char letter : letters) ids.push_back(letter - 'A');
    return ids;
}

} // namespace

TEST_CASE("every family computes what PyTorch does: each head, each layer, each logit") {
    for (const std::string& name : all_families()) {
        CAPTURE(name);
        const ComputedFamily family(name);
        const Result<SafetensorsFile> file =
            SafetensorsFile::open(family_folder(name) / "expected.safetensors");
        REQUIRE(file);
        CHECK(file->entries().size() > 8);
        for (const TensorEntry& entry : file->entries()) {
            CAPTURE(entry.name);
            const Node* node = family.model->graph.find(entry.name);
            REQUIRE(node);
            REQUIRE(node->value.size() == entry.count);
            CHECK(difference(numbers_of(*file, entry), node->value.data()) < 2e-4);
        }
    }
}

TEST_CASE("what is traced of a family is what it was fed and computed") {
    const TemporaryFolder folder;
    for (const std::string& name : all_families()) {
        CAPTURE(name);
        const ComputedFamily family(name);
        const Vocabulary& words = family.files.source.vocabulary();
        REQUIRE(write_trace(folder / "t.safetensors", *family.model, words, words));
        const Result<SafetensorsFile> trace = SafetensorsFile::open(folder / "t.safetensors");
        const Result<SafetensorsFile> file =
            SafetensorsFile::open(family_folder(name) / "expected.safetensors");
        REQUIRE(trace);
        REQUIRE(file);
        for (const TensorEntry& entry : file->entries()) {
            CAPTURE(entry.name);
            REQUIRE(trace->find(entry.name));
            CHECK(trace->find(entry.name)->shape == entry.shape);
        }
        for (const TensorEntry& entry : trace->entries())
            CHECK_MESSAGE(!family.model->graph.find(entry.name)->is(ValueKind::parameter), entry.name);
        for (const auto& [key, ids] : file->metadata()) {
            if (key == "token_type_ids" && !family.model->map.source()->types) continue; // it asks for none
            std::string without_blanks = ids;
            std::erase(without_blanks, ' ');
            CHECK(trace->metadata().at(key) == without_blanks);
        }
    }
}

TEST_CASE("every family fills its map: streams, attentions, layers, sums, norms, what it says") {
    for (const std::string& name : all_families()) {
        CAPTURE(name);
        const ComputedFamily family(name);
        const ModelMap& map = family.model->map;
        const bool is_marian = name.starts_with("marian");
        CHECK(map.streams.size() == (is_marian ? 2 : 1));
        CHECK(map.layers.size() == (is_marian ? 4u : name == "gpt2_two_shards" ? 3u : 2u));
        CHECK(map.feed_forwards.size() == map.layers.size());
        CHECK(map.attentions.size() == map.layers.size() + (is_marian ? 2 : 0));
        CHECK(map.sums.size() == map.attentions.size() + map.layers.size());
        CHECK(map.norms.size() >= map.sums.size());
        for (const Stream& stream : map.streams) {
            CHECK((stream.embeddings && stream.embedded && stream.output && stream.mask));
            CHECK(map.passages(stream).size() == (name == "gpt2_two_shards" ? 4u : 3u));
        }
        for (const Attention& attention : map.attentions) {
            CHECK((attention.q && attention.k && attention.v && attention.weights && attention.output));
            CHECK(attention.k->shape().batch == attention.key_heads);
            CHECK(&attention.scores->input(0) == attention.scored_q());
            CHECK(&attention.scores->input(1) == attention.scored_k());
        }
        for (const Layer& layer : map.layers)
            CHECK(family.model->graph.find(layer.path + ".output") == layer.output);
        CHECK(map.output.values != nullptr);
    }
}

TEST_CASE("a classifier knows what its classes are called") {
    const ComputedFamily family("bert_classes");
    CHECK(family.model->map.output.meaning == Output::Meaning::classes);
    CHECK(family.model->map.output.labels == std::vector<std::string>{"sad", "calm", "glad"});
    CHECK(family.model->map.output.values->shape() == Shape{1, 1, 3});
}

TEST_CASE("a tied matrix is one value, read twice") {
    for (const char* name : {"gpt2", "llama_grouped", "bert_masked", "marian"}) {
        CAPTURE(name);
        const ComputedFamily family(name, true);
        const Node* logits = family.model->map.output.values;
        const Node* table = &family.model->map.streams.back().embeddings->input(0);
        CHECK(&logits->input(1) == table);
        Index readers = 0;
        for (const Node& node : family.model->graph.nodes())
            readers += std::count(node.inputs.begin(), node.inputs.end(), table);
        CHECK(readers == (std::string(name) == "marian" ? 3 : 2));
    }
}

TEST_CASE("the decoder of Marian begins with padding, never says it, and stops where it may not go on") {
    ComputedFamily family("marian");
    Model& model = *family.model;
    const Stream& target = *model.map.target();
    CHECK(target.before == std::vector<TokenId>{10});
    CHECK(target.max_length == 11); // max_length 12 counts the start and the forced end
    const std::vector<TokenId> source = {3, 1, 4, 1, 0};
    const std::vector<TokenId> said = greedy_decode(model, source);
    CHECK(said.size() <= 10);
    CHECK(std::count(said.begin(), said.end(), 10) == 0);
    // Also where nothing else would be more probable.
    Parameters& weights = family.files.parameters;
    weights.tensor (*weights.find("final_logits_bias"))(0, 0, 10) = 1000;
    const std::vector<TokenId> otherwise = greedy_decode(model, source);
    CHECK(std::count(otherwise.begin(), otherwise.end(), 10) == 0);
}

TEST_CASE("the published sorting model computes its recorded activations, and sorts all 729 inputs") {
    const std::filesystem::path folder = HEADLIGHT_SOURCE_DIR "/tests/data/nano-sort";
    Result<ModelFiles> files = read_model_folder(folder);
    REQUIRE(files);
    const auto model = files->build(files->parameters);
    const Result<SafetensorsFile> recorded = SafetensorsFile::open(folder / "activations.safetensors");
    REQUIRE(recorded);
    const auto check = [&](const char* theirs, const char* ours, Index input) {
        CAPTURE(theirs);
        const std::vector<Real> all = numbers_of(*recorded, *recorded->find(theirs));
        const Tensor& value = model->graph.find(ours)->value;
        const std::vector<Real> expected(all.begin() + input * value.size(),
                                         all.begin() + (input + 1) * value.size());
        CHECK(difference(expected, value.data()) < 1e-5);
    };
    const std::vector<Real> fed = numbers_of(*recorded, *recorded->find("idx"));
    for (Index input = 0; input < 3; ++input) {
        const std::vector<TokenId> ids(fed.begin() + input * 11, fed.begin() + (input + 1) * 11);
        feed(model->map.target()->tokens, ids, 1, 11);
        model->graph.forward();
        for (const auto& [theirs, ours] : {std::pair{"tok_emb", "decoder.embed.tokens"},
                                           {"x", "decoder.embed.output"},
                                           {"ln1", "decoder.0.norm1"},
                                           {"q", "decoder.0.self_attn.q"},
                                           {"k", "decoder.0.self_attn.k"},
                                           {"v", "decoder.0.self_attn.v"},
                                           {"attSm", "decoder.0.self_attn.weights"},
                                           {"y", "decoder.0.self_attn.concat"},
                                           {"yProj", "decoder.0.self_attn.output"},
                                           {"fc", "decoder.0.ffn.hidden"},
                                           {"gelu", "decoder.0.ffn.activated"},
                                           {"mlp", "decoder.0.ffn.output"},
                                           {"block0", "decoder.0.output"},
                                           {"block1", "decoder.1.output"},
                                           {"block2", "decoder.2.output"},
                                           {"ln_f", "decoder.output"},
                                           {"lm_head", "output.logits"},
                                           {"probs", "output.probabilities"}})
            check(theirs, ours, input);
    }
    CHECK(greedy_decode(*model, word_ids("CBABCA")) == word_ids("AABBCC"));
    for (Index number = 0; number < 729; ++number) {
        std::vector<TokenId> letters;
        for (Index rest = number, i = 0; i < 6; ++i, rest /= 3) letters.push_back(TokenId(rest % 3));
        std::vector<TokenId> sorted = letters;
        std::sort(sorted.begin(), sorted.end());
        REQUIRE(greedy_decode(*model, letters) == sorted);
    }
}

TEST_CASE("every number of every family explains itself, forward and backward") {
    for (const std::string& name : one_of_a_family()) {
        CAPTURE(name);
        const ComputedFamily family(name, true);
        CHECK(unexplained_cell(family.model->graph) == "");
        if (family.model->map.output.loss) CHECK(unexplained_gradient(family.model->graph) == "");
    }
}

TEST_CASE("matrices that stay in 16 bits compute, differentiate and explain what unpacked ones do") {
    Index packed_values = 0;
    for (const std::string& name : all_families()) {
        CAPTURE(name);
        const ComputedFamily unpacked(name, true);
        ComputedFamily family(name, true);
        const Result<WeightFiles> weights = WeightFiles::open(family_folder(name));
        REQUIRE(weights);
        Result<Parameters> packed = weights->read(*family.files.family, 0);
        REQUIRE(packed);
        family.model.reset(); // of the weights that these replace
        family.files.parameters = *std::move(packed);
        family.model = family.files.build(family.files.parameters, {.loss = true});
        const std::unique_ptr<Model> pass = family.another_pass();
        for (const Node& node : pass->graph.nodes()) {
            CAPTURE(node.path);
            packed_values += node.value.is_packed();
            const Node& other = *unpacked.model->graph.find(node.path);
            REQUIRE(node.value.size() == other.value.size());
            for (Index b = 0; b < node.value.batch(); ++b)
                for (Index r = 0; r < node.value.rows(); ++r)
                    for (Index c = 0; c < node.value.columns(); ++c)
                        if (node.value(b, r, c) != doctest::Approx(other.value(b, r, c)).epsilon(1e-4)
                            && !(std::isinf(node.value(b, r, c)) && std::isinf(other.value(b, r, c))))
                            FAIL("cell ", b, ", ", r, ", ", c);
            if (!pass->graph.has_gradient(node)) continue;
            for (Index i = 0; i < node.grad.size(); ++i)
                if (node.grad.data()[i] != doctest::Approx(other.grad.data()[i]).epsilon(1e-3))
                    FAIL("gradient ", i);
        }
        CHECK(unexplained_cell(pass->graph) == "");
        if (pass->map.output.loss) CHECK(unexplained_gradient(pass->graph) == "");
        // Whoever looks has them unpacked, and again after they were forgotten.
        for (const Node& node : pass->graph.nodes()) {
            if (!node.value.is_packed()) continue;
            const Real last = node.value(0, node.value.rows() - 1, node.value.columns() - 1);
            CHECK(node.value.data()[node.value.size() - 1] == last);
            CHECK(family.files.parameters.forget_unpacked(0));
            CHECK_FALSE(family.files.parameters.forget_unpacked(0));
            CHECK(node.value.data()[node.value.size() - 1] == last);
        }
    }
    CHECK(packed_values > 20);
}
