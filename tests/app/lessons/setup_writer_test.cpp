#include "app/lessons/setup_writer.h"

#include "app/lessons/lesson.h"

#include <doctest/doctest.h>

#include <string>

using namespace headlight;

namespace {

const std::string two_cards = R"(# A title

## First

```setup
model copy
source abc
```

Prose.

```predict number encoder.0.norm1 0 1 2 within 0.05
How *much*?
```

## Second

```setup
model reverse
```

More.
)";

std::vector<std::string> setup_lines(const LessonCard& card) {
    std::vector<std::string> lines;
    for (const LessonLine& line : card.setup) lines.push_back(line.text);
    return lines;
}

const std::vector<std::string> recorded = {"model gloss", "source xyz"};

// The card gets what was recorded, once; all other cards stay as they were.
void check_recording(const std::string& text, std::size_t card) {
    CAPTURE(text);
    CAPTURE(card);
    const Lesson before = read_lesson(text);
    REQUIRE(card < before.cards.size());
    const std::string changed = with_setup(text, card, recorded);
    CAPTURE(changed);
    const Lesson after = read_lesson(changed);
    REQUIRE(after.cards.size() == before.cards.size());
    CHECK(after.title == before.title);
    for (std::size_t i = 0; i < after.cards.size(); ++i) {
        CHECK(after.cards[i].title == before.cards[i].title);
        CHECK(after.cards[i].predictions.size() == before.cards[i].predictions.size());
        CHECK(after.cards[i].blocks.size() == before.cards[i].blocks.size());
        CHECK(setup_lines(after.cards[i]) == (i == card ? recorded : setup_lines(before.cards[i])));
    }
    CHECK(after.cards[card].setup_blocks.size() == 1);
    CHECK(with_setup(changed, card, recorded) == changed); // and again changes nothing
}

} // namespace

TEST_CASE("a recorded state takes the place of the card's setup, and nothing else moves") {
    check_recording(two_cards, 0);
    check_recording(two_cards, 1);
    CHECK(with_setup(two_cards, 2, recorded) == two_cards); // there is no such card
}

TEST_CASE("a card is found as Markdown has it, however its heading and its blocks are written") {
    for (const char* heading :
         {"## Two", "##\tTwo", " ## Two", "   ##   Two  ##", "Two\n---", "Two\nlines\n----", "##"}) {
        const std::string one = "# T\n\n## One\n\nNo setup here.\n\n";
        const std::string rest = "\n\n```setup\nmodel copy\n```\n\nText.\n\n## Three\n\nEnd.\n";
        for (std::size_t card = 0; card < 3; ++card) check_recording(one + heading + rest, card);
    }
    // Whatever fences it, with whatever in it, closed or not.
    for (const char* block :
         {"~~~setup\nmodel copy\n~~~\n", "````setup\nsource ```\n````\n", " ```setup\n\nmodel copy\n ```\n",
          "```setup\n```\n", "```  setup  \nmodel copy\n```\n",
          "```setup\nmodel copy\n```\n\n```setup\nsource b\n```\n", "```done\nsaid \"setup\"\n```\n"})
        for (std::size_t card = 0; card < 2; ++card)
            check_recording(
                "# T\n## One\n\n" + std::string(block) + "\nText\n\n## Two\n\n" + block + "\nText\n", card);
    check_recording("# T\n## One\n```setup\nmodel copy", 0);
    check_recording("# T\n## One", 0);
    check_recording("# T\n\n##One\n\nText\n", 0);
}

TEST_CASE("what is recorded keeps the file's line ends and its byte-order mark") {
    const std::string text = with_setup("\xEF\xBB\xBF# T\r\n\r\n## One\r\n\r\nText\r\n", 0, {"model copy"});
    CHECK(text == "\xEF\xBB\xBF# T\r\n\r\n## One\r\n\r\n```setup\r\nmodel copy\r\n```\r\n\r\nText\r\n");
}
