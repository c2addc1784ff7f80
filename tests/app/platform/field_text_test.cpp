#include "app/platform/input.h"

#include <doctest/doctest.h>

using namespace headlight;

TEST_CASE("what a field cannot hold is stood in for, and comes back") {
    for (const char* text : {"", "o gato não dormiu", "olá 🎉, 🐈‍⬛!", "ꀀꀁ are stand-ins themselves, and 🎉"}) {
        CAPTURE(text);
        const std::string held = for_field(text);
        CHECK(from_field(held) == text);
        for (const char c : held) CHECK(static_cast<unsigned char>(c) < 0xF0); // no character of more than 16 bits
    }
    CHECK(for_field(std::string("a\0b", 3)) == "a b");
    CHECK(for_field("a\xFF" "b") == "a\xEF\xBF\xBD" "b");
}

TEST_CASE("in one line, an end of line or a tab parts words") {
    CHECK(as_one_line("o gato\nnão") == "o gato não");
    CHECK(as_one_line("o gato\r\nnão\tdormiu\r") == "o gato não dormiu ");
    CHECK(as_one_line("") == "");
}
