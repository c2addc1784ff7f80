// Numbers of the lesson and of the filing cabinet: asked like those of the model, and away from its canvas.
#include "app/session/command.h"
#include "app/session/session.h"
#include "app/session/value_names.h"
#include "tests/app/session/changed_session.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <string>

using namespace headlight;

namespace {

void live(Session& session, int frames) {
    for (int i = 0; i < frames; ++i) session.advance(0.05);
}

} // namespace

TEST_CASE("a cell of the lesson is held by its path, and the lesson is where it is shown") {
    const auto opened = test::a_session("I am fine");
    Session& session = *opened;
    const Asking& asking = session.view().asking;
    test::run(session, {"select encoder.0.self_attn.scores 1 2 3", "select plain.weights 0 1 8"});
    CHECK(session.view().room == Room::ground_up);
    CHECK(session.view().asking.held == NamedCell{"plain.weights", {0, 1, 8}});
    CHECK(asking.trail.empty()); // no way leads there from the model's numbers
    test::run(session, {"select plain.scores 0 1 8", "select plain.tokens 0 8 0", "back 2"});
    CHECK(session.view().asking.held == NamedCell{"plain.weights", {0, 1, 8}});
    test::run(session, {"region row"});
    CHECK(part_asked(session) == MatrixPart{"plain.weights", 0, 1, 0, 1, 8});
    const std::string text = part_as_text(session, *part_asked(session), ExportFormat::tsv);
    CHECK(text.find("Roma") != text.npos);
    CHECK_FALSE(session.execute("select plain.weights 0 1 9"));
    CHECK_FALSE(session.execute("select plain.q 0 1 0")); // not before it is computed
    CHECK_FALSE(session.execute("select plain.nothing 0 0 0"));
    // Elsewhere nothing of it is left.
    test::run(session, {"room explore"});
    CHECK_FALSE(session.view().asking.held);
    CHECK_FALSE(asking.part);
    test::run(session, {"forward"});
    CHECK_FALSE(session.view().asking.held);
}

TEST_CASE("what the lesson no longer computes is held no more, and its axes are words") {
    const auto opened = test::a_session("I am fine");
    Session& session = *opened;
    test::run(session, {"lesson projections on", "select plain.q 0 1 0", "select plain.w_q 0 0 0"});
    const Node& weights = *session.find("plain.weights");
    CHECK(axis_labels(session, weights, true)[1] == "rato");
    CHECK(axis_labels(session, weights, false)[8] == "Roma");
    CHECK(axis_labels(session, *session.find("plain.q"), false).empty());
    CHECK(value_name(session, *session.find("plain.tokens")) == "words X");
    test::run(session, {"lesson projections off"});
    CHECK_FALSE(session.view().asking.held);
    CHECK(session.view().asking.trail.empty());
    const unsigned long before = session.version_of("plain.weights"), model = session.version();
    test::run(session, {"lesson vector 1 0.4 0.4"});
    CHECK(session.version_of("plain.weights") != before);
    CHECK(session.version() == model);
}

TEST_CASE("paths of the pages are completed where any number may be asked, and changed nowhere") {
    const auto opened = test::a_session("I am fine");
    Session& session = *opened;
    const auto offers = [&](const char* line, const char* whole) {
        const auto all = completions(session.commands(), session.strings(), session.at_hand(), line);
        return std::any_of(all.begin(), all.end(), [&](const Completion& c) { return c.line == whole; });
    };
    CHECK(offers("select plain.w", "select plain.weights "));
    CHECK(offers("region cabinet.o", "region cabinet.output "));
    CHECK_FALSE(offers("over_time plain.w", "over_time plain.weights "));
    const Result<Done> done = session.execute("change cell plain.weights 0 1 8 0.5");
    REQUIRE_FALSE(done);
    CHECK(done.error().key == "error.change_of_page");
    CHECK(session.question().changes.empty());
}

TEST_CASE("the cabinet's numbers are expected, moved, trained and undone") {
    const auto opened = test::a_session("I am fine");
    Session& session = *opened;
    test::run(session, {"room cabinet", "expect cabinet.weights 0 0 0 0.50 0.005",
                        "expect cabinet.weights 0 0 1 0.30 0.005", "expect cabinet.weights 0 0 2 0.19 0.005",
                        "expect cabinet.weights 0 0 3 0.01 0.005", "select cabinet.weights 0 0 1"});
    const Node& weights = *session.find("cabinet.weights");
    CHECK(axis_labels(session, weights, true) == std::vector<std::string>{"it"});
    CHECK(axis_labels(session, weights, false) == std::vector<std::string>{"robot", "a", "it", "…"});
    test::run(session, {"drag cabinet turn 10", "drag cabinet turn 90", "drag end"});
    CHECK(session.view().asking.held == NamedCell{"cabinet.weights", {0, 0, 1}});
    CHECK(degrees_of(session.question().small_pages.cabinet) == doctest::Approx(90));
    test::run(session, {"room explore", "undo"});
    CHECK(session.view().room == Room::cabinet);
    CHECK(session.question().small_pages.cabinet == CabinetNumbers());
    test::run(session, {"redo", "cabinet note 1 -1.5", "cabinet want it", "cabinet reset"});
    CHECK(session.question().small_pages.cabinet == CabinetNumbers());
    test::run(session, {"cabinet want a", "cabinet train 1000"});
    CHECK(has_found(*session.small_pages().filing_cabinet, 1));
    test::run(session, {"undo", "expect cabinet.weights 0 0 1 0.30 0.005"});
    CHECK_FALSE(session.execute("cabinet want dog"));
    CHECK_FALSE(session.execute("cabinet train 0"));
    test::run(session, {"lesson reset"}); // its own
    CHECK(session.question().small_pages.cabinet.wanted == 1);
}

TEST_CASE("training goes on by itself until the folder is found, and is one step for undo") {
    const auto opened = test::a_session("I am fine");
    Session& session = *opened;
    test::run(session, {"room cabinet", "cabinet want it", "cabinet train"});
    CHECK(session.is_moving());
    const double before = session.small_pages().filing_cabinet->weight(2);
    live(session, 2);
    CHECK(session.small_pages().filing_cabinet->weight(2) > before);
    live(session, 400);
    CHECK_FALSE(session.view().cabinet_training.on);
    CHECK(has_found(*session.small_pages().filing_cabinet, 2));
    test::run(session, {"undo"});
    CHECK(session.small_pages().filing_cabinet->weight(2) == before);
    CHECK(session.question().small_pages.cabinet.wanted == 2);
    // It ends when one leaves, and when one wants it to.
    test::run(session, {"cabinet train", "room explore"});
    live(session, 2);
    CHECK_FALSE(session.view().cabinet_training.on);
    test::run(session, {"room cabinet", "cabinet train", "cabinet stop"});
    CHECK_FALSE(session.view().cabinet_training.on);
}

TEST_CASE("a saved session brings the cabinet back, to the bit, with the number that is held") {
    const auto opened = test::a_session("I am fine");
    Session& session = *opened;
    test::run(session,
              {"cabinet note 0.3 1.7", "cabinet want a", "cabinet train 13", "select cabinet.output 0 0 2"});
    std::string lines;
    for (const std::string& line : session.as_commands()) lines += line + "\n";
    const auto again = test::a_session("I am fine");
    const Result<Done> done = again->replay(lines, "saved");
    REQUIRE_MESSAGE(done, again->strings().text(done.error()));
    CHECK(again->question().small_pages == session.question().small_pages);
    CHECK(again->view().room == Room::cabinet);
    CHECK(again->view().asking.held == session.view().asking.held);
    CHECK(again->small_pages().filing_cabinet->weight(1) == session.small_pages().filing_cabinet->weight(1));
}

TEST_CASE("a weight is copied as it is drawn, and its rows are those of the drawing") {
    const auto opened = test::a_session("I am fine");
    Session& session = *opened;
    const std::string path = "encoder.0.ffn.w_1"; // stored [out × in]
    const Tensor& stored = session.find(path)->value;
    REQUIRE(session.execute("select " + path + " 0 3 1"));
    REQUIRE(session.execute("region column")); // of the stored: a row to see
    const MatrixPart part = *part_asked(session);
    const PartNumbers numbers(*session.find(path), {part});
    CHECK(numbers.tensor.rows() == 1);
    REQUIRE(numbers.tensor.columns() == stored.rows());
    for (Index c = 0; c < stored.rows(); ++c) CHECK(numbers.tensor(0, 0, c) == stored(0, c, 1));
    CHECK(part_as_text(session, part, ExportFormat::tsv)
          == export_text(numbers.tensor, {.format = ExportFormat::tsv}));
}
