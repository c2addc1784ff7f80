#include "app/lessons/player.h"

#include "app/lessons/lesson_check.h"
#include "app/session/files.h"
#include "tests/support/temporary_folder.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>

using namespace headlight;
namespace fs = std::filesystem;

namespace {

const fs::path assets = fs::path(HEADLIGHT_SOURCE_DIR) / "assets";

Strings strings_in(const std::string& language) {
    Strings strings = *Strings::load(assets);
    strings.set_language(language);
    return strings;
}

struct Class {
    Session session{assets, strings_in("en")};
    LessonPlayer lessons{session};

    explicit Class(const std::string& language = "en") {
        REQUIRE(session.execute("language " + language));
        lessons.advance(0);
    }
    void run(const std::string& line) {
        CAPTURE(line);
        const Result<Done> done = session.execute(line);
        CHECK_MESSAGE(done, (done ? "" : session.strings().text(done.error())));
        lessons.advance(0);
    }
};

std::vector<fs::path> shipped() {
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(assets / "lessons"))
        if (entry.path().extension() == ".md" && entry.path().filename().string().find("write-your-own") != 0)
            files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

std::string number_text(double number) {
    char text[64];
    std::snprintf(text, sizeof text, "%.9g", number);
    return text;
}

struct OwnLesson : TemporaryFolder {
    fs::path file = path() / "mine.en.md";
    void write(const std::string& text) const { std::ofstream(file) << text; }
    explicit OwnLesson(const std::string& text) { write(text); }
};

const std::string small = R"(# Mine

## One

```setup
model translate-en-pt
source I am fine
room explore
goto decoder.0.self_attn.masked
```

```predict choice
What does it say?
- [ ] fine things if said "bem"
- [ ] other things if said "mal"
```

## Two

```setup
model translate-en-pt
source I am fine
target
change remove scaling all
```

```predict cell decoder.0.self_attn.weights 0 1
Where does the second word look?
```

## Three

```done
changed encoder.0.self_attn.scaled
```
)";

} // namespace

TEST_CASE("every shipped lesson, in both languages, is as it should be") {
    const std::vector<fs::path> files = shipped();
    CHECK(files.size() >= 36);
    for (const fs::path& file : files) {
        CAPTURE(file.filename().string());
        const Result<Lesson> lesson = read_lesson_file(file);
        REQUIRE(lesson);
        const Strings strings = strings_in("en");
        std::string faults;
        for (const LessonFault& fault : check_lesson(*lesson, assets, strings))
            faults += fault_text(*lesson, fault, strings) + "\n";
        CHECK(faults == "");
    }
}

TEST_CASE("every shipped lesson is played to its end: wrong answers are wrong, right ones right") {
    Class taught;
    for (const fs::path& file : shipped()) {
        CAPTURE(file.filename().string());
        taught.run(file.filename().string().find(".pt.") == std::string::npos ? "language en"
                                                                              : "language pt");
        taught.run("lesson open " + file.string());
        REQUIRE(taught.lessons.is_open());
        const std::size_t cards = taught.lessons.lesson().cards.size();
        for (std::size_t card = 0; card < cards; ++card) {
            taught.run("lesson card " + std::to_string(card + 1));
            CAPTURE(taught.lessons.card().title);
            CHECK(taught.lessons.trouble() == "");
            // First all that is wrong, then, again, all that is right.
            for (const bool right : {false, true}) {
                taught.run("lesson again");
                for (std::size_t i = 0; i < taught.lessons.card().predictions.size(); ++i) {
                    REQUIRE(taught.lessons.open_prediction() == i);
                    const LessonPrediction& p = taught.lessons.card().predictions[i];
                    if (p.kind == LessonPrediction::Kind::number) {
                        const double truth = *number_asked(p, taught.session);
                        const double off = 2 * p.within.value_or(0.05 * std::abs(truth) + 0.01) + 1e-3;
                        taught.run("lesson answer " + number_text(right ? truth : truth + off));
                    } else if (p.kind == LessonPrediction::Kind::cell) {
                        const Index largest = largest_cell(p, taught.session)->column;
                        taught.run("lesson point " + std::to_string(right ? largest : largest == 0 ? 1 : 0));
                    } else {
                        const Result<std::size_t> decided = right_choice(p, taught.session);
                        if (!decided) { // by a training that nobody has begun
                            CHECK(decided.error().key == "error.lesson_not_yet");
                            taught.run("lesson choose 1");
                            CHECK(taught.lessons.kept_choice(card, i) == 0);
                            break;
                        }
                        const std::size_t known = *decided;
                        const std::size_t other = known == 0 ? 1 : 0;
                        taught.run("lesson choose " + std::to_string((right ? known : other) + 1));
                    }
                    const LessonAnswer* answer = taught.lessons.answer(card, i);
                    REQUIRE(answer);
                    CHECK(answer->is_right == right);
                }
            }
            const LessonCard& here = taught.lessons.card();
            const bool is_answered = !taught.lessons.open_prediction();
            if (is_answered && !here.predictions.empty() && here.done.empty())
                CHECK(taught.lessons.is_done(card));
            if (!here.done.empty()) CHECK_FALSE(taught.lessons.is_done(card)); // not before it is found out
        }
    }
}

TEST_CASE("a card's state comes up whatever was done before, and undo leads back to it") {
    const OwnLesson own(small);
    Class taught;
    taught.run("model copy");
    taught.run("source banana");
    taught.run("change head encoder.0.self_attn 0 silence");
    const Question before = taught.session.question();
    taught.run("lesson open " + own.file.string());
    CHECK(taught.session.question().source == "I am fine");
    CHECK(taught.session.question().changes.empty());
    taught.run("undo");
    CHECK(taught.session.question() == before);
    taught.run("lesson setup");
    CHECK(taught.session.question().source == "I am fine");
    taught.run("lesson card next");
    CHECK(taught.session.question().changes.size() == 1);
    taught.run("lesson card back");
    CHECK(taught.session.question().changes.empty());
}

TEST_CASE("what is asked is covered until it was predicted") {
    const OwnLesson own(small);
    Class taught;
    taught.run("lesson open " + own.file.string());
    CHECK(taught.session.view().teaching.on);
    CHECK(taught.session.view().teaching.cover.words);
    taught.run("lesson choose 1");
    CHECK_FALSE(taught.session.view().teaching.cover.words);
    CHECK(taught.lessons.answer(0, 0)->is_right);
    taught.run("lesson card next");
    CHECK(taught.session.view().teaching.cover.hides("decoder.0.self_attn.weights", {0, 1, 0}));
    CHECK_FALSE(taught.session.view().teaching.cover.hides("decoder.0.self_attn.weights", {0, 2, 0}));
    taught.run("select decoder.0.self_attn.weights 0 1 0"); // pointed at in the picture
    REQUIRE(taught.lessons.answer(1, 0));
    CHECK(taught.lessons.answer(1, 0)->column == 0);
    CHECK(taught.session.view().teaching.cover.cells.empty());
    taught.run("lesson close");
    CHECK_FALSE(taught.session.view().teaching.on);
}

TEST_CASE("a picture that would answer is covered until a choice is made") {
    Class taught;
    taught.run("lesson open " + std::string(HEADLIGHT_SOURCE_DIR "/assets/lessons/21-why-not-an-rnn.en.md"));
    CHECK(taught.session.view().teaching.cover.picture);
    taught.run("lesson choose 1");
    CHECK_FALSE(taught.session.view().teaching.cover.picture);
    const OwnLesson own(small); // its choice covers nothing but words
    taught.run("lesson open " + own.file.string());
    CHECK_FALSE(taught.session.view().teaching.cover.picture);
}

TEST_CASE("the program ticks what was found out, and remembers it") {
    const OwnLesson own(small);
    Class taught;
    taught.run("lesson open " + own.file.string());
    taught.run("lesson card 3");
    CHECK_FALSE(taught.lessons.is_done(2));
    taught.run("change remove scaling all");
    CHECK(taught.lessons.is_done(2));
    Class later;
    later.lessons.remember(taught.lessons.remembered());
    later.run("lesson open " + own.file.string());
    CHECK(later.lessons.is_done(2));
    CHECK_FALSE(later.lessons.is_done(0));
    later.lessons.remember("nonsense;; x y z;a 3 1,b,2");
}

TEST_CASE("a class's hands are counted until somebody asks for the truth") {
    const OwnLesson own(small);
    Class taught;
    taught.run("lesson open " + own.file.string());
    taught.run("lesson hands on");
    for (const char* hand : {"1", "2", "2", "2"}) taught.run(std::string("lesson choose ") + hand);
    CHECK(taught.lessons.hands(0) == std::vector<int>{1, 3});
    CHECK_FALSE(taught.lessons.answer(0, 0));
    taught.run("lesson forward"); // a presenter's remote control
    REQUIRE(taught.lessons.answer(0, 0));
    CHECK(taught.lessons.answer(0, 0)->right_choice == 0);
    taught.run("lesson forward");
    CHECK(taught.lessons.card_number() == 1);
}

TEST_CASE("a lesson that is written is read anew, and mistakes are shown with their line") {
    const OwnLesson own(small);
    Class taught;
    taught.run("lesson open " + own.file.string());
    taught.run("lesson card 2");
    own.write(small + "\n```setpu\n```\n");
    fs::last_write_time(own.file, fs::last_write_time(own.file) + std::chrono::seconds(5));
    taught.lessons.advance(1);
    CHECK(taught.lessons.card_number() == 1);
    REQUIRE(taught.lessons.lesson().faults.size() == 1);
    CHECK(taught.lessons.lesson().faults[0].error.key == "error.lesson_block_near");
}

TEST_CASE("what was done in the window is recorded as the card's setup") {
    const OwnLesson own(small);
    Class taught;
    taught.run("lesson open " + own.file.string());
    taught.run("source You are welcome");
    taught.run("goto decoder.0.cross_attn.weights");
    taught.run("lesson record");
    const Lesson written = *read_lesson_file(own.file);
    const auto& setup = written.cards[0].setup;
    const auto has = [&](const std::string& line) {
        return std::any_of(setup.begin(), setup.end(), [&](const LessonLine& l) { return l.text == line; });
    };
    CHECK(has("source You are welcome"));
    CHECK(has("goto decoder.0.cross_attn.weights"));
    CHECK(written.cards.size() == 3);
    CHECK(check_lesson(written, assets, strings_in("en")).size() <= 2); // the words are others now
}

TEST_CASE("recording changes the lesson's own languages and no other file") {
    const TemporaryFolder folder;
    for (const char* name :
         {"lesson.en.md", "lesson.pt.md", "lesson.backup.md", "lesson.md", "lesson.v2.en.md"})
        folder.write(name, small);
    Class taught;
    taught.run("lesson open " + (folder / "lesson.backup.md").string());
    taught.run("source You are welcome");
    taught.run("lesson record");
    for (const char* other : {"lesson.en.md", "lesson.pt.md", "lesson.md", "lesson.v2.en.md"})
        CHECK(folder.read(other) == small);
    CHECK(folder.read("lesson.backup.md") != small);
    taught.run("lesson open " + (folder / "lesson.pt.md").string());
    taught.run("language pt");
    taught.run("source You are welcome");
    taught.run("lesson record");
    CHECK(folder.read("lesson.en.md") == folder.read("lesson.pt.md"));
    CHECK(folder.read("lesson.en.md") != small);
    for (const char* other : {"lesson.md", "lesson.v2.en.md"}) CHECK(folder.read(other) == small);
    CHECK(lesson_name("a/lesson.backup.md") == "lesson.backup");
    CHECK(lesson_name("a/lesson.v2.en.md") == "lesson.v2");
}

TEST_CASE("progress is remembered by whatever a lesson is called") {
    const TemporaryFolder folder;
    Class taught;
    const std::vector<std::string> names = {"two words", "semi;colon", "50%",  "100%25",
                                            "new\nline", "ação",       "\xff", " ;% "};
    for (const std::string& name : names) {
        taught.run("lesson open " + file_argument(folder.write(name + ".en.md", small)));
        taught.run("lesson choose 1");
        taught.run("lesson card 2");
    }
    Class later;
    later.lessons.remember(taught.lessons.remembered());
    CHECK(later.lessons.remembered() == taught.lessons.remembered());
    for (const std::string& name : names) {
        CAPTURE(name);
        later.run("lesson open " + file_argument(folder / (name + ".en.md")));
        CHECK(later.lessons.is_done(0));
        CHECK_FALSE(later.lessons.is_done(1));
    }
    later.lessons.remember("03-attention-without-parameters 4 0,1,;ação 1 0,;"); // as it was written before
    later.run("lesson open 03");
    CHECK(later.lessons.card_number() == 4);
}

TEST_CASE("a lesson is opened by the command that opens sessions, too") {
    const OwnLesson own(small);
    Class taught;
    taught.run("open " + own.file.string());
    REQUIRE(taught.lessons.is_open());
    CHECK(taught.lessons.lesson().title == "Mine");
    REQUIRE_FALSE(taught.session.view().files.recent.empty());
    CHECK(taught.session.execute(taught.session.view().files.recent.front()));
}

TEST_CASE("the language of the window is that of the lesson, where there is one") {
    Class taught("pt");
    taught.run("lesson open 03");
    CHECK(taught.lessons.lesson().file.filename().string().find(".pt.md") != std::string::npos);
    taught.run("lesson card 3");
    taught.run("language en");
    CHECK(taught.lessons.lesson().file.filename().string().find(".en.md") != std::string::npos);
    CHECK(taught.lessons.card_number() == 2);
}

TEST_CASE("a setup may not train, save or lead away") {
    for (const char* line :
         {"save /tmp/x", "train start", "quit", "lesson open 01", "screenshot /tmp/x.png"}) {
        CAPTURE(line);
        const OwnLesson own("# T\n\n## C\n\n```setup\n" + std::string(line) + "\n```\n");
        const std::vector<LessonFault> faults =
            check_lesson(*read_lesson_file(own.file), assets, strings_in("en"));
        REQUIRE(faults.size() == 1);
        CHECK(faults[0].line == 6);
        CHECK(faults[0].error.key == "error.lesson_not_in_setup");
    }
}

TEST_CASE("every step of the story that a lesson explains leads to one that is there") {
    Class taught;
    taught.run("model translate-en-pt");
    std::size_t explained = 0;
    for (const StoryStep& step : taught.session.model().story) {
        const std::string lesson = taught.session.lesson_about(step);
        if (lesson.empty()) continue;
        ++explained;
        CAPTURE(step.path());
        CHECK(std::any_of(taught.lessons.lessons().begin(), taught.lessons.lessons().end(),
                          [&](const LessonEntry& entry) { return entry.name == lesson; }));
    }
    CHECK(explained > taught.session.model().story.size() / 2);
}

TEST_CASE("a lesson opens by its number, too") {
    Class taught;
    for (const char* line : {"lesson 3", "lesson open 3", "lesson open 03"}) {
        taught.run(line);
        REQUIRE(taught.lessons.is_open());
        CHECK(lesson_name(taught.lessons.lesson().file).starts_with("03-"));
        taught.run("lesson close");
    }
    CHECK_FALSE(taught.session.execute("lesson 98"));
}
