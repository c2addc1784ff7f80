#include "engine/io/tokenizer_json.h"

#include "engine/io/atomic_file.h"
#include "engine/io/tokenizer_patterns.h"
#include "engine/text/unicode.h"

#include <nlohmann/json.hpp>

namespace headlight {

namespace {

using nlohmann::ordered_json; // the library's own order of keys

ordered_json of_type(const char* type) { return {{"type", type}}; }

ordered_json bert_normalizer(bool clean_text, bool space_ideographs, bool strip_accents) {
    return {{"type", "BertNormalizer"},
            {"clean_text", clean_text},
            {"handle_chinese_chars", space_ideographs},
            {"strip_accents", strip_accents},
            {"lowercase", false}};
}

ordered_json normalizer_step(const Normalization& step) {
    switch (step.kind) {
    case Normalization::Kind::nfc:
        return of_type("NFC");
    case Normalization::Kind::nfd:
        return of_type("NFD");
    case Normalization::Kind::nfkc:
        return of_type("NFKC");
    case Normalization::Kind::nfkd:
        return of_type("NFKD");
    case Normalization::Kind::lowercase:
        return of_type("Lowercase");
    case Normalization::Kind::strip_accents:
        return of_type("StripAccents");
    case Normalization::Kind::replace:
        return {{"type", "Replace"}, {"pattern", {{"String", utf8(step.from)}}}, {"content", utf8(step.to)}};
    case Normalization::Kind::clean_text:
        return bert_normalizer(true, false, false);
    case Normalization::Kind::space_ideographs:
        return bert_normalizer(false, true, false);
    case Normalization::Kind::bert_accents:
        return bert_normalizer(false, false, true);
    }
    return nullptr;
}

ordered_json split(const char* regex, const char* behavior, bool invert) {
    return {{"type", "Split"}, {"pattern", {{"Regex", regex}}}, {"behavior", behavior}, {"invert", invert}};
}

ordered_json pre_tokenizer_step(Splitting step) {
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
ordered_json sequence(const std::vector<Step>& steps, const char* key, ToJson to_json) {
    if (steps.empty()) return nullptr;
    if (steps.size() == 1) return to_json(steps.front());
    ordered_json list = ordered_json::array();
    for (const auto& step : steps) list.push_back(to_json(step));
    return {{"type", "Sequence"}, {key, std::move(list)}};
}

ordered_json added_tokens(const Vocabulary& vocabulary) {
    ordered_json list = ordered_json::array();
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

ordered_json vocab(const Vocabulary& vocabulary) {
    // An ordered object searches all its keys for each new one; its container takes them as they come.
    ordered_json object = ordered_json::object();
    std::vector<std::pair<const std::string, ordered_json>>& members = object.get_ref<ordered_json::object_t&>();
    for (std::size_t id = 0; id < vocabulary.tokens().size(); ++id)
        members.emplace_back(vocabulary.tokens()[id], id);
    return object;
}

} // namespace

std::string tokenizer_to_json(const Tokenizer& tokenizer) {
    const TokenizerParts& parts = tokenizer.parts();
    ordered_json root;
    root["version"] = "1.0";
    root["truncation"] = nullptr;
    root["padding"] = nullptr;
    root["added_tokens"] = added_tokens(parts.vocabulary);
    root["normalizer"] = sequence(parts.normalizer, "normalizers", normalizer_step);
    root["pre_tokenizer"] = sequence(parts.pre_tokenizer, "pretokenizers", pre_tokenizer_step);
    root["post_processor"] = nullptr;
    root["decoder"] = parts.joins_directly ? of_type("Fuse") : ordered_json(nullptr);
    root["model"] = {{"type", "WordLevel"},
                     {"vocab", vocab(parts.vocabulary)},
                     {"unk_token", parts.vocabulary.token(parts.vocabulary.specials().unk)}};
    return root.dump(1, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

Result<Done> write_tokenizer(const std::filesystem::path& path, const Tokenizer& tokenizer) {
    return write_file_atomically(path, tokenizer_to_json(tokenizer));
}

} // namespace headlight
