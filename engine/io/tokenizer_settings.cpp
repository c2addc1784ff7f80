#include "engine/io/tokenizer_settings.h"

#include "engine/io/file.h"
#include "engine/io/tokenizer_part.h"

#include <charconv>

namespace headlight {

namespace {

using nlohmann::json;
namespace fs = std::filesystem;

constexpr Index longest_settings_file = 4'000'000; // bytes

// A token is given as its text, or as an object with its “content”.
std::string token_text(const json& token) {
    if (token.is_string()) return token.get<std::string>();
    if (token.is_object() && token.contains("content") && token["content"].is_string())
        return token["content"].get<std::string>();
    return {};
}

// The object in a file; missing: an empty one.
Result<json> read_object(const fs::path& path) {
    std::error_code ignored;
    if (!fs::exists(path, ignored)) return json::object();
    const Result<std::string> text = read_file(path, longest_settings_file);
    if (!text) return text.error();
    Result<json> object = parse_json(*text, path.string());
    if (object && !object->is_object()) return Error{"error.config_not_object", {path.string()}};
    return object;
}

// Keys are ids: {"50256": {"content": "<|endoftext|>", "lstrip": false, …}, …}.
void read_decoder_tokens(const TokenizerPart& object, std::vector<TokenizerSettings::Added>& added) {
    if (!object.value().is_object()) return;
    for (const auto& [key, value] : object.value().items()) {
        const TokenizerPart token = object[key.c_str()];
        std::int64_t id = 0;
        const auto [end, fault] = std::from_chars(key.data(), key.data() + key.size(), id);
        if (fault != std::errc() || end != key.data() + key.size()) return token.refuse();
        AddedToken how;
        how.special = token["special"].flag(false);
        how.normalized = token["normalized"].flag(false);
        how.lstrip = token["lstrip"].flag(false);
        how.rstrip = token["rstrip"].flag(false);
        how.single_word = token["single_word"].flag(false);
        added.push_back({token["content"].text(), id, how});
    }
}

} // namespace

std::string TokenizerSettings::name(const char* key, const char* otherwise) const {
    const auto found = names.find(key);
    return found == names.end() ? otherwise : found->second;
}

std::optional<bool> TokenizerSettings::flag(const char* key) const {
    const auto found = flags.find(key);
    if (found == flags.end()) return std::nullopt;
    return found->second;
}

bool TokenizerSettings::flag(const char* key, bool otherwise) const { return flag(key).value_or(otherwise); }

std::optional<Error> TokenizerSettings::add_to(VocabularyBuilder& builder,
                                               const std::vector<std::string>& specials) const {
    for (const std::string& name : specials)
        if (const TokenId id = builder.find(name); id != no_token)
            if (const auto error = builder.add_whole(name, id, {})) return error;
    for (const Added& token : added) {
        if (token.text.empty()) continue;
        if (const auto error = builder.add_whole(token.text, token.id, token.how)) return error;
    }
    return std::nullopt;
}

Result<TokenizerSettings> read_tokenizer_settings(const fs::path& folder) {
    const Result<json> config = read_object(folder / "tokenizer_config.json");
    if (!config) return config.error();
    const Result<json> more = read_object(folder / "added_tokens.json");
    if (!more) return more.error();
    TokenizerSettings settings;
    for (const auto& [key, value] : config->items()) {
        if (value.is_boolean()) settings.flags[key] = value.get<bool>();
        if (key.ends_with("_token") && !token_text(value).empty()) settings.names[key] = token_text(value);
    }
    TokenizerFaults faults((folder / "tokenizer_config.json").string());
    read_decoder_tokens(TokenizerPart(*config, "", faults)["added_tokens_decoder"], settings.added);
    if (faults.first()) return *faults.first();
    for (const auto& [token, id] : more->items()) {
        if (!id.is_number_integer())
            return Error{"error.tokenizer_id", {(folder / "added_tokens.json").string(), token, quoted(id)}};
        const bool is_listed =
            std::any_of(settings.added.begin(), settings.added.end(),
                        [&token = token](const TokenizerSettings::Added& a) { return a.text == token; });
        AddedToken plain;
        plain.special = false;
        if (!is_listed) settings.added.push_back({token, id.get<std::int64_t>(), plain});
    }
    return settings;
}

} // namespace headlight
