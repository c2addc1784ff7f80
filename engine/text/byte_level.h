// The alphabet of byte-level tokenizers (GPT-2): every byte is one visible character. Bytes 33–126, 161–172
// and 174–255 are the character of the same number, the other 68 are U+0100 and on: a space is Ġ.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace headlight {

char32_t byte_character(unsigned char byte);
std::optional<unsigned char> byte_of(char32_t character); // nothing: no character of the alphabet

// The bytes that a token of this alphabet stands for; one with a character from outside stands for itself.
std::string bytes_of_token(std::string_view token);

// “<0xC3>”, how tokenizers with byte fallback call a byte that no token of theirs holds.
std::string fallback_token(unsigned char byte);
std::optional<unsigned char> fallback_byte(std::string_view token); // nothing: another token

} // namespace headlight
