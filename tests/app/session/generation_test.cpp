#include "app/session/generation.h"

#include "app/session/trials.h"
#include "tests/app/session/changed_session.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

using namespace headlight;
using namespace headlight::test;

namespace {

const std::string whole = "O animal não atravessou a rua porque ele estava cansado demais";

const Generation& generation_of(Session& session) {
    run(session, "room say");
    REQUIRE(session.generation());
    return *session.generation();
}

std::string label(const Session& session, TokenId word) {
    return said_label(session.model().files, session.model().map(), word);
}

} // namespace

TEST_CASE("the loop is walked: each pass has the words before its own, and chooses the one after them") {
    const auto opened = a_session(tired);
    Session& session = *opened;
    const std::size_t words = generation_of(session).answers.front().places.size();
    CHECK(words == 12); // eleven and the end
    for (std::size_t pass = 1; pass <= words; ++pass) {
        run(session, "say pass " + std::to_string(pass));
        CHECK(session.sentence().target_ids.size() == pass);
        const SaidPlace& place = session.generation()->answers.front().places[pass - 1];
        CHECK(session.sentence().chosen_ids.back() == place.said.word);
        CHECK(session.sentence().goal_ids.back() == place.said.word);
        const Node* p = session.model().map().output.probabilities;
        CHECK(double(p->value(0, Index(pass) - 1, place.said.word))
              == doctest::Approx(std::exp(place.said.log_probability)).epsilon(1e-4));
        CHECK(place.cost.rows == 1);
    }
    run(session, "say pass next"); // behind the last there are all
    CHECK(session.question().generation.pass == 0);
    CHECK(session.sentence().output == whole);
    run(session, "say pass previous");
    CHECK(session.question().generation.pass == 12);
    run(session, "say pass 500");
    CHECK(session.sentence().target_ids.size() == 12);
    run(session, "undo"); // a walk is one step
    CHECK(session.question().generation.is_plain());
}

TEST_CASE("another word goes on from where it was chosen, and the way before it is kept") {
    const auto opened = a_session(tired);
    Session& session = *opened;
    generation_of(session);
    run(session, "say choose 8 ela");
    CHECK(session.sentence().output.starts_with("O animal não atravessou a rua porque ela "));
    REQUIRE(session.generation()->answers.size() == 2);
    CHECK(session.generation()->answers[0].places.size() == 12);
    const std::string with_her = session.sentence().output;
    run(session, "say branch 0");
    CHECK(session.sentence().output == whole);
    run(session, "say branch 1");
    CHECK(session.sentence().output == with_her);
    CHECK_FALSE(session.execute("say branch 2"));
    CHECK_FALSE(session.execute("say choose 99 ela"));
    CHECK_FALSE(session.execute("say choose 3 </s>"));
    CHECK_FALSE(session.execute("say choose 3 nosuchword"));
    run(session, "undo");
    run(session, "undo");
    run(session, "undo");
    CHECK(session.question().generation.branches.empty());
    run(session, "redo");
    run(session, "source The cat"); // other words: no branch of those
    CHECK(session.question().generation.branches.empty());
}

TEST_CASE("the same seed says the same, and what was cut off is exactly zero") {
    const auto opened = a_session(tired);
    Session& session = *opened;
    run(session, "room say");
    run(session, "say temperature 3");
    run(session, "say top-k 5");
    run(session, "say draw");
    const std::string first = session.sentence().output;
    for (const SaidPlace& place : session.generation()->answers.front().places) {
        Index left = 0;
        double sum = 0;
        for (const WordChance& chance : place.chances) left += chance.drawn > 0, sum += chance.drawn;
        CHECK(left == 5);
        CHECK(sum == doctest::Approx(1));
    }
    bool is_other = false;
    for (int seed = 2; seed < 12; ++seed) {
        run(session, "say seed " + std::to_string(seed));
        is_other = is_other || session.sentence().output != first;
    }
    CHECK(is_other);
    run(session, "say seed 1");
    CHECK(session.sentence().output == first);
    run(session, "say temperature 0");
    CHECK(session.sentence().output == whole);
    run(session, "say top-p 0"); // the most probable word is never cut off
    run(session, "say temperature 3");
    CHECK(session.sentence().output == whole);
}

TEST_CASE("a branch of the beams opens into its whole forward pass") {
    const auto opened = a_session(tired);
    Session& session = *opened;
    run(session, "room say");
    run(session, "say width 6");
    run(session, "say beam");
    REQUIRE(session.generation()->tree);
    const BeamTree tree = *session.generation()->tree;
    CHECK(session.sentence().output == whole);
    Index opened_branches = 0;
    for (Index b = 0; b < Index(tree.branches.size()); b += 7) {
        run(session, "say open " + std::to_string(b));
        const BeamTree::Branch& branch = tree.branches[std::size_t(b)];
        const Stream& target = *session.model().map().target();
        const Index fed = branch.words - (target.is_end(branch.word) ? 1 : 0);
        CHECK(Index(session.sentence().target_ids.size()) == fed + 1);
        // ln p of its word, once more, from the pass that is shown.
        const Index row = branch.words - 1;
        const Node* p = session.model().map().output.probabilities;
        CHECK(std::log(double(p->value(0, row, branch.word)))
              == doctest::Approx(branch.log_probability).epsilon(1e-3));
        ++opened_branches;
    }
    CHECK(opened_branches > 10);
    run(session, "say open 99999"); // what is not there is all of the best answer
    CHECK(session.sentence().output == whole);
}

TEST_CASE("the length penalty makes another answer win") {
    const auto opened = a_session("He", "next-word");
    Session& session = *opened;
    run(session, "room say");
    run(session, "say width 8");
    run(session, "say beam");
    std::vector<std::size_t> words;
    for (const char* penalty : {"0", "1", "2"}) {
        run(session, std::string("say penalty ") + penalty);
        words.push_back(session.generation()->answers.front().places.size());
    }
    CHECK(words[0] < words[2]);
}

TEST_CASE("what-ifs hold while it is said") {
    const auto opened = a_session(tired);
    Session& session = *opened;
    run(session, "change head decoder.0.cross_attn 0 silence");
    const std::string changed = session.sentence().output;
    CHECK(changed != whole);
    const Generation& generation = generation_of(session);
    CHECK_FALSE(generation.is_cached);
    std::string said;
    for (const SaidPlace& place : generation.answers.front().places)
        if (!session.model().map().target()->is_end(place.said.word))
            said += (said.empty() ? "" : " ") + label(session, place.said.word);
    CHECK(said == changed);
    run(session, "say beam");
    CHECK(session.generation()->tree);
}

TEST_CASE("lanes part where the target does, and one of its own words is a mistake to begin with") {
    const auto opened = a_session(tired);
    Session& session = *opened;
    run(session, "target O animal não atravessou a rua porque ela estava cansada demais");
    const Generation& generation = generation_of(session);
    REQUIRE(generation.lanes);
    CHECK(generation.lanes->parted == 7);
    CHECK(generation.lanes->forced_loss > generation.lanes->free_loss);
    const double loss = double(session.model().map().output.loss->value(0, 0, 0));
    CHECK(generation.lanes->forced_loss == doctest::Approx(loss).epsilon(1e-4));
    run(session, "target");
    CHECK_FALSE(session.generation()->lanes);
    run(session, "say mistaken");
    REQUIRE(session.generation()->lanes);
    CHECK(session.generation()->lanes->parted >= 0);
}

TEST_CASE("how it is said is saved and opened again, to the bit") {
    const auto opened = a_session(tired);
    Session& session = *opened;
    for (const char* line :
         {"room say", "say choose 8 ela", "say branch 0", "say branch 1", "say temperature 0.7",
          "say top-p 0.9", "say seed 4", "say draw", "say pass 9", "say cost"})
        run(session, line);
    const auto again = a_session("The cat");
    std::string file;
    for (const std::string& line : session.as_commands()) file += line + "\n";
    REQUIRE(again->replay(file, "test"));
    CHECK(again->question() == session.question());
    CHECK(again->view().generation.page == GenerationPage::cost);
    CHECK(bits(*again) == bits(session));
    CHECK_FALSE(again->replay("say spread\n", "test")); // nothing begins to work because a file was opened
}

TEST_CASE("a model that goes on with a text says it word by word; one that only reads refuses") {
    const auto opened = a_session("The clouds are in the", "next-word");
    Session& session = *opened;
    const Generation& generation = generation_of(session);
    REQUIRE(generation.answers.front().places.size() >= 2);
    CHECK(label(session, generation.answers.front().places[0].said.word) == "sky");
    const std::size_t typed = session.sentence().target_ids.size();
    run(session, "say pass 2");
    CHECK(session.sentence().target_ids.size() == typed + 1);
    CHECK(session.sentence().target_labels.back() == "sky");
    const auto reader = a_session("a good film", "sentiment");
    CHECK_FALSE(reader->execute("say draw"));
    CHECK_FALSE(reader->execute("say play"));
    run(*reader, "room say");
    CHECK(reader->generation() == nullptr);
}

TEST_CASE("words of a person that are more than have room are as many as have") {
    std::string long_text, many;
    for (int i = 0; i < 29; ++i) long_text += "the cat ";
    for (int i = 0; i < 24; ++i) many += " the";
    const auto opened = a_session(long_text, "next-word");
    Session& session = *opened;
    for (const char* line : {"room say", "say beam", "say pass 500", "say draw", "say open 3"}) {
        run(session, "say begin" + many);
        run(session, line);
        CHECK(Index(session.sentence().target_ids.size()) <= session.model().map().target()->max_length);
    }
    run(session, "source The cat"); // the words of another answer are forgotten
    CHECK(session.question().generation.branches.empty());
}

TEST_CASE("bad settings are refused in a line and change nothing") {
    const auto opened = a_session(tired);
    Session& session = *opened;
    for (const char* line : {"say temperature nan", "say temperature -1", "say top-p 1.5", "say top-k -2",
                             "say width 0", "say width 17", "say penalty inf", "say pass x", "say begin",
                             "say begin nosuchword", "say forget 1", "say"}) {
        CAPTURE(line);
        CHECK_FALSE(session.execute(line));
    }
    CHECK(session.question().generation.is_plain());
    run(session, "source"); // nothing to answer
    run(session, "room say");
    for (const char* line : {"say play", "say beam", "say pass 3", "say draw"}) (void)session.execute(line);
    CHECK(session.has_model());
}

TEST_CASE("trials go on by themselves: what wrong words do, and where a wider beam is worse") {
    const auto opened = a_session(tired);
    Session& session = *opened;
    run(session, "say spread");
    REQUIRE(session.experiment().trials());
    for (int i = 0; i < 40; ++i) session.advance(0.02);
    const Trials& spread = *session.experiment().trials();
    REQUIRE(spread.spread.sentences() > 5);
    // Right behind a wrong word the right one is less probable than without it.
    CHECK(*spread.spread.probability(1, 1) < *spread.spread.probability(0, 1));
    run(session, "say stop");
    CHECK(session.experiment().trials() == nullptr);
    run(session, "say hasty on");
    run(session, "say find");
    const Trials* found = session.experiment().trials();
    for (int i = 0; i < 600 && found->found.empty(); ++i) session.advance(0.02);
    REQUIRE_FALSE(found->found.empty());
    const WiderIsWorse worse = found->found.front();
    run(session, "source " + worse.source);
    run(session, "say beam");
    run(session, "say width " + std::to_string(worse.narrow));
    CHECK(session.sentence().output == worse.right);
    run(session, "say width " + std::to_string(worse.wide));
    CHECK(session.sentence().output == worse.wrong);
    run(session, "say hasty off"); // who waits has the right one
    CHECK(session.sentence().output == worse.right);
}

TEST_CASE("what only writes goes on, text after text, until there is no more room, or it is stopped") {
    const auto opened = a_session("The clouds are in the", "next-word");
    Session& session = *opened;
    CHECK(generation_of(session).answers.front().places.size() == 3); // “sky . </s>”
    run(session, "say play");
    CHECK(session.question().generation.is_endless);
    const SaidAnswer answer = session.generation()->answers.front();
    REQUIRE(answer.places.size() == 59); // <s>, five words and all but the last of them are fed: 64
    CHECK_FALSE(answer.has_ended);
    const Stream& target = *session.model().map().target();
    std::size_t texts = 0;
    for (std::size_t t = 0; t + 1 < answer.places.size(); ++t) {
        if (!target.is_end(answer.places[t].said.word)) continue;
        ++texts;
        run(session, "say pass " + std::to_string(t + 2));
        CHECK(session.sentence().target_ids.back() == target.before.front()); // behind an end a text begins
        CHECK(session.sentence().chosen_ids.back() == answer.places[t + 1].said.word);
    }
    CHECK(texts > 3);
    run(session, "say pass 1");
    CHECK(session.sentence().output == "sky");
    run(session, "say play");
    for (int second = 0; second < 100 && session.view().generation.playing; ++second) session.advance(1);
    CHECK_FALSE(session.view().generation.playing);
    CHECK(session.question().generation.pass == 59); // what it has written stays
    CHECK(session.sentence().output.starts_with("sky. "));
    CHECK(session.sentence().output.find("<s>") == std::string::npos);
    // Drawn, and another word chosen in a later text.
    run(session, {"say draw", "say choose 6 dog"});
    const SaidAnswer& drawn = session.generation()->followed(session.question().generation);
    REQUIRE(drawn.places.size() == 59);
    CHECK(label(session, drawn.places[2].said.word) == "</s>"); // as it was said, though <s> was fed
    CHECK(label(session, drawn.places[5].said.word) == "dog");
    const std::vector<std::string> lines = session.as_commands();
    CHECK(std::find(lines.begin(), lines.end(), "say endless on") != lines.end());
    run(session, {"say plainly", "say pass 1"});
    CHECK(session.generation()->answers.front().places.size() == 3);
    run(session, {"model translate-en-pt", "say play"});
    CHECK_FALSE(session.question().generation.is_endless); // a translation has an end
    run(session, "say endless on");
    CHECK(session.generation()->answers.front().has_ended);
}
