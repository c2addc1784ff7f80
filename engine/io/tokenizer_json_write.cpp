#include "engine/io/tokenizer_json.h"

#include "engine/base/check.h"
#include "engine/io/base64.h"
#include "engine/io/file.h"
#include "engine/io/tokenizer_json.h"
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

ordered_json pattern_json(const Pattern& pattern) {
    return {{pattern.is_regex() ? "Regex" : "String", pattern.source()}};
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
    case Normalization::Kind::replace_pattern:
        return {{"type", "Replace"}, {"pattern", pattern_json(*step.pattern)}, {"content", utf8(step.to)}};
    case Normalization::Kind::prepend:
        return {{"type", "Prepend"}, {"prepend", utf8(step.to)}};
    case Normalization::Kind::strip:
        return {{"type", "Strip"}, {"strip_left", step.left}, {"strip_right", step.right}};
    case Normalization::Kind::charsmap:
        return {{"type", "Precompiled"}, {"precompiled_charsmap", to_base64(step.charsmap.bytes())}};
    case Normalization::Kind::sentencepiece: // never with words
        break;
    case Normalization::Kind::clean_text:
        return bert_normalizer(true, false, false);
    case Normalization::Kind::space_ideographs:
        return bert_normalizer(false, true, false);
    case Normalization::Kind::bert_accents:
        return bert_normalizer(false, false, true);
    }
    return nullptr;
}

const char* name_of(SplitBehavior behavior) {
    switch (behavior) {
    case SplitBehavior::removed:
        return "Removed";
    case SplitBehavior::isolated:
        return "Isolated";
    case SplitBehavior::merged_with_previous:
        return "MergedWithPrevious";
    case SplitBehavior::merged_with_next:
        return "MergedWithNext";
    case SplitBehavior::contiguous:
        return "Contiguous";
    }
    return "";
}

ordered_json split(const ordered_json& pattern, SplitBehavior behavior, bool invert) {
    return {{"type", "Split"}, {"pattern", pattern}, {"behavior", name_of(behavior)}, {"invert", invert}};
}

struct PreTokenizerWriter {
    ordered_json operator()(Splitting step) const {
        switch (step) {
        case Splitting::words:
            return split({{"Regex", word_pattern}}, SplitBehavior::removed, true);
        case Splitting::characters:
            return split({{"Regex", character_pattern}}, SplitBehavior::isolated, false);
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
    ordered_json operator()(const PatternSplit& step) const {
        return split(pattern_json(step.pattern), step.behavior, step.invert);
    }
    ordered_json operator()(const ClassSplit& step) const {
        if (step.of == ClassSplit::Of::punctuation)
            return {{"type", "Punctuation"}, {"behavior", name_of(step.behavior)}};
        return {{"type", "Digits"}, {"individual_digits", step.behavior == SplitBehavior::isolated}};
    }
    ordered_json operator()(const ByteLevel& step) const {
        return {{"type", "ByteLevel"},
                {"add_prefix_space", step.add_prefix_space},
                {"trim_offsets", true},
                {"use_regex", step.pattern.has_value()}};
    }
    ordered_json operator()(const Metaspace& step) const {
        const char* schemes[] = {"always", "first", "never"};
        return {{"type", "Metaspace"},
                {"replacement", utf8(std::u32string(1, step.replacement))},
                {"prepend_scheme", schemes[int(step.prepend)]},
                {"split", step.split}};
    }
};

ordered_json decoder_step(const Decoding& step) {
    switch (step.kind) {
    case Decoding::Kind::byte_level:
        return of_type("ByteLevel");
    case Decoding::Kind::word_piece:
        return {{"type", "WordPiece"}, {"prefix", step.text}, {"cleanup", step.cleanup}};
    case Decoding::Kind::metaspace:
        return {{"type", "Metaspace"},
                {"replacement", step.text},
                {"prepend_scheme", step.drops_first ? "always" : "never"},
                {"split", true}};
    case Decoding::Kind::replace:
        return {{"type", "Replace"}, {"pattern", pattern_json(*step.pattern)}, {"content", step.text}};
    case Decoding::Kind::byte_fallback:
        return of_type("ByteFallback");
    case Decoding::Kind::fuse:
        return of_type("Fuse");
    case Decoding::Kind::strip:
        return {{"type", "Strip"}, {"content", step.text}, {"start", step.start}, {"stop", step.stop}};
    case Decoding::Kind::bpe:
        return {{"type", "BPEDecoder"}, {"suffix", step.text}};
    }
    return nullptr;
}

ordered_json template_items(const std::vector<PostProcessing::Item>& items, const Vocabulary& vocabulary,
                            ordered_json& tokens) {
    using What = PostProcessing::Item::What;
    ordered_json list = ordered_json::array();
    for (const PostProcessing::Item& item : items) {
        if (item.what != What::token) {
            list.push_back(
                {{"Sequence", {{"id", item.what == What::first ? "A" : "B"}, {"type_id", item.type}}}});
            continue;
        }
        const std::string& name = vocabulary.token(item.id);
        list.push_back({{"SpecialToken", {{"id", name}, {"type_id", item.type}}}});
        tokens[name] = {
            {"id", name}, {"ids", ordered_json::array({item.id})}, {"tokens", ordered_json::array({name})}};
    }
    return list;
}

ordered_json post_processor(const PostProcessing& processing, const Vocabulary& vocabulary) {
    if (processing.single.empty()) return nullptr;
    ordered_json tokens = ordered_json::object();
    ordered_json single = template_items(processing.single, vocabulary, tokens);
    ordered_json pair = template_items(processing.pair, vocabulary, tokens);
    return {{"type", "TemplateProcessing"},
            {"single", std::move(single)},
            {"pair", std::move(pair)},
            {"special_tokens", std::move(tokens)}};
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
                        {"single_word", token.single_word},
                        {"lstrip", token.lstrip},
                        {"rstrip", token.rstrip},
                        {"normalized", token.normalized},
                        {"special", token.special}});
    return list;
}

ordered_json vocab(const Vocabulary& vocabulary) {
    // An ordered object searches all its keys for each new one; its container takes them as they come.
    ordered_json object = ordered_json::object();
    std::vector<std::pair<const std::string, ordered_json>>& members =
        object.get_ref<ordered_json::object_t&>();
    for (std::size_t id = 0; id < vocabulary.tokens().size(); ++id)
        if (vocabulary.find_in_model(vocabulary.tokens()[id]) != no_token)
            members.emplace_back(vocabulary.tokens()[id], id);
    return object;
}

bool is_of_merges(const Tokenizer& tokenizer) {
    const Bpe* bpe = std::get_if<Bpe>(&tokenizer.parts().model);
    return bpe != nullptr && !bpe->of_scores();
}

// Merges as "a b", which every version of the library reads: no token of byte pairs has a space in it.
ordered_json bpe_model(const Bpe& bpe, const Vocabulary& vocabulary) {
    const BpeOptions& options = bpe.options();
    ordered_json merges = ordered_json::array();
    for (const Bpe::Pair& pair : bpe.merges())
        merges.push_back(vocabulary.token(pair.left) + " " + vocabulary.token(pair.right));
    return {{"type", "BPE"},
            {"dropout", nullptr},
            {"unk_token", options.unknown == no_token ? ordered_json(nullptr)
                                                      : ordered_json(vocabulary.token(options.unknown))},
            {"continuing_subword_prefix", nullptr},
            {"end_of_word_suffix", nullptr},
            {"fuse_unk", options.fuse_unknown},
            {"byte_fallback", options.byte_fallback},
            {"ignore_merges", options.ignore_merges},
            {"vocab", vocab(vocabulary)},
            {"merges", std::move(merges)}};
}

} // namespace

std::string tokenizer_to_json(const Tokenizer& tokenizer) {
    HEADLIGHT_CHECK(tokenizer.is_word_level() || is_of_merges(tokenizer),
                    "a tokenizer that is of neither words nor byte pairs is written");
    const TokenizerParts& parts = tokenizer.parts();
    ordered_json root;
    root["version"] = "1.0";
    root["truncation"] = nullptr;
    root["padding"] = nullptr;
    root["added_tokens"] = added_tokens(parts.vocabulary);
    root["normalizer"] = sequence(parts.normalizer, "normalizers", normalizer_step);
    root["pre_tokenizer"] = sequence(parts.pre_tokenizer, "pretokenizers", [](const PreTokenization& step) {
        return std::visit(PreTokenizerWriter{}, step);
    });
    root["post_processor"] = post_processor(parts.post_processor, parts.vocabulary);
    root["decoder"] = parts.joins_directly && parts.decoder.empty()
                          ? of_type("Fuse")
                          : sequence(parts.decoder, "decoders", decoder_step);
    if (const Bpe* bpe = std::get_if<Bpe>(&parts.model))
        root["model"] = bpe_model(*bpe, parts.vocabulary);
    else
        root["model"] = {{"type", "WordLevel"},
                         {"vocab", vocab(parts.vocabulary)},
                         {"unk_token", parts.vocabulary.token(parts.vocabulary.specials().unk)}};
    return root.dump(1, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

Result<Done> write_tokenizer(const std::filesystem::path& path, const Tokenizer& tokenizer) {
    return write_file_atomically(path, tokenizer_to_json(tokenizer));
}

} // namespace headlight
