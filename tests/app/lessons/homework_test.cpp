#include "app/lessons/homework.h"

#include "app/lessons/player.h"
#include "tests/support/temporary_folder.h"

#include <doctest/doctest.h>

#include <algorithm>

using namespace headlight;
namespace fs = std::filesystem;

namespace {

const fs::path assets = fs::path(HEADLIGHT_SOURCE_DIR) / "assets";

const std::string small = R"(# Mine

## One

```setup
model translate-en-pt
source I am fine
```

```predict choice
What does it say?
- [ ] fine things if said "bem"
- [ ] other things if said "mal"
> It has no reason to.
```

```predict number decoder.0.self_attn.weights 0 0 0
How much does the first word give to itself?
```

## Two

```setup
model translate-en-pt
source I am fine
```

```predict cell decoder.0.self_attn.weights 0 2
Where does it look?
```

```predict choice
Which?
- [x] this
- [ ] that
```

## Three

To be read.
)";

struct Class {
    Session session{assets, *Strings::load(assets)};
    LessonPlayer lessons{session};

    void run(const std::string& line) {
        CAPTURE(line);
        const Result<Done> done = session.execute(line);
        CHECK_MESSAGE(done, (done ? "" : session.strings().text(done.error())));
        lessons.advance(0);
    }
};

} // namespace

TEST_CASE(
    "a saved session keeps the lesson, the card, the answers and a name, and a fresh window has them again") {
    const TemporaryFolder folder;
    const fs::path lesson = folder.write("my; lesson.en.md", small), file = folder / "ana.headlight";
    Class student;
    student.run("lesson open " + lesson.string());
    student.run("homework by Ana Luísa");
    student.run("lesson choose 2");
    student.run("lesson answer 0.5");
    student.run("lesson card 2");
    student.run("lesson reveal");
    student.run("source You are welcome"); // somewhere else than the setup
    student.run("save " + file.string());

    Class teacher; // who has opened nothing
    teacher.run("open " + file.string());
    REQUIRE(teacher.lessons.is_open());
    CHECK(teacher.lessons.card_number() == 1);
    CHECK(teacher.lessons.student() == "Ana Luísa");
    CHECK(teacher.session.question().source == "You are welcome");
    REQUIRE(teacher.lessons.answer(0, 0));
    CHECK_FALSE(teacher.lessons.answer(0, 0)->is_right);
    CHECK(teacher.lessons.answer(0, 0)->choice == 1);
    REQUIRE(teacher.lessons.answer(0, 1));
    CHECK(teacher.lessons.answer(0, 1)->is_right == student.lessons.answer(0, 1)->is_right);
    CHECK(teacher.lessons.answer(0, 1)->truth == student.lessons.answer(0, 1)->truth);
    REQUIRE(teacher.lessons.answer(1, 0));
    CHECK_FALSE(teacher.lessons.answer(1, 0)->given);
    CHECK_FALSE(teacher.lessons.answer(1, 1));
    CHECK(teacher.session.as_commands() == student.session.as_commands());
    teacher.run("lesson close");
    for (const std::string& line : teacher.session.as_commands()) CHECK_FALSE(line.starts_with("homework"));

    const Result<std::vector<HomeworkRow>> rows = read_homework(file, assets, *Strings::load(assets));
    REQUIRE(rows);
    REQUIRE(rows->size() == 4);
    using Verdict = HomeworkRow::Verdict;
    CHECK((*rows)[0].student == "Ana Luísa");
    CHECK((*rows)[0].lesson == "my; lesson");
    CHECK((*rows)[0].card == 1);
    CHECK((*rows)[0].question == "What does it say?");
    CHECK((*rows)[0].answer == "other things");
    CHECK((*rows)[0].truth == "fine things"); // the live model
    CHECK((*rows)[0].verdict == Verdict::wrong);
    CHECK((*rows)[1].answer == "0.5");
    CHECK((*rows)[2].verdict == Verdict::shown);
    CHECK((*rows)[3].verdict == Verdict::open);
    CHECK((*rows)[3].truth == "this");
}

TEST_CASE("homework without its lesson is told by its file, and its session opens all the same") {
    const TemporaryFolder folder;
    const fs::path lesson = folder.write("mine.en.md", small), file = folder / "ana.headlight";
    Class student;
    student.run("lesson open " + lesson.string());
    student.run("lesson choose 1");
    student.run("save " + file.string());
    fs::create_directories(folder / "elsewhere");
    fs::rename(lesson, folder / "elsewhere/mine.en.md");
    const Strings strings = *Strings::load(assets);
    const auto missing = read_homework(file, assets, strings);
    REQUIRE_FALSE(missing);
    CHECK(missing.error().key == "error.homework_lesson");
    fs::rename(file, folder / "elsewhere/ana.headlight"); // beside the lesson it is found
    CHECK(read_homework(folder / "elsewhere/ana.headlight", assets, strings));
    fs::rename(folder / "elsewhere/mine.en.md", folder / "elsewhere/other.en.md");
    Class later;
    later.run("open " + (folder / "elsewhere/ana.headlight").string());
    CHECK_FALSE(later.lessons.is_open());
    CHECK(later.session.question().source == "I am fine");
    const fs::path empty = folder.write("none.headlight", "model copy\nsource abc\n");
    const auto none = read_homework(empty, assets, strings);
    REQUIRE_FALSE(none);
    CHECK(none.error().key == "error.homework_none");
    // What somebody wrote by hand, or an older lesson, harms nobody.
    folder.write("elsewhere/mine.en.md", small);
    for (const char* line : {"homework answer 1 1 7 1", "homework answer 9 9 1 1", "homework answer 1 1 1 99",
                             "homework answer 2 1 x 1", "homework answer 1 2 nan nan", "homework card 99",
                             "homework answer 1 1 1.5 1"}) {
        const fs::path odd = folder.write("elsewhere/odd.headlight",
                                          "homework lesson mine.en.md\n" + std::string(line) + "\n");
        (void)read_homework(odd, assets, strings);
    }
}

TEST_CASE("no lesson's setup opens another through homework") {
    Class taught;
    CHECK_FALSE(check_setup_line(taught.session.commands(), "homework lesson 03"));
    CHECK(check_setup_line(taught.session.commands(), "source abc"));
}

TEST_CASE("the end of a lesson says how it went and what is next, and the list ticks it") {
    Class taught;
    taught.run("lesson open 03");
    REQUIRE(taught.lessons.next_lesson());
    CHECK(taught.lessons.next_lesson()->name.starts_with("04-"));
    const LessonEntry entry = taught.lessons.lessons()[2];
    CHECK(entry.name.starts_with("03-"));
    CHECK_FALSE(taught.lessons.is_finished(entry));
    CHECK(taught.lessons.score().asked == 6);
    const std::size_t cards = taught.lessons.lesson().cards.size();
    for (std::size_t card = 0; card < cards; ++card) {
        taught.run("lesson card " + std::to_string(card + 1));
        while (taught.lessons.open_prediction()) taught.run("lesson reveal");
    }
    CHECK(taught.lessons.score().right == 0); // uncovered is not predicted
    CHECK(taught.lessons.score().answered == 6);
    CHECK(taught.lessons.score().predicted == 0);
    Class later;
    std::string all = taught.lessons.remembered();
    for (std::size_t card = 0; card < cards; ++card)
        all += "03-attention-without-parameters 0 0,1,2,3,4,5,6,;";
    later.lessons.remember(all);
    CHECK(later.lessons.is_finished(entry));
    taught.run("lesson open 25");
    CHECK_FALSE(taught.lessons.next_lesson());
}

TEST_CASE("what is chosen before a training can tell is kept, and saved with the answers") {
    Class taught;
    taught.run("lesson open 17");
    taught.run("lesson choose 2");
    CHECK_FALSE(taught.lessons.answer(0, 0));
    CHECK(taught.lessons.kept_choice(0, 0) == 1);
    const std::vector<std::string> lines = taught.session.view().teaching.homework;
    CHECK(std::find(lines.begin(), lines.end(), "homework answer 1 1 2 later") != lines.end());
    Class later;
    for (const std::string& line : lines) later.run(line);
    CHECK(later.lessons.kept_choice(0, 0) == 1);
    CHECK_FALSE(later.lessons.answer(0, 0));
    taught.run("lesson choose 3"); // another one
    CHECK(taught.lessons.kept_choice(0, 0) == 2);
    taught.run("lesson forward"); // who has predicted need not be told
    CHECK(taught.lessons.card_number() == 1);
    taught.run("lesson card 1");
    taught.run("lesson again");
    CHECK_FALSE(taught.lessons.kept_choice(0, 0));
}
