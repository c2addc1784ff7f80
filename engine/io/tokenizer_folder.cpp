#include "engine/io/tokenizer_folder.h"

#include "engine/io/file.h"
#include "engine/io/json_reader.h"
#include "engine/io/model_folder.h"
#include "engine/io/sentencepiece_file.h"
#include "engine/io/tokenizer_folder.h"
#include "engine/io/tokenizer_json.h"

#include <algorithm>

namespace headlight {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

bool has(const fs::path& folder, std::initializer_list<const char*> files) {
    return std::all_of(files.begin(), files.end(), [&](const char* file) {
        std::error_code ignored;
        return fs::exists(folder / file, ignored);
    });
}

// Both sides by one tokenizer.
Result<Tokenizers> both(Result<Tokenizer> tokenizer) {
    if (!tokenizer) return tokenizer.error();
    return Tokenizers{*tokenizer, *tokenizer};
}

// Our own files; where there is only one of the two, it is that of both sides.
Result<Tokenizers> read_pair(const fs::path& folder) {
    const char *source_file = "tokenizer_source.json", *target_file = "tokenizer_target.json";
    if (!has(folder, {source_file})) return both(read_tokenizer(folder / target_file));
    if (!has(folder, {target_file})) return both(read_tokenizer(folder / source_file));
    const Result<Tokenizer> source = read_tokenizer(folder / source_file);
    if (!source) return source.error();
    const Result<Tokenizer> target = read_tokenizer(folder / target_file);
    if (!target) return target.error();
    return Tokenizers{*source, *target};
}

// Llama's: <s> in front, unless the settings say otherwise.
Result<Tokenizer> read_pieces(const fs::path& folder, const TokenizerSettings& settings,
                              const std::string& model_type) {
    const Result<SentencepieceFile> file = read_sentencepiece(folder / "tokenizer.model");
    if (!file) return file.error();
    const Result<Tokenizer> tokenizer = tokenizer_of(*file);
    if (!tokenizer) return tokenizer.error();
    const SpecialTokens& specials = tokenizer->vocabulary().specials();
    using Item = PostProcessing::Item;
    PostProcessing round;
    if (settings.flag("add_bos_token", model_type == "llama") && specials.bos != no_token)
        round = PostProcessing::with_begin(specials.bos);
    if (settings.flag("add_eos_token", false) && specials.eos != no_token) {
        if (round.single.empty()) round = {{{Item::What::first, no_token, 0}}, {}};
        round.single.push_back({Item::What::token, specials.eos, 0});
    }
    return tokenizer->with_post_processor(round);
}

Result<Tokenizers> read_files(const fs::path& folder, const TokenizerSettings& settings,
                              const std::string& model_type) {
    if (has(folder, {"tokenizer.json"})) return both(read_tokenizer(folder / "tokenizer.json"));
    if (has(folder, {"tokenizer_source.json"}) || has(folder, {"tokenizer_target.json"}))
        return read_pair(folder);
    if (has(folder, {"source.spm", "target.spm", "vocab.json"})) return read_marian_files(folder, settings);
    if (has(folder, {"vocab.json", "merges.txt"})) return both(read_gpt2_files(folder, settings, model_type));
    if (has(folder, {"vocab.txt"})) return both(read_bert_file(folder, settings));
    if (has(folder, {"tokenizer.model"})) return both(read_pieces(folder, settings, model_type));
    return Error{"error.tokenizer_missing", {folder.string()}};
}

// An id of config.json: a number, or the first of a list.
TokenId id_in(const json& config, const char* key, Index tokens) {
    const auto found = config.find(key);
    if (found == config.end()) return no_token;
    const json& id = found->is_array() && !found->empty() ? found->front() : *found;
    if (!id.is_number_unsigned() || id.get<std::uint64_t>() >= std::uint64_t(tokens)) return no_token;
    return id.get<TokenId>();
}

// The names of tokenizer_config.json go before the ids of config.json, and these before the usual names.
Tokenizer with_own_specials(const Tokenizer& tokenizer, const TokenizerSettings& settings,
                            const json& config) {
    if (tokenizer.is_word_level()) return tokenizer;
    const Vocabulary& vocabulary = tokenizer.vocabulary();
    SpecialTokens specials = vocabulary.specials();
    const auto settle = [&](TokenId& id, const char* name, const char* key) {
        if (const TokenId given = id_in(config, key, vocabulary.size()); given != no_token) id = given;
        const std::string token = settings.name(name, "");
        if (const std::optional<TokenId> named = vocabulary.find(token)) id = *named;
    };
    settle(specials.pad, "pad_token", "pad_token_id");
    settle(specials.bos, "bos_token", "bos_token_id");
    settle(specials.eos, "eos_token", "eos_token_id");
    return tokenizer.with_specials(specials);
}

// Our own models, whose files leave what stands round a sentence to them.
Result<Tokenizers> with_own_feeding(const Tokenizers& tokenizers, const fs::path& config_path) {
    const Result<ModelConfig> config = read_config(config_path);
    if (!config) return config.error();
    const Index smaller =
        std::min(tokenizers.source.vocabulary().size(), tokenizers.target.vocabulary().size());
    for (const auto& [key, id] : {std::pair{"bos_id", config->bos_id}, std::pair{"eos_id", config->eos_id}})
        if (id < 0 || id >= smaller)
            return Error{"error.config_id",
                         {config_path.string(), key, std::to_string(id), std::to_string(smaller - 1)}};
    const PostProcessing ended = PostProcessing::with_end(config->eos_id);
    const PostProcessing begun = PostProcessing::with_begin(config->bos_id);
    return Tokenizers{tokenizers.source.with_post_processor(config->has_encoder() ? ended : begun),
                      tokenizers.target.with_post_processor(config->has_decoder() ? begun : ended)};
}

Result<json> read_json_object(const fs::path& path) {
    constexpr Index longest_file = 4'000'000; // bytes
    const Result<std::string> text = read_file(path, longest_file);
    if (!text) return text.error();
    Result<json> config = parse_json(*text, path.string());
    if (config && !config->is_object()) return Error{"error.config_not_object", {path.string()}};
    return config;
}

Result<Tokenizers> read(const fs::path& folder, const json& config, const std::string& model_type) {
    const Result<TokenizerSettings> settings = read_tokenizer_settings(folder);
    if (!settings) return settings.error();
    const Result<Tokenizers> tokenizers = read_files(folder, *settings, model_type);
    if (!tokenizers) return tokenizers.error();
    if (model_type.empty() && config.contains("architecture"))
        return with_own_feeding(*tokenizers, folder / "config.json");
    const Tokenizer source = with_own_specials(tokenizers->source, *settings, config);
    if (tokenizers->source.is_same_as(tokenizers->target)) return Tokenizers{source, source};
    return Tokenizers{source, with_own_specials(tokenizers->target, *settings, config)};
}

} // namespace

Result<Tokenizers> read_tokenizers(const fs::path& folder, const std::string& model_type) {
    const Result<json> config = read_json_object(folder / "config.json");
    if (!config) return config.error();
    return read(folder, *config, model_type);
}

Result<Tokenizers> read_tokenizers(const fs::path& folder) {
    std::error_code cause;
    if (!fs::is_directory(folder, cause)) return Error{"error.model_folder_missing", {folder.string()}};
    const Result<json> config = read_json_object(folder / "config.json");
    if (!config) return config.error();
    const json type = config->value("model_type", json());
    return read(folder, *config, type.is_string() ? type.get<std::string>() : std::string());
}

} // namespace headlight
