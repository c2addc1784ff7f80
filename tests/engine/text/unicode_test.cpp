#include "engine/text/unicode.h"

#include <doctest/doctest.h>

using namespace headlight;

namespace {

const std::string composed = "caf\u00E9";
const std::string decomposed = "cafe\u0301";

} // namespace

TEST_CASE("valid UTF-8 comes back unchanged") {
    for (const std::string& text :
         {std::string(), std::string("ção €  𝄞 漢"), std::string("a\0b", 3), std::string("\uFFFD")}) {
        CHECK(is_valid_utf8(text));
        CHECK(valid_utf8(text) == text);
        CHECK(utf8(code_points(text)) == text);
    }
}

TEST_CASE("each broken sequence of bytes becomes one U+FFFD") {
    struct Broken {
        const char* bytes;
        std::size_t marks;
    };
    for (const Broken& broken : {Broken{"\x80", 1},
                                 {"\xFF", 1},
                                 {"\xC3", 1},
                                 {"\xE2\x82", 1},
                                 {"\xF0\x9D\x84", 1},
                                 {"\xC0\xAF", 2},
                                 {"\xED\xA0\x80", 3},
                                 {"\xF4\x90\x80\x80", 4},
                                 {"\xE0\x80\x80", 3}}) {
        CAPTURE(broken.bytes);
        std::string text = "a", expected = "a";
        text += broken.bytes;
        text += 'b';
        for (std::size_t i = 0; i < broken.marks; ++i) expected += "\uFFFD";
        expected += 'b';
        CHECK_FALSE(is_valid_utf8(text));
        CHECK(valid_utf8(text) == expected);
    }
}

TEST_CASE("composed and decomposed letters have one normal form of each kind") {
    CHECK(composed != decomposed);
    CHECK(nfc(decomposed) == composed);
    CHECK(nfc(composed) == composed);
    CHECK(utf8(normalized(code_points(composed), NormalForm::nfd)) == decomposed);
    CHECK(utf8(normalized(U"ﬁ²", NormalForm::nfkc)) == "fi2");
    CHECK(nfc("e\u0323\u0301") == nfc("e\u0301\u0323")); // marks in either order
    CHECK(nfc("\u1112\u1161\u11AB") == "한");
}

TEST_CASE("taking a character apart and putting it together gives what putting it together gives") {
    for (char32_t c = 0; c <= 0x10FFFF; ++c) {
        if (c >= 0xD800 && c <= 0xDFFF) continue;
        const std::u32string one(1, c);
        const std::u32string apart = normalized(one, NormalForm::nfd);
        if (apart == one) continue;
        if (normalized(apart, NormalForm::nfc) != normalized(one, NormalForm::nfc)) FAIL(std::uint32_t(c));
    }
}

TEST_CASE("lower case knows letters beyond ASCII") {
    CHECK(lowercase("ÇÃO É ÀS ŁÓDŹ ΑΒΓ") == "ção é às łódź αβγ");
    CHECK(lowercase("İ") == "i\u0307");
    CHECK(folded("São João") == U"sao joao");
    CHECK(folded(decomposed) == U"cafe");
}

TEST_CASE("a character with its accents, or a joined emoji, is one grapheme") {
    CHECK(graphemes("e\u0301a") == std::vector<std::string>{"e\u0301", "a"});
    CHECK(graphemes("👩‍👩‍👧!") == std::vector<std::string>{"👩‍👩‍👧", "!"});
    CHECK(graphemes("").empty());
}

TEST_CASE("a hundred thousand accents in a row are cut, not waited for") {
    std::string text = "a";
    for (int i = 0; i < 50'000; ++i) text += "\u0301\u0323";
    CHECK(nfc(text).size() >= 100'000);
}

TEST_CASE("letters, digits and marks make words; signs and spaces do not") {
    for (char32_t c : U"aZ9_éçж漢Ⅷ") {
        if (c == 0) continue;
        CAPTURE(std::uint32_t(c));
        CHECK(is_word_character(c));
    }
    CHECK(is_word_character(0x301));
    for (char32_t c : {U' ', U'-', U'\'', U'.', U'€', U'…', U'\uFFFD', U'\u00A0'}) {
        CAPTURE(std::uint32_t(c));
        CHECK_FALSE(is_word_character(c));
    }
    CHECK(is_space(U'\u00A0'));
    CHECK(is_space(U'\u3000'));
    CHECK_FALSE(is_space(U'\u200B'));
    CHECK(is_punctuation(U'…'));
    CHECK(is_punctuation(U'$'));
    CHECK_FALSE(is_punctuation(U'€'));
    CHECK_FALSE(is_punctuation(U'\u061D')); // since Unicode 14 alone: the tokenizers of BERT do not know it
    CHECK(is_punctuation(U'\u061E'));
}
