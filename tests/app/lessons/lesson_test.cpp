#include "app/lessons/lesson.h"

#include "app/lessons/markdown.h"
#include "app/lessons/setup_writer.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

using namespace headlight;

namespace {

const std::string whole = R"(# A title

<!-- nobody
reads this -->

## First *card*

```setup
model copy
# a remark
source abc
```

Prose with **strong** words, a formula $\frac{a}{b}$, [a cell](cell:encoder.0.norm1 0 1 2), [a value](value:encoder.output)
and [a button](do:change head encoder.0.self_attn 1 silence).

- an item

| one | two |
| --- | --- |
| 1 | $x$ |

```predict number encoder.0.norm1 0 1 2 within 0.05
How *much*?
```

```aside
For the teacher.
```

## Second

```predict cell encoder.0.self_attn.weights 1 2
Where?
```

```predict choice
Which?
- [ ] one if said "x"
- [ ] two, if ever if larger a.b 0 0 0 a.b 0 0 1
```

```done
asked encoder.output
expect encoder.output 0 0 0 1.5 0.25
```
)";

bool has_fault(const Lesson& lesson, int line, const std::string& key) {
    return std::any_of(lesson.faults.begin(), lesson.faults.end(), [&](const LessonFault& fault) {
        return fault.line == line && fault.error.key == key;
    });
}

} // namespace

TEST_CASE("a lesson is read with all that its cards hold, and the lines where it stands") {
    const Lesson lesson = read_lesson(whole);
    REQUIRE(lesson.faults.empty());
    CHECK(lesson.title == "A title");
    REQUIRE(lesson.cards.size() == 2);
    const LessonCard& card = lesson.cards[0];
    CHECK(card.title == "First card");
    CHECK(card.line == 6);
    REQUIRE(card.setup.size() == 2);
    CHECK(card.setup[1].text == "source abc");
    CHECK(card.setup[1].line == 11);
    REQUIRE(card.blocks.size() == 5); // prose, item, two rows, prediction
    const LessonText& prose = card.blocks[0].text;
    const auto link = [&](LessonSpan::Link kind) {
        const auto found = std::find_if(prose.begin(), prose.end(),
                                        [&](const LessonSpan& span) { return span.link == kind; });
        return found == prose.end() ? std::string() : found->text + "|" + found->target;
    };
    CHECK(link(LessonSpan::Link::cell) == "a cell|encoder.0.norm1 0 1 2");
    CHECK(link(LessonSpan::Link::value) == "a value|encoder.output");
    CHECK(link(LessonSpan::Link::command) == "a button|change head encoder.0.self_attn 1 silence");
    CHECK(std::any_of(prose.begin(), prose.end(), [](const LessonSpan& span) {
        return span.kind == LessonSpan::Kind::formula && span.text == "\\frac{a}{b}";
    }));
    CHECK(std::any_of(prose.begin(), prose.end(),
                      [](const LessonSpan& span) { return span.strong && span.text == "strong"; }));
    CHECK(plain_text(prose).find("words, a formula") != std::string::npos);
    REQUIRE(card.predictions.size() == 1);
    CHECK(card.predictions[0].cell.path == "encoder.0.norm1");
    CHECK(card.predictions[0].within == 0.05);
    CHECK(card.predictions[0].line == 23);
    CHECK(plain_text(card.aside.at(0).text) == "For the teacher.");

    const LessonCard& second = lesson.cards[1];
    REQUIRE(second.predictions.size() == 2);
    CHECK(second.predictions[0].kind == LessonPrediction::Kind::cell);
    CHECK(second.predictions[0].cell.cell.row == 2);
    const LessonPrediction& choice = second.predictions[1];
    REQUIRE(choice.choices.size() == 2);
    CHECK(choice.choices[0].right_if->word == "x");
    CHECK(plain_text(choice.choices[1].text) == "two, if ever");
    CHECK(choice.choices[1].right_if->kind == Expectation::Kind::larger);
    REQUIRE(second.done.size() == 2);
    CHECK(second.done[1].value == 1.5);
}

TEST_CASE("what cannot be read is told with its line, and the rest is read all the same") {
    const Lesson lesson =
        read_lesson("Nothing.\n\n## Card\n\n```setpu\nx\n```\n\n```predict number a 0 0\n?\n```\n\n"
                    "```predict choice\nQ\n- [ ] a\n- [ ] b\n```\n\n```done\nexpekt a\n```\n");
    CHECK(has_fault(lesson, 1, "error.lesson_no_title"));
    CHECK(has_fault(lesson, 5, "error.lesson_block"));
    CHECK(has_fault(lesson, 9, "error.lesson_predict"));
    CHECK(has_fault(lesson, 13, "error.lesson_right_answers"));
    CHECK(has_fault(lesson, 20, "error.lesson_expectation"));
    CHECK(lesson.cards.size() == 1);
    CHECK_FALSE(read_lesson("").faults.empty());
}

TEST_CASE("whatever stands in a file, reading it ends") {
    std::string text = whole;
    for (std::size_t cut = 0; cut < text.size(); cut += 7) {
        (void)read_lesson(std::string_view(text).substr(0, cut));
        (void)read_lesson(std::string_view(text).substr(cut));
    }
    for (const char* hostile :
         {"# \n## \n```predict\n", "```\n```\n```", "# a\n## b\n```predict choice\n- [x]\n- [ ]  if \n```",
          "# a\n## b\n```predict number x 99999999999999999999 0 0\n```", "[x](cell:", "# a\n## b\n$$$$\n",
          "# a\n## b\n```done\nexpect a 1e400 0 0 0 0\nsaid \"\"\n```"})
        (void)read_lesson(hostile);
    (void)read_lesson(std::string(5000, '`'));
    (void)read_lesson(std::string(5000, '['));
    (void)read_lesson(std::string(2000, '>') + std::string("\0\xff\xfe", 3));
}

TEST_CASE("a recorded state takes the place of the card's setup, and nothing else moves") {
    const std::string text = with_setup(whole, 6, {"model reverse", "source xyz"});
    const Lesson lesson = read_lesson(text);
    CHECK(lesson.faults.empty());
    REQUIRE(lesson.cards[0].setup.size() == 2);
    CHECK(lesson.cards[0].setup[0].text == "model reverse");
    CHECK(lesson.cards[0].blocks.size() == 5);
    CHECK(lesson.cards[1].predictions.size() == 2);
    // A card without one gets one.
    const Lesson second = read_lesson(with_setup(whole, read_lesson(whole).cards[1].line, {"model copy"}));
    CHECK(second.cards[1].setup.size() == 1);
    CHECK(second.cards[0].setup.size() == 2);
    CHECK(second.faults.empty());
}
