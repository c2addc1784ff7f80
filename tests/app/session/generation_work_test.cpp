#include "app/session/generation_work.h"

#include "tests/app/session/changed_session.h"
#include "tests/support/endless_model.h"

#include <doctest/doctest.h>

using namespace headlight;
using namespace headlight::test;

namespace {

// Of a model that never stops; `patience`: seconds.
std::unique_ptr<Session> endless(double patience, Index max_length = 40) {
    auto session = a_session();
    session->set_patience(patience);
    session->open(assemble_model(endless_model(max_length)));
    return session;
}

void look_to_the_end(Session& session) {
    while (session.advance(0.01) || session.is_moving()) {
    }
}

std::vector<TokenId> words_of(const SaidAnswer& answer) {
    std::vector<TokenId> words;
    for (const SaidPlace& place : answer.places) words.push_back(place.said.word);
    return words;
}

void check_same(const Generation& a, const Generation& b) {
    REQUIRE(a.answers.size() == b.answers.size());
    for (std::size_t i = 0; i < a.answers.size(); ++i) {
        CHECK(a.answers[i].begun == b.answers[i].begun);
        CHECK(words_of(a.answers[i]) == words_of(b.answers[i]));
        CHECK(a.answers[i].log_probability == b.answers[i].log_probability);
        for (std::size_t p = 0; p < a.answers[i].places.size(); ++p) {
            const SaidPlace &x = a.answers[i].places[p], &y = b.answers[i].places[p];
            CHECK(x.cost.multiplications == y.cost.multiplications);
            CHECK(x.chances.size() == y.chances.size());
            CHECK(x.chances.front().probability == y.chances.front().probability);
        }
    }
    CHECK(a.anew.size() == b.anew.size());
    CHECK(a.cut_after == b.cut_after);
    CHECK(a.ranked == b.ranked);
    CHECK(a.tree.has_value() == b.tree.has_value());
    if (a.tree) CHECK(a.tree->branches.size() == b.tree->branches.size());
    CHECK(a.lanes.has_value() == b.lanes.has_value());
}

} // namespace

TEST_CASE("what takes long to look for begins at once, goes on between frames, and is the same to the bit") {
    for (const std::vector<const char*>& asked : {std::vector<const char*>{"say beam"},
                                                  {"say draw", "say temperature 2"},
                                                  {"say choose 2 gato"},
                                                  {"say choose 2 gato", "say beam"},
                                                  {"say beam", "say width 2", "target o gato"}}) {
        const auto quick = endless(0), patient = endless(std::numeric_limits<double>::infinity());
        for (Session* session : {quick.get(), patient.get()}) {
            run(*session, "source the cat");
            run(*session, "room say");
            for (const char* command : asked) run(*session, command);
        }
        CHECK(quick->experiment().looked());
        CHECK(quick->is_moving());
        REQUIRE(quick->generation());
        CHECK(quick->generation()->cut_after > 0);
        CHECK(quick->generation()->cut_after < 30);
        CHECK_FALSE(patient->experiment().looked());
        look_to_the_end(*quick);
        CHECK_FALSE(quick->experiment().looked());
        CHECK_FALSE(quick->sentence().is_cut);
        check_same(*quick->generation(), *patient->generation());
        CHECK(bits(*quick) == bits(*patient));
    }
}

TEST_CASE("a search is finished where nobody looks at it, too: its words are fed") {
    const auto session = endless(0, 200);
    run(*session, "source the cat");
    run(*session, "say beam");
    run(*session, "say width 16");
    look_to_the_end(*session);
    CHECK_FALSE(session->sentence().is_cut);
    CHECK(session->sentence().target_ids.size() == 200);
}

TEST_CASE("what is looked for is stopped where it has come to, and found to its end when that is asked for") {
    const auto session = endless(0, 400);
    run(*session, {"source the cat", "room say", "say beam"});
    REQUIRE(session->experiment().looked());
    run(*session, "say enough");
    CHECK_FALSE(session->is_moving());
    REQUIRE(session->generation());
    const Index cut = session->generation()->cut_after;
    CHECK(cut > 0);
    CHECK(session->generation()->tree->is_cut);
    CHECK(session->sentence().is_cut);
    CHECK(Index(session->sentence().target_ids.size())
          == cut); // <s>, and all but the last, which is said next
    run(*session, "say on");
    look_to_the_end(*session);
    CHECK(session->generation()->cut_after == 0);
    CHECK(session->sentence().target_ids.size() == 400);
}

TEST_CASE("no more words than are usual in a window are looked for until somebody wants all") {
    const auto session = endless(0, 60);
    session->set_patience(0, 20);
    for (const char* method : {"say beam", "say draw"}) {
        run(*session, {"source the cat", "room say", method});
        look_to_the_end(*session);
        CHECK(session->generation()->cut_after == 20);
        CHECK(session->sentence().is_cut);
        run(*session, "say on");
        look_to_the_end(*session);
        CHECK(session->generation()->cut_after == 0);
        CHECK(session->sentence().target_ids.size() == 60);
    }
}

TEST_CASE("each pass of an answer, and each branch of its tree, is of the same saying") {
    const auto session = a_session();
    run(*session, {"room say", "say beam"});
    const Generation* generation = session->generation();
    for (const char* command :
         {"say pass 3", "say pass next", "say open 4", "say open off", "say pass all"}) {
        run(*session, command);
        CHECK(session->generation() == generation);
    }
    const std::vector<std::uint32_t> all = bits(*session);
    for (const char* command : {"say pass 3", "say open 4"}) { // the same as without what was found before
        run(*session, command);
        const std::vector<std::uint32_t> known = bits(*session);
        const auto fresh = a_session();
        run(*fresh, {"say beam", command});
        CHECK(known == bits(*fresh));
        CHECK(session->sentence().goal_ids == fresh->sentence().goal_ids);
    }
    run(*session, {"say open off", "say pass all"});
    CHECK(bits(*session) == all);
    run(*session, "say width 2");
    CHECK(session->generation()->tree->branches.size() != 0);
    CHECK(session->generation()->ranked.size() <= 4);
    const std::vector<TokenId> before = words_of(session->generation()->answers.front());
    run(*session, "change head decoder.0.self_attn 1 silence");
    run(*session, "change head decoder.0.cross_attn 1 silence");
    const std::vector<TokenId> after = words_of(session->generation()->answers.front());
    run(*session, "changes off");
    CHECK(words_of(session->generation()->answers.front()) == before);
    CHECK(session->generation()->answers.front().places.size() > 0);
    CHECK(after.size() > 0);
}

TEST_CASE("who looks at a pass while words are still being said has it, and they go on; another word waits "
          "for its place") {
    const auto session = endless(0, 400);
    run(*session, {"source the cat", "room say", "say draw"});
    REQUIRE(session->experiment().looked());
    const std::size_t said = session->generation()->answers.front().places.size();
    CHECK(said < 399);
    run(*session, "say pass 1");
    CHECK(session->experiment().looked());
    CHECK(session->sentence().target_ids.size() == 1);
    CHECK_FALSE(session->sentence().is_cut);
    (void)session->advance(0.01);
    CHECK(session->generation()->answers.front().places.size() > said); // they are shown as they come
    run(*session, {"say pass all", "say width 16", "say beam"});
    const Index steps = session->generation()->tree->steps;
    CHECK(steps < 399);
    (void)session->advance(0.01);
    CHECK(session->generation()->tree->steps > steps); // and the tree grows
    run(*session, "say open " + std::to_string(session->generation()->tree->branches.size() - 1));
    CHECK(session->sentence().target_ids.size() > 1);
    run(*session, {"say open off", "say greedy"});
    run(*session, "say choose 390 gato");
    CHECK(session->question().generation.branches.front().size() == 390);
    look_to_the_end(*session);
    CHECK(session->generation()->answers.size() == 2);
    CHECK(session->generation()->answers[1].places.size() == 399);
    CHECK(session->generation()->answers[1].begun.size() == 390);
}

TEST_CASE("passes that are measured anew leave what is shown as it is until they are known") {
    const auto session = endless(0, 300);
    run(*session, {"source the cat", "room say"});
    look_to_the_end(*session);
    const std::size_t words = session->generation()->answers.front().places.size();
    CHECK(words == 299);
    if (!session->generation()->anew.empty()) return; // little work: measured already
    run(*session, "say measure");
    CHECK(session->experiment().looked());
    CHECK(session->generation()->answers.front().places.size() == words);
    run(*session, "say enough");
    CHECK_FALSE(session->experiment().looked());
    CHECK(session->generation()->answers.front().places.size() == words);
    CHECK(session->generation()->anew.empty());
    run(*session, "say measure");
    (void)session->advance(0.01);
    CHECK(session->experiment().looked());
    run(*session, "source the dog"); // the latest wins
    CHECK(session->sentence().source.size() == 2);
}
