// Unicode as the tokenizers need it: UTF-8 in and out, normal forms, case, and the classes of characters that
// cut a text into words. Bytes that are not UTF-8 become U+FFFD, one for each maximal broken sequence, so no
// function here can fail.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace headlight {

struct CodePoint {
    char32_t value;    // U+FFFD for broken bytes
    std::size_t bytes; // how many bytes of the text it took
};

CodePoint first_code_point(std::string_view text); // text is not empty
bool is_valid_utf8(std::string_view text);
std::string valid_utf8(std::string_view text);
std::u32string code_points(std::string_view text);
std::string utf8(std::u32string_view characters);
void append_utf8(std::string& text, char32_t character);

// Normal forms, UAX #15. Composed and decomposed é have the same form of each kind.
enum class NormalForm { nfc, nfd, nfkc, nfkd };
std::u32string normalized(std::u32string_view characters, NormalForm form);
std::string nfc(std::string_view text);

// Where the character that a reader sees as one, which begins at `from`, ends: a letter with its accents, a
// family of joined emoji (UAX #29). No longer than 128 code points, so that a hostile text stays linear.
std::size_t grapheme_end(std::u32string_view characters, std::size_t from);
std::vector<std::string> graphemes(std::string_view text);

std::string lowercase(std::string_view text);
// Code point by code point; İ alone becomes two.
void append_lowercase(std::u32string& characters, char32_t character);
// Lower case without accents: what "São" and "sao" have in common.
std::u32string folded(std::string_view text);

// The classes of regular expressions: \w is letters, marks, decimal digits and connectors; \s is white space.
bool is_word_character(char32_t character);
bool is_joined_word_character(char32_t character); // the same, and the joiners U+200C and U+200D
bool is_space(char32_t character);
bool is_punctuation(char32_t character); // category P of Unicode 8, or any ASCII sign such as + or $
bool is_mark(char32_t character);        // category M: accents and the like
bool is_nonspacing_mark(char32_t character);
bool is_numeric(char32_t character);    // category N: ² and Ⅷ too
bool is_control(char32_t character);    // categories Cc, Cf, Cn, Co and Cs
bool is_unassigned(char32_t character); // category Cn
bool is_ideograph(char32_t character);  // the blocks of CJK ideographs, as BERT lists them

} // namespace headlight
