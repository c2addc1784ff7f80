#include "engine/io/base64.h"
#include "engine/io/tokenizer_json.h"
#include "engine/text/unicode.h"

#include <algorithm>
#include <utility>

namespace headlight {

namespace {

using nlohmann::json;
using TemplateItem = PostProcessing::Item;

// A token of the template: its ids are in “special_tokens”, and in the vocabulary too.
void read_template_token(const TokenizerPart& piece, const TokenizerPart& specials,
                         const Vocabulary& vocabulary, int type, std::vector<TemplateItem>& items) {
    const std::string name = piece["id"].text();
    const TokenizerPart ids = specials[name.c_str()]["ids"];
    if (!ids.value().is_array() || ids.size() > 64) return ids.refuse();
    for (const json& id : ids.value()) {
        if (!id.is_number_unsigned() || id.get<std::uint64_t>() >= std::uint64_t(vocabulary.size()))
            return ids.refuse();
        items.push_back({TemplateItem::What::token, id.get<TokenId>(), type});
    }
}

void read_template(const TokenizerPart& list, const TokenizerPart& specials, const Vocabulary& vocabulary,
                   std::vector<TemplateItem>& items) {
    if (!list.value().is_array() || list.size() > 64) return list.refuse();
    for (std::size_t i = 0; i < list.size(); ++i) {
        const TokenizerPart sequence = list[i]["Sequence"], special = list[i]["SpecialToken"];
        const TokenizerPart& piece = sequence.is_missing() ? special : sequence;
        if (!piece.value().is_object()) return list[i].refuse();
        const int type = int(piece["type_id"].count(0, 1'000'000));
        if (sequence.is_missing()) {
            read_template_token(special, specials, vocabulary, type, items);
            continue;
        }
        const std::string which = piece["id"].text();
        if (which != "A" && which != "B") return piece["id"].refuse();
        items.push_back(
            {which == "A" ? TemplateItem::What::first : TemplateItem::What::second, no_token, type});
    }
}

// ["[SEP]", 102]
TemplateItem named_token(const TokenizerPart& pair, const Vocabulary& vocabulary) {
    const json id = pair.size() == 2 ? pair.value()[1] : json();
    if (!id.is_number_unsigned() || id.get<std::uint64_t>() >= std::uint64_t(vocabulary.size())) {
        pair.refuse();
        return {};
    }
    return {TemplateItem::What::token, id.get<TokenId>(), 0};
}

Decoding strip_of(const TokenizerPart& step) {
    Decoding strip{Decoding::Kind::strip, step["content"].text()};
    strip.start = step["start"].count(0, 1'000'000);
    strip.stop = step["stop"].count(0, 1'000'000);
    return strip;
}

} // namespace

void read_post_processor(const TokenizerPart& step, const Vocabulary& vocabulary,
                         PostProcessing& processing) {
    if (step.is_missing()) return;
    const std::string type = step.type();
    if (type == "Sequence")
        return step.for_each_step("processors", [&](const TokenizerPart& inner) {
            read_post_processor(inner, vocabulary, processing);
        });
    if (type == "ByteLevel" || type.empty()) return;      // changes only where tokens are said to stand
    if (!processing.single.empty()) return step.refuse(); // two templates, one in the other
    const TemplateItem first = {TemplateItem::What::first, no_token, 0};
    if (type == "TemplateProcessing") {
        read_template(step["single"], step["special_tokens"], vocabulary, processing.single);
        read_template(step["pair"], step["special_tokens"], vocabulary, processing.pair);
    } else if (type == "BertProcessing" || type == "RobertaProcessing") {
        const TemplateItem begin = named_token(step["cls"], vocabulary),
                           end = named_token(step["sep"], vocabulary);
        const bool is_bert = type == "BertProcessing";
        processing.single = {begin, first, end};
        processing.pair = {begin, first, end};
        if (!is_bert) processing.pair.push_back(end);
        const int second = is_bert ? 1 : 0;
        processing.pair.push_back({TemplateItem::What::second, no_token, second});
        processing.pair.push_back({TemplateItem::What::token, end.id, second});
    } else {
        step.refuse_type();
    }
}

void read_decoder(const TokenizerPart& step, std::vector<Decoding>& steps) {
    if (step.is_missing()) return;
    const std::string type = step.type();
    if (type == "Sequence") {
        step.for_each_step("decoders", [&](const TokenizerPart& inner) { read_decoder(inner, steps); });
    } else if (type == "ByteLevel") {
        steps.push_back({Decoding::Kind::byte_level});
    } else if (type == "Fuse") {
        steps.push_back({Decoding::Kind::fuse});
    } else if (type == "ByteFallback") {
        steps.push_back({Decoding::Kind::byte_fallback});
    } else if (type == "WordPiece") {
        Decoding join{Decoding::Kind::word_piece, step["prefix"].text("##")};
        join.cleanup = step["cleanup"].flag(true);
        steps.push_back(std::move(join));
    } else if (type == "Metaspace") {
        Decoding spaces{Decoding::Kind::metaspace, step["replacement"].text("▁")};
        const bool prefix = step["add_prefix_space"].flag(true);
        spaces.drops_first = step["prepend_scheme"].text(prefix ? "always" : "never") != "never";
        steps.push_back(std::move(spaces));
    } else if (type == "Replace") {
        Decoding replace{Decoding::Kind::replace, step["content"].text()};
        replace.pattern = step["pattern"].pattern();
        if (replace.pattern) steps.push_back(std::move(replace));
    } else if (type == "Strip") {
        steps.push_back(strip_of(step));
    } else if (type == "BPEDecoder") {
        steps.push_back({Decoding::Kind::bpe, step["suffix"].text("</w>")});
    } else if (!type.empty()) {
        step.refuse_type();
    }
}

namespace {

using nlohmann::json;

void read_bert_normalizer(const TokenizerPart& step, std::vector<Normalization>& steps) {
    const bool lowercases = step["lowercase"].flag(true);
    if (step["clean_text"].flag(true)) steps.push_back({Normalization::Kind::clean_text});
    if (step["handle_chinese_chars"].flag(true)) steps.push_back({Normalization::Kind::space_ideographs});
    if (step["strip_accents"].flag(lowercases)) steps.push_back({Normalization::Kind::bert_accents});
    if (lowercases) steps.push_back({Normalization::Kind::lowercase});
}

void read_replace(const TokenizerPart& step, std::vector<Normalization>& steps) {
    const std::optional<Pattern> pattern = step["pattern"].pattern();
    const TokenizerPart to = step["content"];
    if (!to.value().is_string()) return to.refuse();
    if (!pattern) return;
    Normalization replace;
    replace.to = code_points(to.text());
    if (pattern->is_regex()) {
        replace.kind = Normalization::Kind::replace_pattern;
        replace.pattern = pattern;
    } else {
        replace.kind = Normalization::Kind::replace;
        replace.from = code_points(pattern->source());
    }
    steps.push_back(std::move(replace));
}

void read_charsmap(const TokenizerPart& step, std::vector<Normalization>& steps) {
    const TokenizerPart table = step["precompiled_charsmap"];
    std::optional<std::string> bytes;
    if (table.value().is_string()) bytes = from_base64(table.text());
    std::optional<Charsmap> charsmap;
    if (bytes) charsmap = Charsmap::from_bytes(*std::move(bytes));
    if (!charsmap) return table.refuse();
    Normalization map{Normalization::Kind::charsmap};
    map.charsmap = *charsmap;
    steps.push_back(std::move(map));
}

std::optional<SplitBehavior> behavior_of(const TokenizerPart& behavior, const char* otherwise) {
    constexpr std::pair<const char*, SplitBehavior> behaviors[] = {
        {"Removed", SplitBehavior::removed},
        {"Isolated", SplitBehavior::isolated},
        {"MergedWithPrevious", SplitBehavior::merged_with_previous},
        {"MergedWithNext", SplitBehavior::merged_with_next},
        {"Contiguous", SplitBehavior::contiguous}};
    const std::string name = behavior.text(otherwise);
    for (const auto& [known, meaning] : behaviors)
        if (name == known) return meaning;
    behavior.refuse();
    return std::nullopt;
}

void read_split(const TokenizerPart& step, std::vector<PreTokenization>& steps) {
    const json& pattern_value = step["pattern"].value();
    const json regex = pattern_value.is_object() ? pattern_value.value("Regex", json()) : json();
    const bool inverted = step["invert"].flag(false);
    const std::optional<SplitBehavior> behavior = behavior_of(step["behavior"], "");
    // Those of our own files are cut character by character, without an expression.
    if (regex == word_pattern && behavior == SplitBehavior::removed && inverted)
        return steps.push_back(Splitting::words);
    for (const char* one_character : {character_pattern, "(?s).", "."})
        if (regex == one_character && behavior == SplitBehavior::isolated)
            return steps.push_back(Splitting::characters);
    const std::optional<Pattern> pattern = step["pattern"].pattern();
    if (pattern && behavior) steps.push_back(PatternSplit{*pattern, *behavior, inverted});
}

void read_byte_level(const TokenizerPart& step, std::vector<PreTokenization>& steps) {
    ByteLevel bytes;
    bytes.add_prefix_space = step["add_prefix_space"].flag(true);
    if (step["use_regex"].flag(true)) {
        const Result<Pattern> pattern = Pattern::regex(gpt2_pattern, step.faults().file());
        if (!pattern) return step.faults().refuse(pattern.error());
        bytes.pattern = *pattern;
    }
    steps.push_back(std::move(bytes));
}

void read_metaspace(const TokenizerPart& step, std::vector<PreTokenization>& steps) {
    Metaspace spaces;
    const std::u32string replacement = code_points(step["replacement"].text("▁"));
    if (replacement.size() != 1) return step["replacement"].refuse();
    spaces.replacement = replacement.front();
    // Older files say whether, newer ones where.
    const std::string scheme =
        step["prepend_scheme"].text(step["add_prefix_space"].flag(true) ? "always" : "never");
    if (scheme == "first")
        spaces.prepend = Metaspace::Prepend::first;
    else if (scheme == "never")
        spaces.prepend = Metaspace::Prepend::never;
    else if (scheme != "always")
        return step["prepend_scheme"].refuse();
    spaces.split = step["split"].flag(true);
    steps.push_back(spaces);
}

void read_class_split(const TokenizerPart& step, ClassSplit::Of of, SplitBehavior otherwise,
                      std::vector<PreTokenization>& steps) {
    std::optional<SplitBehavior> behavior = otherwise;
    if (!step["behavior"].is_missing()) behavior = behavior_of(step["behavior"], "");
    if (!behavior) return;
    if (of == ClassSplit::Of::punctuation && *behavior == SplitBehavior::isolated)
        return steps.push_back(Splitting::punctuation);
    steps.push_back(ClassSplit{of, *behavior});
}

constexpr std::size_t most_growth = 64; // times

// How much longer a text becomes where every match turns into so many characters.
std::size_t growth_by(const Pattern& pattern, std::size_t characters) {
    const std::size_t matched = pattern.is_regex() ? 1 : code_points(pattern.source()).size();
    return std::max<std::size_t>(1, (characters + matched - 1) / matched)
           + (pattern.may_match_nothing() && characters > 0 ? 1 : 0);
}

} // namespace

void read_normalizer(const TokenizerPart& step, std::vector<Normalization>& steps) {
    constexpr std::pair<const char*, Normalization::Kind> plain[] = {
        {"NFC", Normalization::Kind::nfc},
        {"NFD", Normalization::Kind::nfd},
        {"NFKC", Normalization::Kind::nfkc},
        {"NFKD", Normalization::Kind::nfkd},
        {"Lowercase", Normalization::Kind::lowercase},
        {"StripAccents", Normalization::Kind::strip_accents}};
    if (step.is_missing()) return;
    const std::string type = step.type();
    for (const auto& [name, kind] : plain)
        if (type == name) return steps.push_back({kind});
    if (type == "Sequence") {
        step.for_each_step("normalizers", [&](const TokenizerPart& inner) { read_normalizer(inner, steps); });
    } else if (type == "Replace") {
        read_replace(step, steps);
    } else if (type == "BertNormalizer") {
        read_bert_normalizer(step, steps);
    } else if (type == "Precompiled") {
        read_charsmap(step, steps);
    } else if (type == "Prepend") {
        steps.push_back({Normalization::Kind::prepend, {}, code_points(step["prepend"].text())});
    } else if (type == "Strip") {
        Normalization strip{Normalization::Kind::strip};
        strip.left = step["strip_left"].flag(true);
        strip.right = step["strip_right"].flag(true);
        steps.push_back(std::move(strip));
    } else if (!type.empty()) {
        step.refuse_type();
    }
}

void check_growth(const std::vector<Normalization>& steps, TokenizerFaults& faults) {
    std::size_t growth = 1;
    for (const Normalization& step : steps) {
        if (step.kind == Normalization::Kind::replace)
            growth *= std::max<std::size_t>(1, (step.to.size() + step.from.size() - 1) / step.from.size());
        if (step.kind == Normalization::Kind::replace_pattern)
            growth *= growth_by(*step.pattern, step.to.size());
        if (step.kind == Normalization::Kind::prepend && step.to.size() > most_growth)
            growth *= step.to.size();
        if (step.kind == Normalization::Kind::charsmap && step.charsmap.longest_replacement() > most_growth)
            growth *= step.charsmap.longest_replacement();
        if (growth > most_growth) return faults.refuse("normalizer", json(utf8(step.to)));
    }
}

void check_growth(const std::vector<PreTokenization>& steps, TokenizerFaults& faults) {
    std::size_t growth = 1;
    for (const PreTokenization& step : steps)
        if (std::holds_alternative<ByteLevel>(step)) growth *= 2; // a byte is written with up to two
    if (growth > most_growth) faults.refuse("pre_tokenizer", json("ByteLevel"));
}

void check_growth(const std::vector<Decoding>& steps, TokenizerFaults& faults) {
    std::size_t growth = 1;
    for (const Decoding& step : steps) {
        if (step.kind != Decoding::Kind::replace) continue;
        growth *= growth_by(*step.pattern, step.text.size());
        if (growth > most_growth) return faults.refuse("decoder", json(step.text));
    }
}

void read_pre_tokenizer(const TokenizerPart& step, std::vector<PreTokenization>& steps) {
    if (step.is_missing()) return;
    const std::string type = step.type();
    if (type == "Sequence")
        step.for_each_step("pretokenizers",
                           [&](const TokenizerPart& inner) { read_pre_tokenizer(inner, steps); });
    else if (type == "Whitespace")
        steps.push_back(Splitting::whitespace);
    else if (type == "WhitespaceSplit")
        steps.push_back(Splitting::whitespace_split);
    else if (type == "BertPreTokenizer")
        steps.push_back(Splitting::bert);
    else if (type == "Punctuation")
        read_class_split(step, ClassSplit::Of::punctuation, SplitBehavior::isolated, steps);
    else if (type == "Digits")
        steps.push_back(ClassSplit{ClassSplit::Of::digits, step["individual_digits"].flag(false)
                                                               ? SplitBehavior::isolated
                                                               : SplitBehavior::contiguous});
    else if (type == "Split")
        read_split(step, steps);
    else if (type == "ByteLevel")
        read_byte_level(step, steps);
    else if (type == "Metaspace")
        read_metaspace(step, steps);
    else if (!type.empty())
        step.refuse_type();
}

} // namespace headlight
