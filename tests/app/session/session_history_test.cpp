#include "app/session/session.h"
#include "app/session/session_sweep.h"
#include "engine/tensor/random.h"
#include "tests/app/session/changed_session.h"
#include "tests/support/temporary_folder.h"

#include <doctest/doctest.h>

#include <initializer_list>
#include <string>
#include <vector>

using namespace headlight;
using namespace headlight::test;

TEST_CASE("undo goes back to the very beginning, change by change, and redo to the end, to the same bits") {
    const auto opened = a_session();
    Session& session = *opened;
    std::vector<std::vector<std::string>> steps{session.as_commands()};
    std::vector<std::vector<std::uint32_t>> numbers{bits(session)};
    for (const char* command :
         {"change head encoder.0.self_attn 0 silence", "change cell encoder.0.norm1 0 0 1",
          "change cell encoder.0.norm1 0 0 2", "change off 1", "second I am fine",
          "change patch encoder.0.norm1 1", "target O animal", "changes off", "change on 2",
          "source You are welcome", "changes clear", "change remove norm", "model copy",
          "change remove scaling", "source abc"}) {
        run(session, command);
        steps.push_back(session.as_commands());
        numbers.push_back(bits(session));
    }
    for (std::size_t i = steps.size() - 1; i > 0; --i) {
        run(session, "undo");
        CHECK(session.as_commands() == steps[i - 1]);
        CHECK(bits(session) == numbers[i - 1]);
    }
    for (std::size_t i = 1; i < steps.size(); ++i) {
        run(session, "redo");
        CHECK(session.as_commands() == steps[i]);
        CHECK(bits(session) == numbers[i]);
    }
}

TEST_CASE("a saved session is opened to the same numbers, bit for bit") {
    const TemporaryFolder folder;
    const std::string file = (folder / "my lesson.headlight").string();
    const auto first = a_session();
    for (const char* command :
         {"change cell encoder.0.norm1 10 3 0.1", "change weight encoder.0.self_attn.w_q random 7",
          "change head decoder.0.cross_attn 1 scale 1.7", "change off 3", "target O animal não",
          "goto encoder.1.add1", "head 2", "select encoder.1.add1 1 2", "source The animal was too tired"})
        run(*first, command);
    run(*first, "second " + wide);
    run(*first, "change patch encoder.1.norm2 2");
    run(*first, "save " + file);

    const auto another = a_session("I am fine");
    Session& second = *another;
    run(second, "open " + file);
    CHECK(second.as_commands() == first->as_commands());
    CHECK(bits(second) == bits(*first));
    CHECK(second.question().changes.size() == 4);

    // Over another session it is one step, and undo brings that back.
    const auto third = a_session("I am fine");
    run(*third, "change remove norm encoder");
    const std::vector<std::string> before = third->as_commands();
    run(*third, "open " + file);
    CHECK(bits(*third) == bits(*first));
    run(*third, "undo");
    CHECK(third->question().changes.size() == 1);
    CHECK(third->question().source == "I am fine");
}

TEST_CASE("a saved session brings back room, heads, sweep and lesson, to the bit") {
    const TemporaryFolder folder;
    const std::string file = (folder / "lesson.headlight").string();
    const auto first = a_session();
    for (const char* command :
         {"heads open decoder.1.cross_attn 2", "heads word key 4", "heads transpose on",
          "heads order entropy", "sweep show log_odds", "sweep heads 7 ele", "heads sweep",
          "lesson vector 3 0.1 0.3", "lesson turn k 33.3", "lesson projections on", "lesson scaled on",
          "lesson word 5", "lesson width 77", "room lesson"})
        run(*first, command);
    run(*first, "second " + wide);
    run(*first, "sweep patch 7 ela");
    const auto check = [&](const Session& session) {
        CHECK(session.as_commands() == first->as_commands());
        CHECK(bits(session) == bits(*first));
        CHECK(session.view().heads == first->view().heads);
        CHECK(session.view().room == first->view().room);
        const SmallPages &lesson = session.small_pages(), &wanted = first->small_pages();
        CHECK(static_cast<const SmallPagesSetting&>(lesson) == wanted);
        CHECK(KeptTensor(lesson.attention->graph.find("y")->value)
              == KeptTensor(wanted.attention->graph.find("y")->value));
        REQUIRE((session.sweep() != nullptr) == (first->sweep() != nullptr));
        if (session.sweep())
            CHECK(session.sweep()->sweep.baseline(SweepMeasure::log_odds)
                  == first->sweep()->sweep.baseline(SweepMeasure::log_odds));
    };
    const auto second = a_session("I am fine");
    for (const char* view :
         {"heads sweep", "heads masks", "heads pair", "heads open encoder.0.self_attn mean",
          "heads open encoder.0.self_attn 3", "heads close", "lesson reset", "sweep off", "room heads"}) {
        run(*first, view);
        run(*first, "save " + file);
        run(*second, "open " + file);
        check(*second);
    }
    run(*second, "model copy"); // which has no such heads
    run(*second, "save " + file);
    run(*second, "open " + file);
}

TEST_CASE("undo goes back through what was looked at: page, head, order, word") {
    const auto opened = a_session();
    Session& session = *opened;
    run(session, "room heads");
    std::vector<HeadsView> views{session.view().heads};
    for (const char* command :
         {"heads masks", "change mask encoder.mask 1 2 forbid", "heads open encoder.1.self_attn 1",
          "heads word query 2", "heads transpose on", "heads close", "heads order entropy"}) {
        run(session, command);
        views.push_back(session.view().heads);
    }
    run(session, "room explore");
    for (std::size_t i = views.size() - 1; i > 0; --i) {
        run(session, "undo");
        CHECK(session.view().heads == views[i - 1]);
        CHECK(session.view().room == Room::heads);
        CHECK(session.question().changes.size() == (i - 1 >= 2 ? 1 : 0));
    }
    run(session, "heads grid"); // as it was: nothing to undo
    run(session, "redo");
    CHECK(session.view().heads == views[1]);
}

TEST_CASE("a session file that says something else is refused with its line, and nothing has happened") {
    const TemporaryFolder folder;
    const auto opened = a_session();
    Session& session = *opened;
    run(session, "change remove norm encoder");
    const std::vector<std::string> before = session.as_commands();
    const std::vector<std::uint32_t> numbers = bits(session);
    const std::string picture = (folder / "x.png").string();
    int count = 0;
    for (const std::string& bad : {std::string("screenshot ") + picture, std::string("save ") + picture,
                                   std::string("open ") + picture, std::string("change nonsense"),
                                   std::string("undo"), std::string("model /no/such")}) {
        CAPTURE(bad);
        const std::string file =
            folder.write("bad" + std::to_string(count++), "model copy\nsource abc\n# fine\n" + bad + "\n")
                .string();
        CHECK_FALSE(session.execute("open " + file));
        CHECK(session.view().notice->text.find("4") != std::string::npos);
        CHECK(session.as_commands() == before);
        CHECK(bits(session) == numbers);
    }
    CHECK_FALSE(session.execute("open " + (folder / "missing").string()));
    CHECK_FALSE(session.execute("open"));
    CHECK_FALSE(std::filesystem::exists(picture));
}

TEST_CASE("whatever is done, undo all the way leads to the first numbers and redo to the last") {
    for (const std::uint64_t seed : {1, 2, 3, 4}) {
        const auto opened = a_session("I am fine");
        Session& session = *opened;
        while (session.can_undo()) run(session, "undo");
        const std::vector<std::string> first = session.as_commands();
        const std::vector<std::uint32_t> first_bits = bits(session);
        Random random(seed);
        const std::vector<std::string> commands = {"source You are welcome",
                                                   "source I am fine",
                                                   "target Eu estou",
                                                   "target",
                                                   "second I am fine",
                                                   "second off",
                                                   "change head encoder.0.self_attn 0 silence",
                                                   "change head decoder.1.cross_attn all uniform",
                                                   "change cell encoder.0.norm1 0 3 0.25",
                                                   "change cell encoder.0.norm1 0 3 nan",
                                                   "change remove norm",
                                                   "change row encoder.embed.output 0 1",
                                                   "change off 1",
                                                   "change on 1",
                                                   "change delete 1",
                                                   "changes clear",
                                                   "changes off",
                                                   "change patch encoder.0.norm2 1",
                                                   "undo",
                                                   "redo"};
        for (int i = 0; i < 60; ++i)
            (void)session.execute(commands[std::size_t(random.below(Index(commands.size())))]);
        while (session.can_redo()) run(session, "redo");
        const std::vector<std::string> last = session.as_commands();
        const std::vector<std::uint32_t> last_bits = bits(session);
        while (session.can_undo()) run(session, "undo");
        CHECK(session.as_commands() == first);
        CHECK(bits(session) == first_bits);
        while (session.can_redo()) run(session, "redo");
        CHECK(session.as_commands() == last);
        CHECK(bits(session) == last_bits);
    }
}

TEST_CASE("the smoothing of the loss is undone, saved and opened like all that numbers depend on") {
    const TemporaryFolder folder;
    const auto opened = a_session("I am fine");
    Session& session = *opened;
    const double plain = double(value(session, "output.loss")(0, 0, 0));
    run(session, "smoothing 0.3");
    const double smooth = double(value(session, "output.loss")(0, 0, 0));
    CHECK(smooth != plain);
    run(session, "save " + (folder / "smooth").string());
    run(session, "undo");
    CHECK(double(value(session, "output.loss")(0, 0, 0)) == plain);
    run(session, "redo");
    CHECK(double(value(session, "output.loss")(0, 0, 0)) == smooth);
    const auto another = a_session("The animal");
    run(*another, "open " + (folder / "smooth").string());
    CHECK(double(value(*another, "output.loss")(0, 0, 0)) == smooth);
}

TEST_CASE("a session file that goes wrong leaves model, sentence, changes and view as they were") {
    const TemporaryFolder folder;
    folder.write("wrong", "model copy\nsource abc\nsmoothing 0.2\nlesson word 3\ngoto nowhere\n");
    const auto opened = a_session("I am fine");
    Session& session = *opened;
    run(session, "change head encoder.0.self_attn 0 silence");
    run(session, "goto encoder.1.add1");
    run(session, "select encoder.1.add1 1 2");
    const std::vector<std::string> before = session.as_commands();
    const std::vector<std::uint32_t> numbers = bits(session);
    CHECK_FALSE(session.execute("open " + (folder / "wrong").string()));
    CHECK(session.as_commands() == before);
    CHECK(bits(session) == numbers);
}
