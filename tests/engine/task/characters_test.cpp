#include "engine/task/tasks.h"

#include "engine/task/plain_text.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <set>

using namespace headlight;

namespace {

std::string reversed(const std::string& text) {
    std::vector<std::string> characters = characters_of(text);
    std::reverse(characters.begin(), characters.end());
    std::string result;
    for (const std::string& character : characters) result += character;
    return result;
}

} // namespace

TEST_CASE("copying repeats the source, reversing turns it round character by character") {
    const auto copy = make_copy_task();
    const auto reverse = make_reverse_task();
    Random random(1);
    for (int i = 0; i < 2000; ++i) {
        const SentencePair copied = copy->sample(random);
        CHECK(copied.target == copied.source);
        const SentencePair turned = reverse->sample(random);
        CHECK(turned.target == reversed(turned.source));
    }
}

TEST_CASE("every length up to the longest is common, and every character of the alphabet occurs") {
    const auto task = make_copy_task();
    std::array<int, longest_character_string + 1> lengths{};
    std::set<std::string> seen;
    Random random(2);
    for (int i = 0; i < 24000; ++i) {
        const std::vector<std::string> characters = characters_of(task->sample(random).source);
        REQUIRE(characters.size() >= 1);
        REQUIRE(characters.size() <= longest_character_string);
        ++lengths[characters.size()];
        seen.insert(characters.begin(), characters.end());
    }
    for (std::size_t length = 1; length <= longest_character_string; ++length) CHECK(lengths[length] > 600);
    const std::vector<std::string>& alphabet = task->alphabet();
    CHECK(seen == std::set<std::string>(alphabet.begin(), alphabet.end()));
    CHECK(seen.size() == alphabet.size());
}

TEST_CASE("a string of characters neither begins nor ends with a space, nor has two in a row") {
    const auto task = make_copy_task();
    Random random(3);
    for (int i = 0; i < 20000; ++i) {
        const std::string source = task->sample(random).source;
        CHECK_FALSE(source.starts_with(' '));
        CHECK_FALSE(source.ends_with(' '));
        CHECK(source.find("  ") == std::string::npos);
    }
}

TEST_CASE("held-out strings are the same for copy and reverse, and never trained on") {
    const auto copy = make_copy_task();
    const auto reverse = make_reverse_task();
    REQUIRE(copy->held_out().size() == held_out_limit);
    REQUIRE(reverse->held_out().size() == held_out_limit);
    std::set<std::string> held_out;
    for (std::size_t i = 0; i < held_out_limit; ++i) {
        CHECK(copy->held_out()[i].source == reverse->held_out()[i].source);
        held_out.insert(copy->held_out()[i].source);
    }
    Random random(4);
    for (int i = 0; i < 100000; ++i) REQUIRE_FALSE(held_out.contains(copy->sample(random).source));
    // Strings this short would be met again by chance, if chance were allowed to.
    CHECK(std::any_of(held_out.begin(), held_out.end(),
                      [](const std::string& text) { return characters_of(text).size() == 4; }));
}

TEST_CASE("the same seed draws the same strings") {
    const auto task = make_reverse_task();
    Random a(5), b(5), c(6);
    bool differs = false;
    for (int i = 0; i < 100; ++i) {
        const SentencePair pair = task->sample(a);
        CHECK(pair == task->sample(b));
        differs |= !(pair == task->sample(c));
    }
    CHECK(differs);
}

TEST_CASE("a task without end has no list of its pairs to draw from by index") {
    Random random(7);
    CHECK_FALSE(make_copy_task()->is_finite());
    CHECK_THROWS_AS((void)make_copy_task()->sample_index(random), std::logic_error);
}
