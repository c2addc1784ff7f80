#include "engine/io/family_folder.h"

#include "engine/io/family_config.h"
#include "engine/io/file.h"
#include "engine/io/tokenizer_json.h"
#include "engine/io/weight_files.h"

namespace headlight {

namespace {

namespace fs = std::filesystem;

constexpr Index longest_config = 16'000'000; // bytes

bool is_in(const fs::path& folder, const char* name) {
    std::error_code ignored;
    return fs::exists(folder / name, ignored);
}

// Words of a model whose folder says nothing of them: their numbers.
Tokenizer numbered_words(Index count) {
    std::vector<std::string> words;
    for (Index i = 0; i < count; ++i) words.push_back(std::to_string(i));
    TokenizerParts parts;
    parts.pre_tokenizer = {Splitting::whitespace_split};
    parts.vocabulary = Vocabulary(std::move(words), {no_token, no_token, no_token, 0}, {});
    return Tokenizer(std::move(parts));
}

std::optional<TokenId> find_token(const Tokenizer& tokenizer, const char* token) {
    return tokenizer.vocabulary().find(token);
}

} // namespace

std::string family_of_folder(const fs::path& folder) {
    if (!is_in(folder, "config.json")) return {};
    const Result<std::string> text = read_file(folder / "config.json", longest_config);
    return text ? family_in_config(*text) : std::string();
}

std::optional<Error> why_no_model(const fs::path& folder) {
    if (is_in(folder, "config.json")) return std::nullopt;
    if (is_in(folder, "adapter_config.json"))
        return Error{"error.family_adapter", {(folder / "adapter_config.json").string()}};
    std::error_code ignored;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored))
        for (const char* ending : {".gguf", ".ggml", ".h5", ".msgpack", ".onnx", ".pth"})
            if (entry.path().extension() == ending)
                return Error{"error.weights_other_format", {entry.path().string(), "model.safetensors"}};
    return std::nullopt;
}

Result<ModelFiles> read_family_folder(const fs::path& folder) {
    const std::string config_name = (folder / "config.json").string();
    const Result<std::string> text = read_file(folder / "config.json", longest_config);
    if (!text) return text.error();
    const std::string type = family_in_config(*text);

    FamilySurroundings around;
    if (is_in(folder, "generation_config.json")) {
        Result<std::string> generation = read_file(folder / "generation_config.json", longest_config);
        if (!generation) return generation.error();
        around.generation = *std::move(generation);
    }
    // What the config refuses is said before anything is said about the weights.
    if (const auto refused = family_from_config(*text, config_name, around); !refused) return refused.error();
    const Result<WeightFiles> weights = WeightFiles::open(folder);
    if (!weights) return weights.error();
    around.has_weight = [&](const std::string& name) {
        for (const char* prefix : {"", "bert.", "distilbert.", "model."})
            if (weights->has(prefix + name)) return true;
        return false;
    };

    std::optional<Tokenizer> tokenizer;
    if (is_in(folder, "tokenizer.json")) {
        Result<Tokenizer> read = read_tokenizer(folder / "tokenizer.json");
        if (read) tokenizer = *std::move(read);
    }
    if (tokenizer && (type == "bert" || type == "distilbert")) {
        if (const auto cls = find_token(*tokenizer, "[CLS]")) around.before = {*cls};
        if (const auto sep = find_token(*tokenizer, "[SEP]")) around.after = {*sep};
    }
    Result<std::shared_ptr<const Family>> family = family_from_config(*text, config_name, around);
    if (!family) return family.error();
    const ModelConfig config = (*family)->shared_config();
    if (!tokenizer) tokenizer = numbered_words(std::max(config.source_vocab_size, config.target_vocab_size));
    Result<Parameters> parameters = weights->read(**family);
    if (!parameters) return parameters.error();
    return ModelFiles{config, *std::move(parameters), *tokenizer, *tokenizer, *std::move(family)};
}

} // namespace headlight
