#include "app/session/session.h"
#include "app/session/value_names.h"
#include "tests/app/session/changed_session.h"

#include <doctest/doctest.h>

#include <memory>
#include <string>

using namespace headlight;

TEST_CASE("a trail leads back over the numbers that were asked about, and forward again") {
    const auto opened = test::a_session("I am fine");
    Session& session = *opened;
    const Asking& asking = session.view().asking;
    test::run(session, {"select encoder.0.self_attn.scores 1 2 3", "select encoder.0.self_attn.q 1 2 5",
                        "select encoder.0.self_attn.w_q 1 2"});
    CHECK(asking.trail.size() == 2);
    test::run(session, {"back"});
    CHECK(session.view().asking.held == NamedCell{"encoder.0.self_attn.q", {1, 2, 5}});
    test::run(session, {"back", "back", "back"}); // no further than the first
    CHECK(session.view().asking.held == NamedCell{"encoder.0.self_attn.scores", {1, 2, 3}});
    test::run(session, {"forward 2"});
    CHECK(session.view().asking.held == NamedCell{"encoder.0.self_attn.w_q", {0, 1, 2}});
    test::run(session, {"back", "select encoder.0.self_attn.k 1 2 5"});
    CHECK(asking.ahead.empty()); // another way was taken
    test::run(session, {"select encoder.0.self_attn.k 1 2 5"});
    CHECK(asking.trail.size() == 2); // the same number again is no step
    test::run(session, {"unselect"});
    CHECK(asking.trail.empty());
    CHECK_FALSE(session.execute("back 0"));
}

TEST_CASE("a shorter sentence takes what it does not have out of the trail") {
    const auto opened = test::a_session("I am fine");
    Session& session = *opened;
    test::run(session,
              {"select encoder.0.self_attn.scores 1 0 3", "select encoder.0.self_attn.q 1 0 5",
               "region encoder.0.self_attn.q 1 0 0 3 5", "select encoder.0.self_attn.q 1 1 5", "source I"});
    REQUIRE(session.view().asking.trail.size() == 1);
    CHECK(session.view().asking.trail[0].path == "encoder.0.self_attn.q");
    CHECK_FALSE(session.view().asking.part);
}

TEST_CASE(
    "a region is chosen by its corners, or around the held cell, and let go when another value is asked") {
    const auto opened = test::a_session("I am fine");
    Session& session = *opened;
    const std::optional<MatrixPart>& part = session.view().asking.part;
    CHECK_FALSE(session.execute("region row"));
    CHECK(session.view().notice->text == session.strings().text("error.nothing_held"));
    test::run(session, {"region encoder.0.self_attn.scores 1 3 2 0 1"});
    CHECK(*part == MatrixPart{"encoder.0.self_attn.scores", 1, 0, 1, 3, 2});
    test::run(session, {"select encoder.0.self_attn.scores 2 1 0", "region row"});
    CHECK(*part == MatrixPart{"encoder.0.self_attn.scores", 2, 1, 0, 1, 3});
    test::run(session, {"region column"});
    CHECK(*part == MatrixPart{"encoder.0.self_attn.scores", 2, 0, 0, 3, 0});
    CHECK_FALSE(session.execute("region encoder.0.self_attn.scores 1 0 0 9 9"));
    CHECK_FALSE(session.execute("region encoder.0.self_attn.scores 0 0"));
    CHECK_FALSE(session.execute("region sideways"));
    CHECK(part->column1 == 0); // an error changes nothing
    test::run(session, {"select encoder.0.self_attn.weights 2 1 0"});
    CHECK_FALSE(part);
}

TEST_CASE("copy gives the region with its labels, in each format, and without one the held cell's matrix") {
    const auto opened = test::a_session("I am fine");
    Session& session = *opened;
    const std::string& copied = session.view().asking.copied;
    test::run(session, {"region encoder.0.self_attn.weights 1 0 1 1 2", "copy tsv"});
    const Node& node = *session.model().graph().find("encoder.0.self_attn.weights");
    const auto number = [&](Index r, Index c) { return shortest_text(node.value(1, r, c)); };
    CHECK(copied
          == "\tam\tfine\ni\t" + number(0, 1) + "\t" + number(0, 2) + "\nam\t" + number(1, 1) + "\t"
                 + number(1, 2) + "\n");
    CHECK(session.take_copied() == copied);
    CHECK_FALSE(session.take_copied());
    test::run(session, {"copy markdown"});
    CHECK(copied.starts_with("|  | am | fine |\n| :--- | ---: | ---: |\n| i | 0."));
    test::run(session, {"copy latex"});
    CHECK(copied.starts_with("\\begin{array}{r|rr}\n"));
    test::run(session, {"region off", "select encoder.0.self_attn.scores 3 0 0", "copy numpy"});
    CHECK(copied.starts_with("rows = [\"i\", \"am\", \"fine\", \"</s>\"]\n"));
    CHECK_FALSE(session.execute("copy pdf"));
}

TEST_CASE("statistics of a part are those of its numbers; rows of softmax have their entropy") {
    const auto opened = test::a_session("I am fine");
    Session& session = *opened;
    const Node& node = *session.model().graph().find("encoder.0.self_attn.weights");
    const PartStatistics row = statistics_of(node, {node.path, 2, 1, 0, 1, 3});
    CHECK(row.numbers.count == 4);
    CHECK(row.numbers.mean == doctest::Approx(0.25));
    REQUIRE(row.entropies.size() == 1);
    CHECK(row.entropies[0].perplexity >= 1);
    CHECK(row.entropies[0].perplexity <= 4.0001);
    CHECK(statistics_of(node, {node.path, 2, 1, 0, 1, 2}).entropies.empty()); // not all of the row
    const Statistics corner = statistics_of(node, {node.path, 2, 1, 1, 2, 2}).numbers;
    CHECK(corner.max == double(node.value(2, 1 + corner.largest.row, 1 + corner.largest.column)));
}

TEST_CASE("direction, order of terms, close-up and its dimensions are commands, and refuse what is neither") {
    const auto opened = test::a_session("I am fine");
    Session& session = *opened;
    const Asking& asking = session.view().asking;
    test::run(session, {"direction touches", "terms computed", "terms all", "closeup positions",
                        "dimensions 3 0 3", "distance dot"});
    CHECK(asking.direction == AskingDirection::touches);
    CHECK_FALSE(asking.by_contribution);
    CHECK(asking.every_term);
    CHECK(session.view().close_ups.open == CloseUp::positions);
    CHECK(session.view().close_ups.dimensions == std::vector<Index>{3, 0});
    CHECK(session.view().close_ups.distance == PositionDistance::dot_product);
    for (const char* line : {"direction up", "terms some", "closeup weights", "dimensions", "dimensions 32",
                             "dimensions x", "distance cosine"})
        CHECK_FALSE(session.execute(line));
    CHECK(session.view().close_ups.dimensions == std::vector<Index>{3, 0});
}
