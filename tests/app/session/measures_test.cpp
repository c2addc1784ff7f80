// Measures are asked like any number, by commands; and a stop under a lens becomes the model's own
// computation.
#include "app/session/session.h"
#include "app/session/value_names.h"
#include "tests/app/session/changed_session.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

using namespace headlight;
using namespace headlight::test;

namespace {

double measured_number(const Session& session, const std::string& path, Index head = 0) {
    const Node* node = session.find(path);
    REQUIRE_MESSAGE(node, path);
    return double(node->value(head, 0, 0));
}

void settle_lens(Session& session) {
    for (int i = 0; i < 200; ++i) session.advance(0.01);
}

} // namespace

TEST_CASE("a number of a measure is held by its path, and its terms lead into the model") {
    const auto opened = a_session();
    Session& session = *opened;
    run(session, {"room heads", "select measures.heads.decoder.1.cross_attn.first 2 0 0"});
    REQUIRE(session.view().asking.held);
    CHECK(session.view().room == Room::heads);
    const Node& node = *session.find(session.view().asking.held->path);
    const Explanation told = explain(CellRef{&node, session.view().asking.held->cell});
    CHECK(told.evaluate() == doctest::Approx(double(node.value(2, 0, 0))).epsilon(1e-5));
    run(session, {"select decoder.1.cross_attn.weights 2 0 0", "back"}); // a term, and back again
    CHECK(session.view().asking.held->path == "measures.heads.decoder.1.cross_attn.first");
    run(session, "copy tsv");
    CHECK_FALSE(session.execute("select measures.heads.decoder.1.cross_attn.first 9 0 0"));
    CHECK_FALSE(session.execute("select measures.nothing 0 0 0"));
    CHECK_FALSE(session.execute("select measures.lens.decoder.99.said 0 0 0"));
    CHECK_FALSE(session.execute("change cell measures.attribution.sum 0 0 1")); // the model alone is changed
    CHECK(session.execute("expect measures.rollout.encoder.0.mean 0 0 0 0.5 0.5"));
    // Its names are said in both languages.
    for (const char* language : {"language en", "language pt"}) {
        run(session, language);
        for (const std::string& graph : measure_graphs(*session.model().main_pass))
            for (const Node& one : session.graph_of(graph + ".x")->nodes())
                CHECK_FALSE(value_name(session, one).empty());
    }
    CHECK(session.strings().missing().empty());
}

TEST_CASE("measures follow the numbers: another sentence, a change, another word that is taken apart") {
    const auto opened = a_session("I am fine");
    Session& session = *opened;
    run(session, {"room heads", "heads attribution", "heads attribute 0 5"});
    const std::string sum = "measures.attribution.sum", logit = "measures.attribution.logit";
    const auto number = [&](const std::string& path) { return measured_number(session, path); };
    const double first = number(logit);
    const unsigned long version = session.version_of(sum);
    CHECK(number(sum) == doctest::Approx(first).epsilon(1e-3));
    CHECK(first == double(session.model().map().output.values->value(0, 0, 5)));
    const std::string word = session.model().files.target.vocabulary().token(6);
    run(session, "heads attribute 1 " + word + " 5"); // by word or by number
    CHECK(session.attributed() == SweepTarget{1, 6, TokenId(5)});
    run(session, "heads attribute 1 6 5");
    CHECK(session.version_of(sum) != version);
    CHECK(number(logit)
          == doctest::Approx(double(session.model().map().output.values->value(0, 1, 6))
                             - double(session.model().map().output.values->value(0, 1, 5))));
    CHECK(number(sum) == doctest::Approx(number(logit)).epsilon(1e-3));
    run(session, "undo");
    CHECK(number(logit) == first);
    run(session, "change head decoder.0.self_attn 1 silence");
    CHECK(number(sum) == doctest::Approx(number(logit)).epsilon(1e-3));
    CHECK(measured_number(session, "measures.attribution.decoder.0.self_attn.heads", 1) == 0);
    run(session, "source you are fine");
    CHECK(number(sum) == doctest::Approx(number(logit)).epsilon(1e-3));
}

TEST_CASE("the table of a lens tells of every stop and place what is said best there") {
    const auto opened = a_session("I am fine");
    Session& session = *opened;
    CHECK(session.experiment().measured().lens() == nullptr);
    run(session, {"room heads", "heads lens decoder"});
    CHECK(session.is_moving());
    settle_lens(session);
    CHECK_FALSE(session.is_moving());
    const LensTable& table = *session.experiment().measured().lens();
    REQUIRE(table.is_complete());
    CHECK(table.stops == Index(session.model().map().passages(*session.lens_stream()).size()));
    for (Index row = 0; row < table.rows; ++row)
        CHECK(table.at(table.stops - 1, row).word == session.sentence().chosen_ids[std::size_t(row)]);
    run(session, "heads lens encoder");
    settle_lens(session);
    CHECK(session.experiment().measured().lens()->stream == "encoder");
    CHECK(session.experiment().measured().lens()->is_complete());
}

TEST_CASE("a stream that stops earlier is a change: said, saved and undone, and the lens sees it coming") {
    const auto opened = a_session();
    Session& session = *opened;
    run(session, {"room heads", "heads lens decoder"});
    settle_lens(session);
    const TokenId foreseen = session.experiment().measured().lens()->at(1, 0).word;
    const std::string said = session.sentence().output;
    run(session, "change stop decoder 1");
    CHECK(session.sentence().chosen_ids.front() == foreseen); // its first word is read from the same words
    const std::vector<std::string> lines = session.as_commands();
    CHECK(std::find(lines.begin(), lines.end(), "change stop decoder 1") != lines.end());
    run(session, "change stop decoder 0"); // takes its place
    CHECK(session.question().changes.size() == 1);
    run(session, {"undo", "undo"});
    CHECK(session.sentence().output == said);
    run(session, "change stop encoder 0"); // DecoderLens, greedy
    CHECK(session.what_if().fault(0) == nullptr);
    CHECK_FALSE(session.execute("change stop encoder 99"));
    CHECK_FALSE(session.execute("change stop nothing 0"));
    CHECK_FALSE(session.execute("change stop encoder"));
}

TEST_CASE("how the heads are looked at is set by commands, and comes back from a saved session") {
    const auto opened = a_session("I am fine");
    Session& session = *opened;
    for (const char* line :
         {"heads filter induction 0.25", "heads weighted on", "heads first off", "heads lens encoder",
          "heads attribute 1 7 5", "heads attribute computed", "heads open decoder.0.self_attn 1"})
        run(session, line);
    const HeadsView before = session.view().heads;
    CHECK(before.filter == HeadsFilter{"induction", 0.25});
    CHECK(before.attributed == SweepTarget{1, 7, TokenId(5)});
    const std::vector<std::string> lines = session.as_commands();
    const auto again = a_session("I am fine");
    for (const std::string& line : lines) run(*again, line);
    CHECK(again->view().heads == before);
    CHECK_FALSE(session.execute("heads filter nothing 1"));
    CHECK_FALSE(session.execute("heads lens nothing"));
    run(session, {"heads filter off", "heads attribute off"});
    CHECK(session.view().heads.filter == HeadsFilter{});
    CHECK(session.attributed().row >= 0); // the last word said, then
}

TEST_CASE("what silencing does to a logit is measured on the scale that attributions add up to") {
    const auto opened = a_session();
    Session& session = *opened;
    run(session, {"heads attribute 2 7 5", "sweep heads 2 7 5", "sweep finish"});
    const Sweep& sweep = session.sweep()->sweep;
    CHECK(sweep.target() == session.attributed());
    CHECK(sweep.baseline(SweepMeasure::logit)
          == doctest::Approx(measured_number(session, "measures.attribution.logit")));
}
