#include "app/lessons/lesson.h"

#include "app/lessons/markdown.h"
#include "engine/text/words.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <set>
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

TEST_CASE("a block that nothing closes is told: what follows would silently be part of it") {
    const Lesson open = read_lesson("# T\n\n## One\n\n```setup\nroom explore\n\nWords.\n\n## Two\n\nMore.\n");
    CHECK(has_fault(open, 5, "error.lesson_block_open"));
    CHECK(read_lesson("# T\n\n## One\n\n```setup\n```\n\n## Two\n\nMore.\n").faults.empty());
}

TEST_CASE("what cannot be read is told with its line, and the rest is read all the same") {
    const Lesson lesson =
        read_lesson("Nothing.\n\n## Card\n\n```setpu\nx\n```\n\n```predict number a 0 0\n?\n```\n\n"
                    "```predict choice\nQ\n- [ ] a\n- [ ] b\n```\n\n```done\nexpekt a\n```\n");
    CHECK(has_fault(lesson, 1, "error.lesson_no_title"));
    CHECK(has_fault(lesson, 5, "error.lesson_block_near"));
    CHECK(has_fault(lesson, 9, "error.lesson_predict"));
    CHECK(has_fault(lesson, 13, "error.lesson_right_answers"));
    CHECK(has_fault(lesson, 20, "error.lesson_expectation_near"));
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

TEST_CASE(
    "whatever the model can be asked may decide a choice, and the page for authors documents all of it") {
    const std::set<std::string> known = [] {
        std::set<std::string> names;
        for (const std::string_view form : expectation_forms()) names.emplace(form.substr(0, form.find(' ')));
        return names;
    }();
    CHECK(known.contains("strayed"));
    for (const std::string_view form : expectation_forms()) {
        std::string written;
        int number = 0; // each is larger than the one before
        for (const std::string& word : words_of(form)) {
            const bool is_name = known.contains(word) || word == "WORD";
            written += (written.empty() ? "" : " ")
                       + (is_name           ? word
                          : word == "PATH"  ? "encoder.output"
                          : word == "MODEL" ? "rnn"
                          : word.find('|') != word.npos ? word.substr(0, word.find('|'))
                                                        : std::to_string(++number));
        }
        CAPTURE(written);
        CHECK(read_expectation(written));
        const Lesson lesson = read_lesson("# T\n## C\n```predict choice\nQ\n- [ ] a if " + written
                                          + "\n- [ ] b if said \"x\"\n```\n");
        CHECK(lesson.faults.empty());
        REQUIRE(lesson.cards[0].predictions[0].choices.size() == 2);
        CHECK(lesson.cards[0].predictions[0].choices[0].right_if);
        CHECK(plain_text(lesson.cards[0].predictions[0].choices[0].text) == "a");
    }
    for (const char* page : {"write-your-own.en.md", "write-your-own.pt.md"}) {
        std::ifstream file(std::string(HEADLIGHT_SOURCE_DIR "/assets/lessons/") + page);
        std::set<std::string> documented;
        for (std::string line; std::getline(file, line);) {
            const std::string forms = line.substr(0, line.find('|', 1));
            for (std::size_t at = forms.find('`'); line.starts_with("| `") && at != forms.npos;) {
                const std::size_t end = std::min(forms.find('`', at + 1), forms.size());
                const std::string form = forms.substr(at + 1, end - at - 1);
                const std::string name = form.substr(0, form.find(' '));
                if (known.contains(name)) documented.insert(name);
                at = end < forms.size() ? forms.find('`', end + 1) : forms.npos;
            }
        }
        CAPTURE(page);
        CHECK(documented == known);
    }
}

TEST_CASE(
    "headings are those of Markdown; one whose blank is missing is told, and begins its card all the same") {
    const Lesson lesson =
        read_lesson("\xEF\xBB\xBF# T\n\n## One\n\nProse.\n\n##Two\n\nMore.\n\n##\tThree\n\n ## Four\n\n"
                    "Five\n----\n\n##\n\ntext\n##Six\n");
    CHECK(lesson.title == "T"); // the byte-order mark is none of it
    REQUIRE(lesson.cards.size() == 6);
    const std::vector<std::pair<std::string, std::array<int, 2>>> expected = {
        {"One", {3, 4}},    {"Two", {7, 8}},    {"Three", {11, 12}},
        {"Four", {13, 14}}, {"Five", {15, 17}}, {"", {18, 19}}};
    for (std::size_t i = 0; i < expected.size(); ++i) {
        CAPTURE(expected[i].first);
        CHECK(lesson.cards[i].title == expected[i].first);
        CHECK(lesson.cards[i].line == expected[i].second[0]);
        CHECK(lesson.cards[i].behind_heading == expected[i].second[1]);
    }
    REQUIRE(lesson.faults.size() == 2);
    CHECK(has_fault(lesson, 7, "error.lesson_heading"));
    CHECK(has_fault(lesson, 21, "error.lesson_heading"));
    CHECK(lesson.faults[1].error.arguments[0] == "##Six");
    CHECK(read_lesson("# T\n## C\n#hashtag and #2\n").faults.empty());
}

TEST_CASE("a decimal comma is told, and what was nearly a block or a prediction is named") {
    const Lesson lesson =
        read_lesson("# T\n## C\n```predict number encoder.output 0 0 0 within 0,02\n?\n```\n"
                    "```predict numbr encoder.output 0 0 0\n?\n```\n"
                    "```done\nexpect encoder.output 0 0 0 0,5 0.1\n```\n");
    CHECK(has_fault(lesson, 3, "error.decimal_comma"));
    CHECK(lesson.faults[0].error.arguments == std::vector<std::string>{"0,02", "0.02"});
    REQUIRE(lesson.cards[0].predictions.size() == 1);
    CHECK(lesson.cards[0].predictions[0].within == 0.02); // as it was meant
    CHECK(has_fault(lesson, 6, "error.lesson_predict_near"));
    CHECK(has_fault(lesson, 10, "error.decimal_comma"));
}

TEST_CASE("a choice may say why it is not the one") {
    const Lesson lesson =
        read_lesson("# T\n## C\n```predict choice\nQ\n- [ ] a if said \"x\"\n  > Because of *this*\n"
                    "> and that.\n- [ ] b if said \"y\"\n```\n");
    CHECK(lesson.faults.empty());
    const std::vector<LessonChoice>& choices = lesson.cards[0].predictions[0].choices;
    REQUIRE(choices.size() == 2);
    CHECK(plain_text(choices[0].reason) == "Because of this and that.");
    CHECK(choices[1].reason.empty());
}
