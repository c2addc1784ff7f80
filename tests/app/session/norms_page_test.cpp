// Both norms of the padded batch: of which sentences, asked, changed, undone and opened again.
#include "app/session/norms_page.h"

#include "app/session/norms_race.h"
#include "app/session/padded_batch.h"
#include "app/session/value_names.h"
#include "tests/app/session/changed_session.h"
#include "tests/support/explanation_check.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>

using namespace headlight;

TEST_CASE("the page norms what the padded batch has before its first norm, padding and all") {
    const auto opened = test::a_session("I am fine");
    Session& session = *opened;
    CHECK(session.norms() == nullptr); // until somebody looks
    test::run(session, {"batch clear", "batch add You are welcome", "room norms"});
    const NormsPage& page = *session.norms();
    CHECK(page.norm == "encoder.0.norm1");
    CHECK(page.before == "encoder.0.add1");
    REQUIRE(page.sentences.size() == 3);
    CHECK(page.sentences[2].length() > page.sentences[1].length());
    const Tensor& x = session.find("norms.input")->value;
    const Index length = page.computed->length;
    // The batch's own pass says the same; the same norm of each, were it not for γ and β.
    test::run(session, {"room heads", "heads batch"});
    const PaddedBatch& batch = session.padded_batch();
    REQUIRE(batch.source_length == length);
    const Tensor& fed = batch.masked->find("encoder.0.add1")->value;
    REQUIRE(x.rows() == fed.batch() * fed.rows());
    for (Index n = 0; n < fed.batch(); ++n)
        for (Index t = 0; t < length; ++t)
            for (Index c = 0; c < fed.columns(); ++c)
                REQUIRE(double(x(0, n * length + t, c))
                        == doctest::Approx(double(fed(n, t, c))).epsilon(1e-4));
    CHECK(test::unexplained_cell(page.computed->graph, 37) == "");
    const std::vector<std::string> words = axis_labels(session, *session.find("norms.batch"), true);
    CHECK(words[0] == "i");
    CHECK(Index(words.size()) == 2 * length);
    CHECK(axis_labels(session, *session.find("norms.longer.batch"), true).back() == "</s>");
    // What the batch page computed is not lost to it afterwards, and the other way round.
    test::run(session, {"room norms", "room heads"});
    CHECK(session.padded_batch().samples.size() == 2);
}

TEST_CASE("the longer sentence moves the others under batch norm alone") {
    const auto opened = test::a_session("I am fine");
    Session& session = *opened;
    test::run(session, {"room norms"});
    const NormsPage& page = *session.norms();
    for (Index n = 0; n < page.computed->samples; ++n) {
        CHECK(page.largest_change("input", n).largest < 2e-5); // sums in another order
        CHECK(page.largest_change("layer", n).largest < 2e-4);
        const NormsChange batch = page.largest_change("batch", n);
        CHECK(batch.largest > 0.05);
        const double there =
            double(session.find("norms.change.batch")->value(0, batch.cell.row, batch.cell.column));
        CHECK(std::abs(there) == batch.largest);
        CHECK(batch.cell.row / page.computed->length == n);
        CHECK(batch.cell.row % page.computed->length < page.sentences[std::size_t(n)].length());
    }
}

TEST_CASE("two models are trained beside one another, and batch norm's answer hangs on its neighbours") {
    const auto opened = test::a_session("I am fine");
    Session& session = *opened;
    test::run(session, {"room norms", "norms page trained", "norms task recall", "norms steps 60"});
    CHECK(session.norms_race().news() == nullptr);
    CHECK(session.norms_race().trained() == nullptr);
    CHECK_FALSE(session.commands().check_replayable("norms train start"));
    CHECK(session.commands().check_replayable("norms task recall"));
    test::run(session, {"norms train start", "norms train wait 120"});
    const RaceNews& news = *session.norms_race().news();
    REQUIRE(news.is_over());
    REQUIRE(news.lanes.size() == 2);
    CHECK(news.lanes[0].checkpoints.size() == news.lanes[1].checkpoints.size());
    CHECK_FALSE(news.lanes[0].checkpoints.back().by_batch);
    REQUIRE(news.lanes[1].checkpoints.back().by_batch);
    CHECK(news.race.results[0].parameters == news.race.results[1].parameters);
    const NormsTrained& trained = *session.norms_race().trained();
    REQUIRE(trained.judged.size() == 6);
    CHECK_FALSE(trained.judged[0].batch_norm);
    // What was shown at the last step is what the finished models say.
    CHECK(trained.judged[0].held_out.loss == news.lanes[0].checkpoints.back().held_out.loss);
    CHECK(trained.judged[1].held_out.loss == news.lanes[1].checkpoints.back().held_out.loss);
    CHECK(trained.judged[5].at_once == 32);
    CHECK(trained.judged[5].held_out.loss == news.lanes[1].checkpoints.back().by_batch->loss);
    REQUIRE(trained.beside.size() == 6);
    const auto [least, most] = std::minmax_element(
        trained.beside.begin(), trained.beside.end(),
        [](const NormsBeside& a, const NormsBeside& b) { return a.loss_by_batch < b.loss_by_batch; });
    CHECK(most->loss_by_batch > 1.001 * least->loss_by_batch);
    for (const NormsBeside& one : trained.beside)
        CHECK(one.loss_by_kept == doctest::Approx(trained.beside[0].loss_by_kept).epsilon(1e-3));
    // Another sentence, and undone; another plan begins anew.
    const SentencePair pair = trained.pair;
    test::run(session, {"norms held-out next"});
    CHECK(session.norms_race().trained()->sentence == 1);
    test::run(session, {"undo"});
    CHECK(session.norms_race().trained()->pair.source == pair.source);
    test::run(session, {"norms train forget"});
    CHECK(session.norms_race().trained() == nullptr);
    CHECK_FALSE(session.execute("norms task translate"));
    CHECK_FALSE(session.execute("norms steps 5"));
}

TEST_CASE("what is set of the page is undone, saved, and opened again with the number that is held") {
    const auto opened = test::a_session("I am fine");
    Session& session = *opened;
    test::run(session, {"norms sentence the sky and the street", "norms show with", "norms feature 5",
                        "select plain.weights 0 1 1", "room norms", "select norms.longer.batch 0 2 5"});
    CHECK(session.norms()->sentences.back().text == "the sky and the street");
    const unsigned long version = session.version_of("norms.batch"), model = session.version();
    std::string lines;
    for (const std::string& line : session.as_commands()) lines += line + "\n";
    test::run(session, {"norms reset"});
    CHECK(session.question().small_pages.norms == NormsSetting());
    CHECK(session.version_of("norms.batch") != version);
    CHECK(session.version() == model);
    test::run(session, {"room explore", "undo"});
    CHECK(session.view().room == Room::norms);
    CHECK(session.question().small_pages.norms.feature == 5);
    const auto again = test::a_session("You are welcome");
    REQUIRE(again->replay(lines, "a session"));
    CHECK(again->view().room == Room::norms);
    CHECK(again->norms()->sentences.back().text == "the sky and the street");
    CHECK(again->view().asking.held == NamedCell{"norms.longer.batch", {0, 2, 5}});
}

TEST_CASE("a model that pads nothing has no such page, and its numbers cannot be asked") {
    const auto opened = test::a_session("the", "next-word");
    test::run(*opened, {"room norms"});
    CHECK(opened->norms() == nullptr);
    CHECK_FALSE(opened->execute("select norms.batch 0 0 0"));
    test::run(*opened, {"model sentiment"}); // an encoder alone
    REQUIRE(opened->norms() != nullptr);
    CHECK(opened->norms()->sentences.size() >= 2);
}
