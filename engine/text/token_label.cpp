#include "engine/text/byte_level.h"
#include "engine/text/sentencepiece_normalization.h"
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
    const std::vector<AddedToken>& added = tokenizer.vocabulary().added();
    const bool is_added =
        std::any_of(added.begin(), added.end(), [&](const AddedToken& a) { return a.id == id; });
    return visible(tokenizer.is_byte_level() && !is_added ? bytes_of_token(token) : token);
}

} // namespace headlight
