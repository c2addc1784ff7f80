#include "engine/io/model_folder.h"

#include "engine/io/safetensors.h"
#include "tests/engine/model/families.h"
#include "tests/support/temporary_folder.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <limits>

using namespace headlight;
using namespace headlight::test;

namespace fs = std::filesystem;

namespace {

// A copy that can be spoiled.
struct CopiedFamily {
    TemporaryFolder folder;

    explicit CopiedFamily(const std::string& name) {
        for (const fs::directory_entry& entry : fs::directory_iterator(family_folder(name)))
            fs::copy(entry.path(), folder / entry.path().filename().string());
    }
    void replace(const std::string& file, const std::string& from, const std::string& to) const {
        std::string text = folder.read(file);
        REQUIRE(text.find(from) != text.npos);
        folder.write(file, text.replace(text.find(from), from.size(), to));
    }
    Error error() const {
        const Result<ModelFiles> files = read_model_folder(folder.path());
        return files ? Error{"none", {}} : files.error();
    }
    bool opens() const { return bool(read_model_folder(folder.path())); }
};

// The weights as they are in the file, to be written again with something changed.
struct LooseWeights {
    std::vector<std::vector<Real>> numbers;
    std::vector<TensorToWrite> tensors;

    explicit LooseWeights(const fs::path& path) {
        const Result<SafetensorsFile> file = SafetensorsFile::open(path);
        REQUIRE(file);
        numbers.reserve(file->entries().size());
        for (const TensorEntry& entry : file->entries()) {
            numbers.emplace_back(std::size_t(entry.count));
            if (!file->read(entry, numbers.back().data())) continue; // a stray of another type
            tensors.push_back({entry.name, entry.shape, numbers.back().data()});
        }
    }
    TensorToWrite& at(const std::string& name) {
        return *std::find_if(tensors.begin(), tensors.end(), [&](const auto& t) { return t.name == name; });
    }
    void write(const CopiedFamily& family) const {
        REQUIRE(write_safetensors(family.folder / "model.safetensors", tensors));
    }
};

bool names(const Error& error, const std::string& what) {
    return std::any_of(error.arguments.begin(), error.arguments.end(),
                       [&](const std::string& argument) { return argument.find(what) != argument.npos; });
}

// How a folder is refused when one thing in its config is another.
Error error_with(const std::string& family, const std::string& key_and_value) {
    const CopiedFamily copy(family);
    copy.replace("config.json", "{", "{ " + key_and_value + ",");
    return copy.error();
}

} // namespace

TEST_CASE("every small folder opens, without a tokenizer with the numbers for words") {
    for (const std::string& name : all_families()) {
        CAPTURE(name);
        const Result<ModelFiles> files = read_model_folder(family_folder(name));
        REQUIRE(files);
        CHECK(files->family != nullptr);
        CHECK(files->source.encode_ids("3 1 4") == std::vector<TokenId>{3, 1, 4});
        CHECK(files->target.vocabulary().size() == files->config.target_vocab_size);
    }
}

TEST_CASE("what is not computed here is refused by name, with what is") {
    CopiedFamily unknown("gpt2");
    unknown.replace("config.json", "\"gpt2\"", "\"t5\"");
    const Error error = unknown.error();
    CHECK(error.key == "error.family_unknown");
    CHECK(names(error, "t5"));
    CHECK(names(error, "gpt2, bert, distilbert, llama, qwen2, marian"));
    CopiedFamily head("bert_plain");
    head.replace("config.json", "BertModel", "BertForTokenClassification");
    CHECK(head.error().key == "error.family_head");
    CHECK(names(head.error(), "BertForSequenceClassification"));
    CHECK(error_with("bert_plain", R"("position_embedding_type": "relative_key")").key
          == "error.config_not_choice");
    CHECK(error_with("gpt2", R"("quantization_config": {"quant_method": "gptq"})").key
          == "error.family_quantized");
    for (const char* type : {"yarn", "longrope"}) {
        const Error scaled = error_with("llama_grouped", std::string(R"("rope_scaling": {"rope_type": ")")
                                                             + type + R"(", "factor": 4})");
        CHECK(scaled.key == "error.config_not_choice");
        CHECK(names(scaled, type));
    }
    CHECK(error_with("qwen2", R"("sliding_window": 4)").key == "none");
}

TEST_CASE("sizes that make no model are refused") {
    for (const auto& [family, key, value] : {std::array{"gpt2", "n_head", "3"},
                                             {"gpt2", "n_layer", "0"},
                                             {"gpt2", "n_layer", "-2"},
                                             {"gpt2", "n_embd", "99999999999999999999"},
                                             {"gpt2", "n_embd", "\"8\""},
                                             {"gpt2", "vocab_size", "1e30"},
                                             {"llama_grouped", "num_key_value_heads", "3"},
                                             {"llama_grouped", "rms_norm_eps", "-1"},
                                             {"bert_masked", "pad_token_id", "11"},
                                             {"marian", "eos_token_id", "-1"},
                                             {"bert_masked", "hidden_act", "\"mish\""}}) {
        CopiedFamily copy(family);
        const std::string quoted_key = std::string("\"") + key + "\":";
        if (copy.folder.read("config.json").find(quoted_key) != std::string::npos)
            copy.replace("config.json", quoted_key, "\"as it was\":");
        copy.replace("config.json", "{", "{ " + quoted_key + " " + value + ",");
        CAPTURE(key);
        CAPTURE(value);
        CHECK(copy.error().key.starts_with("error.config_"));
        CHECK(names(copy.error(), key));
    }
}

TEST_CASE("a folder that is no model says what it is, and what to do") {
    TemporaryFolder adapter;
    adapter.write("adapter_config.json", "{}");
    CHECK(read_model_folder(adapter.path()).error().key == "error.family_adapter");
    const auto with_instead = [](const std::string& file) {
        const CopiedFamily copy("gpt2");
        fs::remove(copy.folder / "model.safetensors");
        if (!file.empty()) copy.folder.write(file, "x");
        return copy.error();
    };
    CHECK(with_instead("pytorch_model.bin").key == "error.weights_pickle");
    CHECK(with_instead("pytorch_model-00001-of-00002.bin").key == "error.weights_pickle");
    for (const char* other :
         {"tf_model.h5", "flax_model.msgpack", "model.onnx", "gpt2.Q4.gguf", "consolidated.00.pth"}) {
        CHECK(with_instead(other).key == "error.weights_other_format");
        CHECK(names(with_instead(other), other));
    }
    CHECK(with_instead("").key == "error.weights_no_file");
}

TEST_CASE("weights that are missing, of another shape, not finite or of a layer too many are named") {
    const CopiedFamily copy("bert_plain");
    const fs::path file = copy.folder / "model.safetensors";
    const std::string query = "encoder.layer.1.attention.self.query.weight";
    LooseWeights shape(file);
    shape.at(query).shape = {4, 16};
    shape.write(copy);
    CHECK(copy.error().key == "error.weights_shape");
    CHECK(names(copy.error(), query));
    shape.at(query).shape = {8, 8};
    shape.numbers[3][0] = std::numeric_limits<Real>::quiet_NaN();
    shape.write(copy);
    CHECK(copy.error().key == "error.weights_not_finite");
    shape.numbers[3][0] = 0;
    TensorToWrite more = shape.at(query);
    more.name = "encoder.layer.2.attention.self.query.weight";
    shape.tensors.push_back(more);
    shape.write(copy);
    CHECK(copy.error().key == "error.weights_unexpected");
    shape.tensors.pop_back();
    shape.at(query).name = "something.else";
    shape.write(copy);
    CHECK(copy.error().key == "error.weights_missing");
    CHECK(names(copy.error(), query));
}

TEST_CASE("two copies of a tied matrix must be the same") {
    const CopiedFamily copy("llama_grouped");
    LooseWeights weights(copy.folder / "model.safetensors");
    std::vector<Real> other(weights.at("lm_head.weight").values,
                            weights.at("lm_head.weight").values + 11 * 16);
    other[20] += Real(0.5);
    weights.at("lm_head.weight").values = other.data();
    weights.write(copy);
    CHECK(copy.error().key == "error.weights_not_tied");
    CHECK(copy.error().arguments[3] == "1");
    CHECK(copy.error().arguments[4] == "4");
}

TEST_CASE("an index that lies is refused") {
    const std::string index = "model.safetensors.index.json";
    CopiedFamily elsewhere("gpt2_two_shards");
    elsewhere.replace(index, "model-00001-of-00002.safetensors", "../model-00001-of-00002.safetensors");
    CHECK(elsewhere.error().key == "error.weights_index_file");
    CopiedFamily swapped("gpt2_two_shards");
    swapped.replace(index, "\"wte.weight\": \"model-00001-of-00002",
                    "\"wte.weight\": \"model-00002-of-00002");
    CHECK(swapped.error().key == "error.weights_index_entry");
    CopiedFamily missing("gpt2_two_shards");
    fs::remove(missing.folder / "model-00002-of-00002.safetensors");
    CHECK(missing.error().key.starts_with("error.file"));
    CopiedFamily malformed("gpt2_two_shards");
    malformed.folder.write(index, R"({"weight_map": 3})");
    CHECK(malformed.error().key == "error.weights_index");
    malformed.folder.write(index, "{");
    CHECK(malformed.error().key.starts_with("error.json"));
}

TEST_CASE("a file that is cut short anywhere is refused") {
    const CopiedFamily copy("marian");
    const std::string whole = copy.folder.read("model.safetensors");
    for (std::size_t length = 0; length < whole.size(); length += 1 + whole.size() / 23) {
        copy.folder.write("model.safetensors", whole.substr(0, length));
        CHECK(copy.error().key.starts_with("error.safetensors"));
    }
    copy.folder.write("model.safetensors", whole);
    CHECK(copy.opens());
}
