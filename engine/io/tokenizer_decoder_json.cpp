#include "engine/io/tokenizer_part.h"
#include "engine/text/unicode.h"

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

} // namespace headlight
