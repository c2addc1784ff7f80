#include "app/lessons/lesson_check.h"

#include "app/lessons/player.h"
#include "tests/support/temporary_folder.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>

using namespace headlight;
namespace fs = std::filesystem;

namespace {

const fs::path assets = fs::path(HEADLIGHT_SOURCE_DIR) / "assets";

struct Checked : TemporaryFolder {
    std::vector<std::string> faults; // "LINE key"
    std::vector<std::string> texts;

    explicit Checked(const std::string& text) {
        const Strings strings = *Strings::load(assets);
        const Lesson lesson = *read_lesson_file(write("mine.en.md", text));
        for (const LessonFault& fault : check_lesson(lesson, assets, strings)) {
            faults.push_back(std::to_string(fault.line) + " " + fault.error.key);
            texts.push_back(strings.text(fault.error));
        }
    }
    bool says(const std::string& words) const {
        return std::any_of(texts.begin(), texts.end(),
                           [&](const std::string& text) { return text.find(words) != text.npos; });
    }
};

const std::string asks_everything =
    R"([v](value:encoder.output) [c](cell:encoder.output 0 0 0) [d](do:goto encoder.output)
[p](value:plain.weights) [s](do:select encoder.output 0 0 0) [f](do:fit)

```predict number encoder.output 0 0 0
How much?
```

```predict cell encoder.output 0 0
Where?
```

```predict choice
Which?
- [ ] a if larger encoder.output 0 0 0 encoder.output 0 0 1
- [ ] b if strayed
- [ ] c if diverged
- [ ] d if recalls rnn
- [ ] e if fades rnn 2
```

```done
said "x"
changed encoder.output
asked encoder.output
learnt rnn 5
expect encoder.output 0 0 0 1 1
```
)";

} // namespace

TEST_CASE("a lesson that opens no model, or one that is not there, is told so and nothing more happens") {
    const std::string title = "# T\n\n## C\n\n";
    CHECK_FALSE(Checked(title + asks_everything).faults.empty());
    CHECK(Checked(title + "[x](value:encoder.output)\n").faults
          == std::vector<std::string>{"5 error.lesson_link"});
    const Checked broken(title + "```setup\nmodel /no/such/folder\n```\n\n" + asks_everything);
    REQUIRE_FALSE(broken.faults.empty());
    CHECK(broken.faults[0] == "6 error.lesson_setup");
    // And taken all the same, in a window that has opened nothing.
    const TemporaryFolder folder;
    for (const std::string& setup : {std::string(), std::string("```setup\nmodel /no/such/folder\n```\n")}) {
        Session session(assets, *Strings::load(assets));
        LessonPlayer player(session);
        REQUIRE(
            session.execute("lesson open " + folder.write("a.md", title + setup + asks_everything).string()));
        for (const char* line :
             {"lesson answer 1", "lesson point 0", "lesson choose 1", "lesson reveal", "lesson forward",
              "lesson do goto encoder.output", "lesson again", "lesson close"}) {
            (void)session.execute(line);
            player.advance(1);
        }
        CHECK_FALSE(session.has_model());
    }
}

TEST_CASE("mistakes are told all at once, each with what was meant, and hide nothing below them") {
    const Checked checked(R"(# T

## One

```setup
model translate-en-ptt
souce I am fine
gotoo encoder.output
```

[a](value:encoder.0.self_attn.weigths) [b](do:gotto output.logits)
[c](cell:encoder.0.self_attn.weights 0 0 1) [d](cell:encoder.output 0 0)

```predict number encoder.0.self_attn.weights 0 2 1 within 0,02
How much?
```

##A conta

```setup
save x
quit
```

## Three

```setup
model copy
source abc
```

[e](value:nothing.of.the.kind)
)");
    CHECK(checked.faults
          == std::vector<std::string>{
              "6 error.lesson_setup", "7 error.command_unknown_near", "8 error.command_unknown_near",
              "11 error.lesson_link", "11 error.lesson_link", "12 error.lesson_link",
              "14 error.decimal_comma", "18 error.lesson_heading", "21 error.lesson_not_in_setup",
              "22 error.lesson_not_in_setup", "32 error.lesson_link"});
    for (const char* meant :
         {"“translate-en-pt”?", "“source”?", "“goto”?", "“encoder.0.self_attn.weights”?", "here: 0.02"})
        CHECK_MESSAGE(checked.says(meant), meant);
    CHECK_FALSE(checked.says("There are:")); // not every command that there is
}

TEST_CASE("what writes, opens files, deletes, waits or plays a hand is no button of a lesson") {
    const TemporaryFolder folder;
    const std::string file = (folder / "notes.txt").string();
    for (const std::string& line : {"save " + file,
                                    std::string("save"),
                                    "export page " + file + ".png",
                                    "picture " + file + ".png",
                                    "screenshot " + file + ".png",
                                    "train save " + file,
                                    "train open " + file,
                                    "open " + file,
                                    std::string("train delete 1"),
                                    std::string("race forget"),
                                    std::string("norms train forget"),
                                    std::string("race wait 86400"),
                                    std::string("train wait 86400"),
                                    std::string("norms train wait 86400"),
                                    std::string("wait 100"),
                                    std::string("press ctrl+k"),
                                    "type save " + file,
                                    std::string("click door"),
                                    std::string("quit"),
                                    std::string("drag lesson record"),
                                    std::string("lesson record"),
                                    "lesson do save " + file}) {
        CAPTURE(line);
        const Checked checked("# T\n\n## C\n\n```setup\nmodel copy\nsource abc\n```\n\n[x](do:" + line
                              + ")\n");
        REQUIRE(checked.faults.size()
                == (line.starts_with("lesson do") ? 0 : 1)); // a link is read once more when it is pressed
        if (!checked.faults.empty()) CHECK(checked.faults[0] == "10 error.lesson_not_in_link");
        Session session(assets, *Strings::load(assets));
        LessonPlayer player(session);
        REQUIRE(session.execute("lesson open " + folder.write("a.md", "# T\n\n## C\n\nText\n").string()));
        REQUIRE(session.execute("model copy"));
        CHECK_FALSE(session.execute("lesson do " + line));
        CHECK(folder.count_files() == 1);
        CHECK(fs::remove(folder / "a.md"));
    }
}

TEST_CASE("what a lesson's buttons are for is done") {
    const TemporaryFolder folder;
    Session session(assets, *Strings::load(assets));
    LessonPlayer player(session);
    REQUIRE(session.execute("lesson open " + folder.write("a.md", "# T\n\n## C\n\nText\n").string()));
    REQUIRE(session.execute("model copy"));
    for (const char* line :
         {"source abc", "goto encoder.output", "choose save", "choose off", "palette on", "room heads",
          "change remove residual all", "changes clear", "lesson width 64", "backward on"}) {
        CAPTURE(line);
        CHECK(session.execute(std::string("lesson do ") + line));
    }
    CHECK(session.question().source == "abc");
    CHECK(session.view().room == Room::heads);
    CHECK(session.execute("lesson do lesson open 03"));
    CHECK(player.lesson().cards.size() > 1);
}
