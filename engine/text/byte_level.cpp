#include "engine/text/byte_level.h"

#include "engine/text/unicode.h"

#include <array>

namespace headlight {

namespace {

constexpr char32_t first_other = 0x100; // the characters of the bytes that are not visible themselves

constexpr bool is_visible(unsigned byte) {
    return (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174;
}

struct Alphabet {
    std::array<char32_t, 256> characters{};
    std::array<unsigned char, 68> others{}; // the bytes of U+0100 and on
};

constexpr Alphabet make_alphabet() {
    Alphabet alphabet;
    unsigned others = 0;
    for (unsigned byte = 0; byte < 256; ++byte) {
        if (is_visible(byte)) {
            alphabet.characters[byte] = byte;
        } else {
            alphabet.others[others] = static_cast<unsigned char>(byte);
            alphabet.characters[byte] = first_other + others++;
        }
    }
    return alphabet;
}

constexpr Alphabet alphabet = make_alphabet();

std::optional<unsigned char> hexadecimal(char digit) {
    if (digit >= '0' && digit <= '9') return digit - '0';
    if (digit >= 'A' && digit <= 'F') return digit - 'A' + 10;
    if (digit >= 'a' && digit <= 'f') return digit - 'a' + 10;
    return std::nullopt;
}

} // namespace

char32_t byte_character(unsigned char byte) { return alphabet.characters[byte]; }

std::optional<unsigned char> byte_of(char32_t character) {
    if (character < first_other) {
        if (!is_visible(character)) return std::nullopt;
        return static_cast<unsigned char>(character);
    }
    if (character >= first_other + alphabet.others.size()) return std::nullopt;
    return alphabet.others[character - first_other];
}

std::string bytes_of_token(std::string_view token) {
    std::string bytes;
    for (const char32_t character : code_points(token)) {
        const std::optional<unsigned char> byte = byte_of(character);
        if (!byte) return std::string(token);
        bytes += static_cast<char>(*byte);
    }
    return bytes;
}

std::string fallback_token(unsigned char byte) {
    constexpr const char* digits = "0123456789ABCDEF";
    return std::string("<0x") + digits[byte >> 4] + digits[byte & 15] + '>';
}

std::optional<unsigned char> fallback_byte(std::string_view token) {
    if (token.size() != 6 || !token.starts_with("<0x") || token.back() != '>') return std::nullopt;
    const auto high = hexadecimal(token[3]), low = hexadecimal(token[4]);
    if (!high || !low) return std::nullopt;
    return static_cast<unsigned char>(*high << 4 | *low);
}

} // namespace headlight
