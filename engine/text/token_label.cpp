#include "engine/text/bpe.h"
#include "engine/text/normalization.h"
#include "engine/text/tokenizer.h"
#include "engine/text/unicode.h"

#include <algorithm>

namespace headlight {

namespace {

void append_byte(std::string& label, char byte) {
    // As in <0xC3>, the token of that byte.
    label += "⟨" + fallback_token(static_cast<unsigned char>(byte)).substr(3, 2) + "⟩";
}

std::string visible(std::string_view bytes) {
    std::string label;
    while (!bytes.empty()) {
        const CodePoint first = first_code_point(bytes);
        const std::string_view here = bytes.substr(0, first.bytes);
        if (first.value == U' ' || first.value == visible_space)
            label += "␣";
        else if (first.value == U'\n')
            label += "⏎";
        else if (first.value < 0x20 || (first.value == 0xFFFD && here != "\uFFFD"))
            for (const char byte : here) append_byte(label, byte);
        else
            label += here;
        bytes.remove_prefix(first.bytes);
    }
    return label;
}

} // namespace

std::string token_label(const Tokenizer& tokenizer, TokenId id) {
    const std::string& token = tokenizer.vocabulary().token(id);
    if (token.empty()) return "#" + std::to_string(id);
    if (tokenizer.is_word_level()) return token == " " ? "␣" : token;
    if (const auto byte = fallback_byte(token)) return "⟨" + token.substr(3, 2) + "⟩";
    return visible(token_bytes(tokenizer, id));
}

std::string part_label(const Tokenizer& tokenizer, std::string_view part) {
    if (tokenizer.is_word_level()) return part == " " ? "␣" : std::string(part);
    return visible(tokenizer.is_byte_level() ? bytes_of_token(part) : std::string(part));
}

std::string token_bytes(const Tokenizer& tokenizer, TokenId id) {
    const std::string& token = tokenizer.vocabulary().token(id);
    if (tokenizer.is_word_level()) return token;
    if (const auto byte = fallback_byte(token)) return std::string(1, char(*byte));
    const std::vector<AddedToken>& added = tokenizer.vocabulary().added();
    const bool is_added =
        std::any_of(added.begin(), added.end(), [&](const AddedToken& a) { return a.id == id; });
    return tokenizer.is_byte_level() && !is_added ? bytes_of_token(token) : token;
}

std::vector<VisibleSign> visible_signs(std::string_view text) {
    const auto number = [](char32_t character, std::size_t digits) {
        constexpr char hex[] = "0123456789ABCDEF";
        std::string all;
        while (digits > 4 && character >> 4 * (digits - 1) == 0) --digits;
        for (std::size_t i = digits; i-- > 0;) all += hex[character >> 4 * i & 0xF];
        return "⟨" + all + "⟩";
    };
    std::vector<VisibleSign> signs;
    for (std::size_t at = 0; at < text.size();) {
        const CodePoint sign = first_code_point(text.substr(at));
        const std::string_view here = text.substr(at, sign.bytes);
        const TypedRange bytes{at, at + sign.bytes};
        at += sign.bytes;
        if (sign.value == U' ')
            signs.push_back({"␣", bytes, false});
        else if (sign.value == U'\n')
            signs.push_back({"⏎", bytes, true});
        else if (sign.value == 0xFFFD && here != "\uFFFD") {
            std::string label;
            for (const char byte : here) append_byte(label, byte);
            signs.push_back({label, bytes, true});
        } else if (is_control(sign.value) || is_mark(sign.value) || is_space(sign.value))
            signs.push_back({number(sign.value, 6), bytes, true});
        else
            signs.push_back({std::string(here), bytes, false});
    }
    return signs;
}

} // namespace headlight
