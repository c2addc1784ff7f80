#include "engine/io/tokenizer_json.h"

#include "engine/io/atomic_file.h"
#include "engine/io/tokenizer_patterns.h"
#include "engine/text/unicode.h"

#include <nlohmann/json.hpp>

namespace headlight {

namespace {

using json = nlohmann::ordered_json; // the library's own order of keys

json of_type(const char* type) { return {{"type", type}}; }

json bert_normalizer(bool clean_text, bool space_ideographs, bool strip_accents) {
    return {{"type", "BertNormalizer"},
            {"clean_text", clean_text},
            {"handle_chinese_chars", space_ideographs},
            {"strip_accents", strip_accents},
            {"lowercase", false}};
}

json normalizer_step(const Normalization& step) {
    using Kind = Normalization::Kind;
    switch (step.kind) {
    case Kind::nfc:
        return of_type("NFC");
    case Kind::nfd:
        return of_type("NFD");
    case Kind::nfkc:
        return of_type("NFKC");
    case Kind::nfkd:
        return of_type("NFKD");
    case Kind::lowercase:
        return of_type("Lowercase");
    case Kind::strip_accents:
        return of_type("StripAccents");
    case Kind::replace:
        return {{"type", "Replace"}, {"pattern", {{"String", utf8(step.from)}}}, {"content", utf8(step.to)}};
    case Kind::clean_text:
        return bert_normalizer(true, false, false);
    case Kind::space_ideographs:
        return bert_normalizer(false, true, false);
    case Kind::bert_accents:
        return bert_normalizer(false, false, true);
    }
    return nullptr;
}

json split(const char* regex, const char* behavior, bool invert) {
    return {{"type", "Split"}, {"pattern", {{"Regex", regex}}}, {"behavior", behavior}, {"invert", invert}};
}

json pre_tokenizer_step(Splitting step) {
    switch (step) {
    case Splitting::words:
        return split(word_pattern, "Removed", true);
    case Splitting::characters:
        return split(character_pattern, "Isolated", false);
    case Splitting::whitespace:
        return of_type("Whitespace");
    case Splitting::whitespace_split:
        return of_type("WhitespaceSplit");
    case Splitting::bert:
        return of_type("BertPreTokenizer");
    case Splitting::punctuation:
        return {{"type", "Punctuation"}, {"behavior", "Isolated"}};
    }
    return nullptr;
}

// None is null, one stands alone, several are a Sequence.
template <class Step, class ToJson>
json sequence(const std::vector<Step>& steps, const char* key, ToJson to_json) {
    if (steps.empty()) return nullptr;
    if (steps.size() == 1) return to_json(steps.front());
    json list = json::array();
    for (const auto& step : steps) list.push_back(to_json(step));
    return {{"type", "Sequence"}, {key, std::move(list)}};
}

json added_tokens(const Vocabulary& vocabulary) {
    json list = json::array();
    for (const AddedToken& token : vocabulary.added())
        list.push_back({{"id", token.id},
                        {"content", vocabulary.token(token.id)},
                        {"single_word", false},
                        {"lstrip", false},
                        {"rstrip", false},
                        {"normalized", false},
                        {"special", token.special}});
    return list;
}

json vocab(const Vocabulary& vocabulary) {
    // An ordered object searches all its keys for each new one; its container takes them as they come.
    json object = json::object();
    std::vector<std::pair<const std::string, json>>& members = object.get_ref<json::object_t&>();
    for (std::size_t id = 0; id < vocabulary.tokens().size(); ++id)
        members.emplace_back(vocabulary.tokens()[id], id);
    return object;
}

} // namespace

std::string tokenizer_to_json(const Tokenizer& tokenizer) {
    const TokenizerParts& parts = tokenizer.parts();
    json root;
    root["version"] = "1.0";
    root["truncation"] = nullptr;
    root["padding"] = nullptr;
    root["added_tokens"] = added_tokens(parts.vocabulary);
    root["normalizer"] = sequence(parts.normalizer, "normalizers", normalizer_step);
    root["pre_tokenizer"] = sequence(parts.pre_tokenizer, "pretokenizers", pre_tokenizer_step);
    root["post_processor"] = nullptr;
    root["decoder"] = parts.joins_directly ? of_type("Fuse") : json(nullptr);
    root["model"] = {{"type", "WordLevel"},
                     {"vocab", vocab(parts.vocabulary)},
                     {"unk_token", parts.vocabulary.token(parts.vocabulary.specials().unk)}};
    return root.dump(1, ' ', false, json::error_handler_t::replace) + "\n";
}

Result<Done> write_tokenizer(const std::filesystem::path& path, const Tokenizer& tokenizer) {
    return write_file_atomically(path, tokenizer_to_json(tokenizer));
}

} // namespace headlight
