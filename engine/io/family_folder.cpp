#include "engine/io/model_folder.h"

#include "engine/io/file.h"
#include "engine/io/model_folder.h"
#include "engine/io/tokenizer_folder.h"
#include "engine/io/weight_files.h"

namespace headlight {

namespace {

namespace fs = std::filesystem;

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

// What is put around a sentence when it is fed.
void read_surroundings(const Tokenizer& tokenizer, FamilySurroundings& around) {
    using What = PostProcessing::Item::What;
    bool is_behind = false;
    for (const PostProcessing::Item& item : tokenizer.parts().post_processor.single) {
        if (item.what == What::token) (is_behind ? around.after : around.before).push_back(item.id);
        is_behind = is_behind || item.what == What::first;
    }
}

// A model has at least as many rows as its tokenizer has tokens; those beyond have no name.
Result<Tokenizer> fitted(const Tokenizer& tokenizer, Index rows, const std::string& config_name,
                         const fs::path& folder) {
    if (const Index tokens = tokenizer.vocabulary().size(); tokens > rows)
        return Error{
            "error.config_vocab_size",
            {config_name, "vocab_size", std::to_string(rows), folder.string(), std::to_string(tokens)}};
    return tokenizer.with_vocab_size(rows);
}

} // namespace

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

Result<ModelFiles> read_family_folder(const fs::path& folder, const std::string& text) {
    const std::string config_name = (folder / "config.json").string();
    const std::string type = family_in_config(text);

    FamilySurroundings around;
    if (is_in(folder, "generation_config.json")) {
        Result<std::string> generation = read_file(folder / "generation_config.json", longest_config);
        if (!generation) return generation.error();
        around.generation = *std::move(generation);
    }
    // What the config refuses is said before anything is said about the weights.
    if (const auto refused = family_from_config(text, config_name, around); !refused) return refused.error();
    const Result<WeightFiles> weights = WeightFiles::open(folder);
    if (!weights) return weights.error();
    around.has_weight = [&](const std::string& name) { return weights->has(name); };

    Result<Tokenizers> tokenizers = read_tokenizers(folder, type);
    const bool has_tokenizer = bool(tokenizers);
    if (!has_tokenizer && tokenizers.error().key != "error.tokenizer_missing") return tokenizers.error();
    if (has_tokenizer) read_surroundings(tokenizers->source, around);
    Result<std::shared_ptr<const Family>> family = family_from_config(text, config_name, around);
    if (!family) return family.error();
    const ModelConfig config = (*family)->shared_config();
    // As many words as the config says are made only once there is a row of weights for each.
    Result<Parameters> parameters = weights->read(**family);
    if (!parameters) return parameters.error();
    if (!has_tokenizer)
        tokenizers =
            Tokenizers{numbered_words(config.source_vocab_size), numbered_words(config.target_vocab_size)};
    Result<Tokenizer> source = fitted(tokenizers->source, config.source_vocab_size, config_name, folder);
    if (!source) return source.error();
    Result<Tokenizer> target = fitted(tokenizers->target, config.target_vocab_size, config_name, folder);
    if (!target) return target.error();
    return ModelFiles{config, *std::move(parameters), *std::move(source), *std::move(target),
                      *std::move(family)};
}

} // namespace headlight
