// What a window remembers: closed or killed, the next one goes on where it was, and says so.
#include "app/ui/window/window_store.h"

#include "app/session/training/training_view.h"
#include "tests/app/ui/stage.h"
#include "tests/support/endless_model.h"
#include "tests/support/temporary_folder.h"

#include <doctest/doctest.h>

using namespace headlight;

namespace {

// A window with everything that is remembered, as open_window makes one.
struct Remembering : Stage {
    explicit Remembering(const TemporaryFolder& home)
        : Stage(""), state(home / "settings.json", home / "windows") {
        REQUIRE(state.begin(session(), {}));
        session().remember_training(home / "training");
        REQUIRE(state.begin(session(), host(), {}));
        REQUIRE(run("lesson door off") == "");
        while (session().training().training.is_recalling()) frame();
        frame();
        (void)state.keep(session(), host(), 1280, 800, false);
    }
    void keep() { state.keep_now(session(), host(), 1280, 800, false); }
    void close() {
        state.close(session(), host(), 1280, 800, false);
        CHECK(session().close_training().empty());
    }
    std::string told() const { return view().notice ? view().notice->text : ""; }

    WindowStore state;
};

} // namespace

TEST_CASE("what a window showed that was killed, or closed, is found again, and one click begins afresh") {
    const TemporaryFolder home;
    {
        Remembering first(home);
        CHECK(first.told() == "");
        REQUIRE(first.run("source the cat was tired\nchange head encoder.0.self_attn 1 silence\nroom whatif\n"
                          "language pt\nlanguage en\ntheme light")
                == "");
        first.keep();
    } // as if killed: nobody closes it
    for (const bool is_closed : {false, true}) {
        CAPTURE(is_closed);
        Remembering next(home);
        CHECK(next.question().source == "the cat was tired");
        CHECK(next.question().changes.size() == 1);
        CHECK(next.view().room == Room::what_if);
        CHECK(next.view().theme == ThemeName::light);
        CHECK(next.told() == "Found again: your sentence, one change.");
        next.frame(2);
        REQUIRE(next.names().find("notice.offer"));
        if (!is_closed) {
            next.close();
            continue;
        }
        REQUIRE(next.run("click notice.offer\nwait 2") == "");
        CHECK(next.question().changes.empty());
        CHECK(next.question().source == next.session().model().examples.front());
        CHECK(next.told() == "");
        REQUIRE(next.run("undo") == "");
        CHECK(next.question().changes.size() == 1);
    }
}

TEST_CASE("a window that begins beside another one leaves it what it shows, and begins afresh") {
    const TemporaryFolder home;
    WindowSessions other(home / "windows");
    REQUIRE_FALSE(other.begin(false));
    REQUIRE(other.write("model copy\n"));
    {
        Remembering beside(home);
        CHECK(beside.told() == "");
        CHECK(beside.session().model().name == "everyday-en-pt");
        REQUIRE(beside.run("source the dog") == "");
        beside.keep();
    }
    CHECK(home.read("windows/1/now.headlight") == "model copy\n");
    Remembering next(home);
    CHECK(next.question().source == "the dog");
}

TEST_CASE("a run is found again with the window that trained it") {
    const TemporaryFolder home;
    {
        Remembering first(home);
        REQUIRE(first.run("train task copy\ntrain set d_model 16\ntrain set d_ff 16\ntrain set batch 4\n"
                          "train start 12\ntrain wait 120")
                == "");
        first.keep();
        first.close();
    }
    Remembering next(home);
    CHECK(next.told() == "Found again: a training of 12 steps.");
    next.frame(2);
    CHECK_FALSE(next.names().find("notice.offer"));
}

TEST_CASE("a session that cannot be brought back is kept, and said") {
    const TemporaryFolder home;
    std::filesystem::create_directories(home / "windows");
    home.write("windows/last.headlight", "model /nowhere\nsource the cat\n");
    Remembering next(home);
    REQUIRE(next.view().notice);
    CHECK(next.view().notice->is_error);
    CHECK(next.told().find("/nowhere") != std::string::npos);
    CHECK(next.told().find("stopped.headlight") != std::string::npos);
    CHECK(home.read("windows/stopped.headlight") == "model /nowhere\nsource the cat\n");
    CHECK(next.session().has_model());
}

TEST_CASE("what was set aside once is not written over by what is set aside next") {
    const TemporaryFolder home;
    std::filesystem::create_directories(home / "windows");
    for (const char* line : {"model /nowhere\n", "model /elsewhere\n"}) {
        home.write("windows/last.headlight", line);
        Remembering next(home);
        CHECK(next.view().notice);
        next.close();
    }
    CHECK(home.read("windows/stopped.headlight") == "model /nowhere\n");
    CHECK(home.read("windows/stopped-2.headlight") == "model /elsewhere\n");
}

TEST_CASE("a sentence of some megabytes does not cost the settings and the progress in lessons") {
    const TemporaryFolder home;
    const std::string text(2 << 20, 'a');
    {
        Remembering first(home);
        REQUIRE(first.session().execute("model copy"));
        REQUIRE(first.session().execute("theme light"));
        REQUIRE(first.session().execute("source " + text));
        first.keep();
        first.close();
    }
    Remembering next(home);
    CHECK(next.view().theme == ThemeName::light);
    CHECK(next.session().question().source == text);
}

TEST_CASE("a window that ended while it began is not followed by another one that does the same") {
    const TemporaryFolder home;
    home.write("settings.json", "{\"model\": \"copy\", \"source\": \"a b\", \"first_steps_done\": true}");
    std::filesystem::create_directories(home / "windows/1");
    home.write("windows/1/now.headlight", "model copy\nsource a b\n");
    home.write("windows/1/starting", "");
    Remembering next(home);
    CHECK(next.told().find("stopped.headlight") != std::string::npos);
    CHECK(next.session().model().name == "everyday-en-pt");
    CHECK(home.read("windows/stopped.headlight") == "model copy\nsource a b\n");
}

TEST_CASE("an answer that takes long says how far it is, and Esc stops it") {
    Stage stage;
    stage.session().open(assemble_model(test::endless_model(900)));
    stage.host().wait_for_answers(0);
    stage.frame();
    REQUIRE(stage.session().execute("source the cat"));
    stage.frame(2);
    const LongAnswers& answers = stage.session().experiment().long_answers();
    if (answers.is_under_way()) { // a quick machine has said all of it in two frames
        CHECK(stage.names().find("unlike.writing"));
        stage.display().input().press_key(*parse_chord("escape"));
        stage.frame(3);
    }
    CHECK_FALSE(answers.is_under_way());
    stage.frame();
    CHECK(stage.session().sentence().is_cut == bool(stage.names().find("unlike.writing")));
}

TEST_CASE(
    "what is looked for says how far it is while its first words are shown, Esc stops it, and it goes on") {
    Stage stage;
    stage.session().open(assemble_model(test::endless_model(900)));
    stage.host().wait_for_answers(0);
    stage.frame();
    for (const char* command : {"source the cat", "room say", "say width 16", "say beam"})
        REQUIRE(stage.session().execute(command));
    REQUIRE(stage.session().experiment().looked());
    stage.frame(2);
    CHECK(stage.names().find("unlike.looking"));
    CHECK(stage.session().generation()->tree);
    stage.display().input().press_key(*parse_chord("escape"));
    stage.frame(3);
    CHECK_FALSE(stage.session().experiment().looked());
    CHECK(stage.session().view().room == Room::say);
    CHECK(stage.names().find("unlike.searched"));
    REQUIRE(stage.session().execute("say on"));
    stage.frame(2);
    CHECK(stage.names().find("unlike.looking"));
}
