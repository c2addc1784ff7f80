// Thousands of things that nobody would do, in an order that nobody would choose, at every size that a window
// can have: it survives.
#include "tests/app/lessons/random_lesson.h"
#include "tests/app/session/foreign_session.h"
#include "tests/app/ui/monkey.h"
#include "tests/support/soak.h"

#include <doctest/doctest.h>

#include <chrono>
#include <cstdlib>
#include <limits>
#include <random>

using namespace headlight;

namespace {

// Acts of each seed; with HEADLIGHT_MONKEY=N in the environment so many.
int acts() {
    if (const char* wished = std::getenv("HEADLIGHT_MONKEY")) return std::atoi(wished);
    return test::soaks() ? 100'000 : 4000;
}

std::uint32_t seed() {
    const char* wished = std::getenv("HEADLIGHT_SEED");
    return wished ? std::uint32_t(std::atol(wished)) : 20170612;
}

double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

} // namespace

TEST_CASE("thousands of random commands, clicks and keys leave the window in order") {
    Stage stage("translate-en-pt", 900, 640);
    Monkey monkey(stage, {}, seed());
    const bool tells = std::getenv("HEADLIGHT_MONKEY") != nullptr;
    double longest = 0;
    constexpr int acts_of_a_mood = 100; // who waits sees all at once, who does not sees it come
    for (int i = 0; i < acts(); ++i) {
        const double begun = now();
        if (i % acts_of_a_mood == 0)
            stage.host().wait_for_answers(i / acts_of_a_mood % 2 ? 0
                                                                 : std::numeric_limits<double>::infinity());
        monkey.act();
        if (tells) INFO(monkey.last());
        if (i % 3 == 0) stage.frame();
        if (i % 60 == 0) (void)stage.display().capture(); // as it stands, drawn to the last pixel
        if (tells && now() - begun > longest) {
            longest = now() - begun;
            MESSAGE(i << ": " << longest << " s: " << monkey.last());
        }
    }
    if (tells) MESSAGE(acts() << " acts, " << monkey.commands() << " of them commands");
    (void)stage.session().execute("train pause");
    for (int i = 0; i < 4000 && !stage.display().input().empty(); ++i) stage.frame();
    stage.display().input().release_mouse();
    (void)stage.session().take_screenshots(); // scripts alone take them
    for (const char* line : {"lesson close", "train leave", "choose off", "help off"})
        (void)stage.session().execute(line);
    CHECK(stage.run("pause\nchanges clear\nmodel translate-en-pt\ntarget\nsource I am fine\nstep first\n")
          == "");
    CHECK(stage.session().strings().missing().empty());
    CHECK(stage.session().sentence().source.size() == 3);
    for (const StoryStep& step : stage.session().model().story) CHECK(step.node->value.size() > 0);
}

TEST_CASE("a window that has opened nothing survives what nobody would do, in every room") {
    Stage stage("", 900, 640);
    // What would open a model; clicks and links may do so all the same.
    Monkey monkey(stage, {"model", "open", "classroom", "lesson", "undo", "redo"}, seed());
    const int each = acts() / 4 / int(std::size(room_names));
    for (const std::string_view room : room_names) {
        (void)stage.session().execute("room " + std::string(room));
        for (int i = 0; i < each; ++i) {
            monkey.act();
            if (i % 3 == 0) stage.frame();
        }
    }
    CHECK(stage.session().strings().missing().empty());
}

TEST_CASE("models that others make survive it, too") {
    for (const test::ForeignModel& foreign : test::foreign_models()) {
        CAPTURE(foreign.name);
        Stage stage("", 900, 640);
        stage.session().open(test::foreign_loaded(foreign));
        Monkey monkey(stage, {"model", "open", "classroom", "lesson"}, seed());
        const int each = acts() / 60 / int(std::size(room_names));
        for (const std::string_view room : room_names) {
            (void)stage.session().execute("room " + std::string(room));
            for (int i = 0; i < each; ++i) {
                monkey.act();
                if (i % 3 == 0) stage.frame();
            }
        }
        CHECK(stage.session().strings().missing().empty());
    }
}

TEST_CASE("a window that has opened nothing takes lessons that nobody would write") {
    Stage stage("", 900, 640);
    Session& session = stage.session();
    constexpr const char* taken[] = {"lesson choose 1", "lesson answer 0.5", "lesson point 1",
                                     "lesson reveal",   "lesson forward",    "lesson again",
                                     "lesson setup",    "lesson card next",  "lesson hands on",
                                     "lesson notes on", "lesson hands off",  "undo"};
    const TemporaryFolder folder;
    std::mt19937 random(seed());
    const int lessons = test::soaks() ? 500 : 12;
    for (int lesson = 1; lesson <= lessons; ++lesson) {
        folder.write("lesson.en.md", test::RandomLesson(std::uint32_t(lesson)).text());
        (void)session.execute("lesson open " + (folder / "lesson.en.md").string());
        for (int act = 0; act < 12; ++act) {
            (void)session.execute(taken[random() % std::size(taken)]);
            stage.frame();
        }
        CHECK(folder.count_files() == 1);
    }
    (void)session.execute("lesson close");
    CHECK(session.strings().missing().empty());
    CHECK(stage.run("notice off") == "");
}
