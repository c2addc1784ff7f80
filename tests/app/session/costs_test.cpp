// The page of costs: its commands, what it keeps, what is saved.
#include "app/session/session.h"
#include "tests/app/session/changed_session.h"

#include <doctest/doctest.h>

#include <memory>
#include <string>

using namespace headlight;

TEST_CASE("a layer's counts follow its size, are expected, held and undone") {
    const auto opened = test::a_session("I am fine");
    Session& session = *opened;
    test::run(session,
              {"room costs", "costs width 64", "costs length 128", "expect costs.attention 0 0 0 4194304 0",
               "expect costs.feed_forward 0 0 0 4194304 0", "select costs.attention 0 0 0"});
    CHECK(session.view().asking.held == NamedCell{"costs.attention", {0, 0, 0}});
    test::run(session, {"drag costs length 256", "drag costs length 512", "drag end",
                        "expect costs.mixing 0 0 0 33554432 0", "room explore", "undo"});
    CHECK(session.view().room == Room::costs);
    CHECK(session.question().small_pages.layer_size == LayerSize{128, 64});
    CHECK_FALSE(session.execute("costs length 0"));
    CHECK_FALSE(session.execute("costs part dropout on"));
    CHECK_FALSE(session.execute("costs context 7"));
    const unsigned long version = session.version();
    test::run(session, {"redo", "lesson reset"}); // another page's
    CHECK(session.question().small_pages.layer_size.length == 512);
    CHECK(session.version() == version);
}

TEST_CASE("what is measured are the parts that are shown, along the axis that is shown, and it stays") {
    const auto opened = test::a_session("I am fine");
    Session& session = *opened;
    test::run(session, {"costs part attention off", "costs part rnn off", "costs over width",
                        "costs length 8", "costs measure"});
    CHECK(session.is_lively());
    test::run(session, {"costs finish"});
    session.advance(0.01);
    CHECK_FALSE(session.costs().goes_on());
    CHECK(session.costs().points().size() == 6); // widths 16 … 512 of the feed-forward network
    for (const CostPoint& point : session.costs().points()) {
        CHECK(point.part == CostPart::feed_forward);
        CHECK(point.length == 8);
        CHECK(quantity_of(point, CostQuantity::training) > 0);
        CHECK(quantity_of(point, CostQuantity::multiplications)
              == 8.0 * 8 * double(point.d_model * point.d_model));
    }
    test::run(session, {"model copy", "costs stop"});
    CHECK(session.costs().points().size() == 6);
    test::run(session, {"costs part feed-forward off", "costs measure", "costs finish"}); // nothing
    CHECK(session.costs().points().size() == 6);
}

TEST_CASE(
    "a saved session brings the page back as it was looked at; nothing measures because a file was opened") {
    const auto opened = test::a_session("I am fine");
    Session& session = *opened;
    test::run(session, {"room costs", "costs length 2048", "costs width 32", "costs show bytes",
                        "costs over width", "costs part lstm on", "costs part rnn", "costs lines off",
                        "costs context 4096", "costs model llama", "costs paper"});
    std::string lines;
    for (const std::string& line : session.as_commands()) lines += line + "\n";
    const auto again = test::a_session("I am fine");
    const Result<Done> done = again->replay(lines, "saved");
    REQUIRE_MESSAGE(done, again->strings().text(done.error()));
    CHECK(again->view().costs == session.view().costs);
    CHECK(again->view().costs.shows(CostPart::lstm));
    CHECK_FALSE(again->view().costs.shows(CostPart::rnn));
    CHECK(again->question().small_pages == session.question().small_pages);
    CHECK(again->view().room == Room::costs);
    CHECK_FALSE(session.commands().check_replayable("costs measure"));
    CHECK_FALSE(again->costs().goes_on());
}
