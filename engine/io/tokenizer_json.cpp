#include "engine/io/tokenizer_json.h"
#include "engine/base/lasting.h"
#include "engine/io/file.h"

#include <algorithm>
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

using nlohmann::json;

TokenizerPart TokenizerPart::operator[](const char* key) const {
    static const json& nothing = lasting(json());
    const std::string name = name_.empty() ? key : name_ + "." + key;
    if (!value_.is_object()) return {nothing, name, faults_};
    const auto found = value_.find(key);
    return {found == value_.end() ? nothing : *found, name, faults_};
}

TokenizerPart TokenizerPart::operator[](std::size_t place) const {
    return {value_[place], name_ + "[" + std::to_string(place) + "]", faults_};
}

bool TokenizerPart::flag(bool otherwise) const {
    if (value_.is_boolean()) return value_.get<bool>();
    if (!is_missing()) refuse();
    return otherwise;
}

std::string TokenizerPart::text(const std::string& otherwise) const {
    if (value_.is_string()) return value_.get<std::string>();
    if (!is_missing()) refuse();
    return otherwise;
}

std::size_t TokenizerPart::count(std::size_t otherwise, std::size_t most) const {
    if (is_missing()) return otherwise;
    if (value_.is_number_unsigned() && value_.get<std::uint64_t>() <= most) return value_.get<std::size_t>();
    refuse();
    return otherwise;
}

std::string TokenizerPart::type() const {
    const TokenizerPart type = (*this)["type"];
    if (type.value().is_string() && !type.value().get<std::string>().empty())
        return type.value().get<std::string>();
    refuse();
    return {};
}

std::optional<Pattern> TokenizerPart::pattern() const {
    const TokenizerPart text = (*this)["String"], regex = (*this)["Regex"];
    if (text.value().is_string() && !text.text().empty()) return Pattern::text(text.text());
    if (!regex.value().is_string()) {
        refuse();
        return std::nullopt;
    }
    const Result<Pattern> pattern = Pattern::regex(regex.text(), faults_.file());
    if (!pattern) {
        faults_.refuse(pattern.error());
        return std::nullopt;
    }
    return *pattern;
}

namespace {

constexpr Index longest_tokenizer_json = 64'000'000; // bytes; the largest vocabularies in use take a third

bool is_cut_into_characters(const TokenizerParts& parts) {
    const std::vector<PreTokenization>& steps = parts.pre_tokenizer;
    return std::find(steps.begin(), steps.end(), PreTokenization(Splitting::characters)) != steps.end();
}

// Words without a decoder are joined in a way of their own; so are characters, and what is only fused.
void settle_joining(TokenizerParts& parts) {
    if (!std::holds_alternative<WordLevel>(parts.model)) return;
    const bool fuses = parts.decoder == std::vector<Decoding>{{Decoding::Kind::fuse}};
    parts.joins_directly = fuses || is_cut_into_characters(parts);
    if (parts.joins_directly && fuses) parts.decoder.clear();
}

} // namespace

Result<Tokenizer> tokenizer_from_json(std::string_view text, const std::string& file) {
    TokenizerRows rows = {{"/model/vocab", {}}, {"/model/merges", {}}};
    const Result<nlohmann::json> tree = parse_json(text, file, rows);
    if (!tree) return tree.error();
    TokenizerFaults faults(file);
    const TokenizerPart root(*tree, "", faults);
    if (!tree->is_object()) {
        faults.refuse("{…}", *tree);
        return *faults.first();
    }
    TokenizerParts parts;
    read_normalizer(root["normalizer"], parts.normalizer);
    read_pre_tokenizer(root["pre_tokenizer"], parts.pre_tokenizer);
    read_decoder(root["decoder"], parts.decoder);
    check_growth(parts.normalizer, faults);
    check_growth(parts.pre_tokenizer, faults);
    check_growth(parts.decoder, faults);
    if (!faults.first()) read_token_model(root, rows, parts);
    if (!faults.first()) read_post_processor(root["post_processor"], parts.vocabulary, parts.post_processor);
    if (faults.first()) return *faults.first();
    settle_joining(parts);
    return Tokenizer(std::move(parts));
}

Result<Tokenizer> read_tokenizer(const std::filesystem::path& path) {
    const Result<std::string> text = read_file(path, longest_tokenizer_json);
    if (!text) return text.error();
    return tokenizer_from_json(*text, path.string());
}

} // namespace headlight
