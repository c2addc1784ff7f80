#include "engine/text/unicode.h"

#include "engine/base/check.h"

#include <utf8proc.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <utility>

namespace headlight {

namespace {

constexpr char32_t replacement = 0xFFFD;
constexpr std::size_t longest_grapheme = 128;

utf8proc_category_t category(char32_t character) { return utf8proc_category(utf8proc_int32_t(character)); }

// Below these every character is its own normal form, and no cluster needs looking at.
char32_t first_changed(NormalForm form) {
    switch (form) {
    case NormalForm::nfc:
        return 0x300;
    case NormalForm::nfd:
        return 0xC0;
    case NormalForm::nfkc:
    case NormalForm::nfkd:
        return 0xA0;
    }
    return 0;
}

int options_of(NormalForm form) {
    switch (form) {
    case NormalForm::nfc:
        return UTF8PROC_STABLE | UTF8PROC_COMPOSE;
    case NormalForm::nfd:
        return UTF8PROC_STABLE | UTF8PROC_DECOMPOSE;
    case NormalForm::nfkc:
        return UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_COMPAT;
    case NormalForm::nfkd:
        return UTF8PROC_STABLE | UTF8PROC_DECOMPOSE | UTF8PROC_COMPAT;
    }
    return 0;
}

std::u32string normalized_cluster(std::u32string_view cluster, NormalForm form) {
    const std::string text = utf8(cluster);
    utf8proc_uint8_t* mapped = nullptr;
    const utf8proc_ssize_t length =
        utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(text.data()), utf8proc_ssize_t(text.size()),
                     &mapped, static_cast<utf8proc_option_t>(options_of(form)));
    const std::unique_ptr<utf8proc_uint8_t, decltype(&std::free)> owner(mapped, &std::free);
    HEADLIGHT_CHECK(length >= 0, std::string("normal form: ") + utf8proc_errmsg(length));
    return code_points({reinterpret_cast<const char*>(mapped), std::size_t(length)});
}

} // namespace

CodePoint first_code_point(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char lead = byte(0);
    if (lead < 0x80) return {lead, 1};
    // The second byte is bounded further for some leads: no overlong forms, no surrogates, nothing past
    // U+10FFFF.
    unsigned char low = 0x80, high = 0xBF;
    std::size_t length = 0;
    char32_t value = 0;
    if (lead >= 0xC2 && lead <= 0xDF) {
        length = 2;
        value = lead & 0x1Fu;
    } else if (lead >= 0xE0 && lead <= 0xEF) {
        length = 3;
        value = lead & 0x0Fu;
        if (lead == 0xE0) low = 0xA0;
        if (lead == 0xED) high = 0x9F;
    } else if (lead >= 0xF0 && lead <= 0xF4) {
        length = 4;
        value = lead & 0x07u;
        if (lead == 0xF0) low = 0x90;
        if (lead == 0xF4) high = 0x8F;
    } else {
        return {replacement, 1};
    }
    for (std::size_t i = 1; i < length; ++i) {
        if (i == text.size() || byte(i) < low || byte(i) > high) return {replacement, i};
        value = (value << 6) | (byte(i) & 0x3Fu);
        low = 0x80;
        high = 0xBF;
    }
    return {value, length};
}

bool is_valid_utf8(std::string_view text) {
    while (!text.empty()) {
        const CodePoint first = first_code_point(text);
        if (first.value == replacement && text.substr(0, first.bytes) != "\xEF\xBF\xBD") return false;
        text.remove_prefix(first.bytes);
    }
    return true;
}

std::string valid_utf8(std::string_view text) {
    if (is_valid_utf8(text)) return std::string(text);
    return utf8(code_points(text));
}

std::u32string code_points(std::string_view text) {
    std::u32string characters;
    characters.reserve(text.size());
    while (!text.empty()) {
        const CodePoint first = first_code_point(text);
        characters.push_back(first.value);
        text.remove_prefix(first.bytes);
    }
    return characters;
}

void append_utf8(std::string& text, char32_t character) {
    std::array<utf8proc_uint8_t, 4> bytes{};
    const utf8proc_ssize_t length = utf8proc_encode_char(utf8proc_int32_t(character), bytes.data());
    HEADLIGHT_CHECK(length > 0, "no code point: " + std::to_string(std::uint32_t(character)));
    text.append(reinterpret_cast<const char*>(bytes.data()), std::size_t(length));
}

std::string utf8(std::u32string_view characters) {
    std::string text;
    text.reserve(characters.size());
    for (char32_t c : characters) append_utf8(text, c);
    return text;
}

std::u32string normalized(std::u32string_view characters, NormalForm form) {
    const char32_t first = first_changed(form);
    std::u32string result;
    result.reserve(characters.size());
    // A grapheme at a time: nothing composes across graphemes, and almost all of them need no change.
    for (std::size_t begin = 0; begin < characters.size();) {
        const std::size_t end = grapheme_end(characters, begin);
        const std::u32string_view cluster = characters.substr(begin, end - begin);
        if (std::all_of(cluster.begin(), cluster.end(), [&](char32_t c) { return c < first; }))
            result.append(cluster);
        else
            result += normalized_cluster(cluster, form);
        begin = end;
    }
    return result;
}

std::string nfc(std::string_view text) { return utf8(normalized(code_points(text), NormalForm::nfc)); }

std::size_t grapheme_end(std::u32string_view characters, std::size_t from) {
    utf8proc_int32_t state = 0;
    const std::size_t limit = std::min(characters.size(), from + longest_grapheme);
    std::size_t end = from + 1;
    while (end < limit
           && !utf8proc_grapheme_break_stateful(utf8proc_int32_t(characters[end - 1]),
                                                utf8proc_int32_t(characters[end]), &state))
        ++end;
    return end;
}

std::vector<std::string> graphemes(std::string_view text) {
    const std::u32string characters = code_points(text);
    const std::u32string_view view = characters;
    std::vector<std::string> result;
    for (std::size_t begin = 0; begin < view.size();) {
        const std::size_t end = grapheme_end(view, begin);
        result.push_back(utf8(view.substr(begin, end - begin)));
        begin = end;
    }
    return result;
}

void append_lowercase(std::u32string& characters, char32_t character) {
    constexpr char32_t dotted_capital_i = 0x130;
    if (character == dotted_capital_i)
        characters += U"i\u0307";
    else
        characters.push_back(char32_t(utf8proc_tolower(utf8proc_int32_t(character))));
}

std::string lowercase(std::string_view text) {
    std::u32string lower;
    for (char32_t c : code_points(text)) append_lowercase(lower, c);
    return utf8(lower);
}

std::u32string folded(std::string_view text) {
    std::u32string lower;
    for (char32_t c : normalized(code_points(text), NormalForm::nfd))
        if (!is_nonspacing_mark(c)) append_lowercase(lower, c);
    return lower;
}

bool is_word_character(char32_t character) {
    if (character < 0x80)
        return (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z')
               || (character >= '0' && character <= '9') || character == '_';
    switch (category(character)) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LL:
    case UTF8PROC_CATEGORY_LT:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO:
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_MC:
    case UTF8PROC_CATEGORY_ME:
    case UTF8PROC_CATEGORY_ND:
    case UTF8PROC_CATEGORY_NL:
    case UTF8PROC_CATEGORY_PC:
        return true;
    default:
        break;
    }
    // Circled and squared letters are signs by category and yet Alphabetic, which is what \w asks.
    return (character >= 0x24B6 && character <= 0x24E9) || (character >= 0x1F130 && character <= 0x1F149)
           || (character >= 0x1F150 && character <= 0x1F169)
           || (character >= 0x1F170 && character <= 0x1F189);
}

bool is_joined_word_character(char32_t character) {
    return is_word_character(character) || character == 0x200C || character == 0x200D;
}

bool is_space(char32_t character) { // the property White_Space, whole
    return (character >= 0x09 && character <= 0x0D) || character == 0x20 || character == 0x85
           || character == 0xA0 || character == 0x1680 || (character >= 0x2000 && character <= 0x200A)
           || character == 0x2028 || character == 0x2029 || character == 0x202F || character == 0x205F
           || character == 0x3000;
}

// Marks that became punctuation with Unicode 9 and later. The tokenizers with which models were trained count
// them as letters, for their tables are of Unicode 8: a text must be cut as it was cut then.
constexpr std::pair<char32_t, char32_t> later_punctuation[] = {
    {0x61D, 0x61D},     {0x9FD, 0x9FD},     {0xA76, 0xA76},     {0xC77, 0xC77},     {0xC84, 0xC84},
    {0x1B7D, 0x1B7E},   {0x2E43, 0x2E4F},   {0x2E52, 0x2E5D},   {0x10EAD, 0x10EAD}, {0x10F55, 0x10F59},
    {0x10F86, 0x10F89}, {0x1144B, 0x1144F}, {0x1145A, 0x1145B}, {0x1145D, 0x1145D}, {0x11660, 0x1166C},
    {0x116B9, 0x116B9}, {0x1183B, 0x1183B}, {0x11944, 0x11946}, {0x119E2, 0x119E2}, {0x11A3F, 0x11A46},
    {0x11A9A, 0x11A9C}, {0x11A9E, 0x11AA2}, {0x11B00, 0x11B09}, {0x11C41, 0x11C45}, {0x11C70, 0x11C71},
    {0x11EF7, 0x11EF8}, {0x11F43, 0x11F4F}, {0x11FFF, 0x11FFF}, {0x12FF1, 0x12FF2}, {0x16E97, 0x16E9A},
    {0x16FE2, 0x16FE2}, {0x1E95E, 0x1E95F}};

bool is_punctuation(char32_t character) {
    if (character < 0x80)
        return (character >= 33 && character <= 47) || (character >= 58 && character <= 64)
               || (character >= 91 && character <= 96) || (character >= 123 && character <= 126);
    if (character == 0x166D) return true; // until Unicode 12
    const utf8proc_category_t c = category(character);
    if (c < UTF8PROC_CATEGORY_PC || c > UTF8PROC_CATEGORY_PO) return false;
    return std::none_of(std::begin(later_punctuation), std::end(later_punctuation), [&](const auto& range) {
        return character >= range.first && character <= range.second;
    });
}

bool is_mark(char32_t character) {
    const utf8proc_category_t c = category(character);
    return c >= UTF8PROC_CATEGORY_MN && c <= UTF8PROC_CATEGORY_ME;
}

bool is_nonspacing_mark(char32_t character) { return category(character) == UTF8PROC_CATEGORY_MN; }

bool is_control(char32_t character) {
    const utf8proc_category_t c = category(character);
    return c == UTF8PROC_CATEGORY_CN || c >= UTF8PROC_CATEGORY_CC;
}

bool is_numeric(char32_t character) {
    if (character < 0x80) return character >= '0' && character <= '9';
    const utf8proc_category_t c = category(character);
    return c >= UTF8PROC_CATEGORY_ND && c <= UTF8PROC_CATEGORY_NO;
}

bool is_unassigned(char32_t character) { return category(character) == UTF8PROC_CATEGORY_CN; }

bool is_ideograph(char32_t character) {
    constexpr std::pair<char32_t, char32_t> blocks[] = {
        {0x4E00, 0x9FFF},   {0x3400, 0x4DBF},   {0x20000, 0x2A6DF}, {0x2A700, 0x2B73F},
        {0x2B740, 0x2B81F}, {0x2B920, 0x2CEAF}, {0xF900, 0xFAFF},   {0x2F800, 0x2FA1F}};
    return std::any_of(std::begin(blocks), std::end(blocks), [&](const auto& block) {
        return character >= block.first && character <= block.second;
    });
}

} // namespace headlight
