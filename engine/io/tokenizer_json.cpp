#include "engine/io/tokenizer_json.h"

#include "engine/io/file.h"
#include "engine/io/json_text.h"
#include "engine/io/tokenizer_patterns.h"
#include "engine/text/unicode.h"

#include <algorithm>
#include <optional>

namespace headlight {

namespace {

using nlohmann::json;
using Kind = Normalization::Kind;

constexpr Index longest_file = 64'000'000; // bytes; the largest vocabularies in use take a third
constexpr std::size_t most_steps = 32;
constexpr std::size_t most_growth = 64; // times that a chain of replacements may lengthen a text

// Reads one file; the first thing that is wrong with it is kept in `error_`, and reading goes on to no
// effect.
class TokenizerReader {
public:
    explicit TokenizerReader(const std::string& file) : file_(file) {}

    Result<Tokenizer> read(const json& root) {
        if (!root.is_object()) return unsupported("{…}", root);
        TokenizerParts parts;
        read_normalizer(member(root, "normalizer"), "normalizer", parts.normalizer);
        read_pre_tokenizer(member(root, "pre_tokenizer"), "pre_tokenizer", parts.pre_tokenizer);
        check_growth(parts.normalizer);
        parts.joins_directly = reads_as_characters(parts) || is_fuse(member(root, "decoder"));
        read_vocabulary(root, parts.vocabulary);
        if (error_) return *error_;
        return Tokenizer(std::move(parts));
    }

private:
    static const json& member(const json& object, const char* key) {
        static const json nothing;
        const auto found = object.find(key);
        return found == object.end() ? nothing : *found;
    }

    Error unsupported(const std::string& part, const json& value) const {
        return {"error.tokenizer_unsupported", {file_, part, quoted(value)}};
    }
    void refuse(Error error) {
        if (!error_) error_ = std::move(error);
    }
    void refuse(const std::string& part, const json& value) { refuse(unsupported(part, value)); }

    // A flag that may be missing or null.
    bool flag(const json& object, const char* key, const std::string& part, bool otherwise) {
        const json& value = member(object, key);
        if (value.is_null()) return otherwise;
        if (value.is_boolean()) return value.get<bool>();
        refuse(part + "." + key, value);
        return otherwise;
    }

    std::string type_of(const json& step, const std::string& part) {
        const json& type = step.is_object() ? member(step, "type") : step;
        if (type.is_string() && step.is_object()) return type.get<std::string>();
        refuse(part, step);
        return {};
    }

    template <class Steps, class ReadStep>
    void read_sequence(const json& step, const char* key, const std::string& part, Steps& steps,
                       ReadStep read_step) {
        const json& list = member(step, key);
        if (!list.is_array()) return refuse(part + "." + key, list);
        for (std::size_t i = 0; i < list.size() && steps.size() <= most_steps; ++i)
            read_step(list[i], part + "." + key + "[" + std::to_string(i) + "]");
        if (steps.size() > most_steps) refuse(part + "." + key, list);
    }

    void read_normalizer(const json& step, const std::string& part, std::vector<Normalization>& steps) {
        if (step.is_null()) return;
        const std::string type = type_of(step, part);
        if (type == "Sequence")
            read_sequence(step, "normalizers", part, steps, [&](const json& inner, const std::string& place) {
                if (inner.is_null()) return refuse(place, inner);
                read_normalizer(inner, place, steps);
            });
        else if (type == "NFC")
            steps.push_back({Kind::nfc});
        else if (type == "NFD")
            steps.push_back({Kind::nfd});
        else if (type == "NFKC")
            steps.push_back({Kind::nfkc});
        else if (type == "NFKD")
            steps.push_back({Kind::nfkd});
        else if (type == "Lowercase")
            steps.push_back({Kind::lowercase});
        else if (type == "StripAccents")
            steps.push_back({Kind::strip_accents});
        else if (type == "Replace")
            read_replace(step, part, steps);
        else if (type == "BertNormalizer")
            read_bert_normalizer(step, part, steps);
        else
            refuse(part, step);
    }

    void read_replace(const json& step, const std::string& part, std::vector<Normalization>& steps) {
        const json& pattern = member(step, "pattern");
        const json& from = pattern.is_object() ? member(pattern, "String") : pattern;
        const json& to = member(step, "content");
        if (!pattern.is_object() || !from.is_string() || from.get<std::string>().empty())
            return refuse(part + ".pattern", pattern);
        if (!to.is_string()) return refuse(part + ".content", to);
        steps.push_back(
            {Kind::replace, code_points(from.get<std::string>()), code_points(to.get<std::string>())});
    }

    void read_bert_normalizer(const json& step, const std::string& part, std::vector<Normalization>& steps) {
        const bool lowercases = flag(step, "lowercase", part, true);
        if (flag(step, "clean_text", part, true)) steps.push_back({Kind::clean_text});
        if (flag(step, "handle_chinese_chars", part, true)) steps.push_back({Kind::space_ideographs});
        if (flag(step, "strip_accents", part, lowercases)) steps.push_back({Kind::bert_accents});
        if (lowercases) steps.push_back({Kind::lowercase});
    }

    // Ten replacements of “a” by a hundred “a” would make 10²⁰ characters out of one.
    void check_growth(const std::vector<Normalization>& steps) {
        std::size_t growth = 1;
        for (const Normalization& step : steps) {
            if (step.kind != Kind::replace) continue;
            growth *= std::max<std::size_t>(1, (step.to.size() + step.from.size() - 1) / step.from.size());
            if (growth > most_growth) return refuse("normalizer", json(utf8(step.to)));
        }
    }

    void read_pre_tokenizer(const json& step, const std::string& part, std::vector<Splitting>& steps) {
        if (step.is_null()) return;
        const std::string type = type_of(step, part);
        if (type == "Sequence")
            read_sequence(step, "pretokenizers", part, steps,
                          [&](const json& inner, const std::string& place) {
                              if (inner.is_null()) return refuse(place, inner);
                              read_pre_tokenizer(inner, place, steps);
                          });
        else if (type == "Whitespace")
            steps.push_back(Splitting::whitespace);
        else if (type == "WhitespaceSplit")
            steps.push_back(Splitting::whitespace_split);
        else if (type == "BertPreTokenizer")
            steps.push_back(Splitting::bert);
        else if (type == "Punctuation"
                 && (member(step, "behavior").is_null() || step["behavior"] == "Isolated"))
            steps.push_back(Splitting::punctuation);
        else if (type == "Split")
            read_split(step, part, steps);
        else
            refuse(part, step);
    }

    void read_split(const json& step, const std::string& part, std::vector<Splitting>& steps) {
        const json& pattern = member(step, "pattern");
        const json& regex = pattern.is_object() ? member(pattern, "Regex") : pattern;
        const bool inverted = flag(step, "invert", part, false);
        const json& behavior = member(step, "behavior");
        if (regex == word_pattern && behavior == "Removed" && inverted)
            return steps.push_back(Splitting::words);
        for (const char* one_character : {character_pattern, "(?s).", "."})
            if (regex == one_character && behavior == "Isolated")
                return steps.push_back(Splitting::characters);
        refuse(part, step);
    }

    static bool reads_as_characters(const TokenizerParts& parts) {
        const std::vector<Splitting>& steps = parts.pre_tokenizer;
        return std::find(steps.begin(), steps.end(), Splitting::characters) != steps.end();
    }

    bool is_fuse(const json& decoder) {
        if (decoder.is_null()) return false;
        const bool fuses = type_of(decoder, "decoder") == "Fuse";
        if (!fuses) refuse("decoder", decoder);
        return fuses;
    }

    void read_vocabulary(const json& root, Vocabulary& vocabulary) {
        const json& model = member(root, "model");
        if (!model.is_object()) return refuse("model", model);
        // Files of the library's first versions have no type here.
        if (const json& type = member(model, "type"); !type.is_null() && type != "WordLevel")
            return refuse("model.type", type);
        const json& vocab = member(model, "vocab");
        if (!vocab.is_object()) return refuse("model.vocab", vocab);
        std::map<std::string, json> ids;
        for (const auto& [token, id] : vocab.items()) ids.emplace(token, id);

        std::vector<AddedToken> added;
        read_added_tokens(member(root, "added_tokens"), ids, added);
        std::vector<std::string> tokens = in_order(ids);
        if (error_) return;

        const auto id_of = [&](const std::string& token) {
            const auto found = ids.find(token);
            return found == ids.end() ? no_token : found->second.get<TokenId>();
        };
        const json& unk = member(model, "unk_token");
        const std::string unk_token = unk.is_string() ? unk.get<std::string>() : "<unk>";
        const SpecialTokens specials = {id_of("<pad>"), id_of("<s>"), id_of("</s>"), id_of(unk_token)};
        if (specials.unk == no_token) return refuse({"error.tokenizer_no_unknown", {file_, unk_token}});
        vocabulary = Vocabulary(std::move(tokens), specials, std::move(added));
    }

    void read_added_tokens(const json& list, std::map<std::string, json>& ids,
                           std::vector<AddedToken>& added) {
        if (list.is_null()) return;
        if (!list.is_array()) return refuse("added_tokens", list);
        for (std::size_t i = 0; i < list.size(); ++i) {
            const std::string part = "added_tokens[" + std::to_string(i) + "]";
            const json& token = list[i];
            if (!token.is_object()) return refuse(part, token);
            const json& content = member(token, "content");
            const json& id = member(token, "id");
            if (!content.is_string() || content.get<std::string>().empty())
                return refuse(part + ".content", content);
            for (const char* option : {"single_word", "lstrip", "rstrip"})
                if (flag(token, option, part, false)) refuse(part + "." + option, token[option]);
            const auto [place, is_new] = ids.emplace(content.get<std::string>(), id);
            if (!is_new && place->second != id) return refuse(wrong_id(place->first, id));
            if (!is_id(id, ids.size() + list.size())) return refuse(wrong_id(place->first, id));
            added.push_back({id.get<TokenId>(), flag(token, "special", part, true)});
        }
    }

    static bool is_id(const json& id, std::size_t count) {
        return id.is_number_unsigned() && id.get<std::uint64_t>() < count;
    }
    Error wrong_id(const std::string& token, const json& id) const {
        return {"error.tokenizer_id", {file_, token, quoted(id)}};
    }

    // Ids number the tokens from 0 without a hole: a row of the embedding table each.
    std::vector<std::string> in_order(const std::map<std::string, json>& ids) {
        std::vector<const std::string*> places(ids.size(), nullptr);
        for (const auto& [token, id] : ids) {
            if (!is_id(id, ids.size()) || places[id.get<std::size_t>()] != nullptr) {
                refuse(wrong_id(token, id));
                return {};
            }
            places[id.get<std::size_t>()] = &token;
        }
        std::vector<std::string> tokens;
        for (const std::string* token : places) tokens.push_back(*token);
        return tokens;
    }

    const std::string& file_;
    std::optional<Error> error_;
};

} // namespace

Result<Tokenizer> tokenizer_from_json(std::string_view text, const std::string& file) {
    const Result<json> root = parse_json(text, file);
    if (!root) return root.error();
    return TokenizerReader(file).read(*root);
}

Result<Tokenizer> read_tokenizer(const std::filesystem::path& path) {
    const Result<std::string> text = read_file(path, longest_file);
    if (!text) return text.error();
    return tokenizer_from_json(*text, path.string());
}

} // namespace headlight
