#include "app/session/long_answers.h"

#include "tests/app/session/changed_session.h"
#include "tests/support/endless_model.h"

#include <doctest/doctest.h>

using namespace headlight;
using namespace headlight::test;

namespace {

// A session whose model never stops, asked by somebody who waits for one word.
std::unique_ptr<Session> impatient(Index max_length) {
    auto session = a_session();
    session->set_patience(0);
    session->open(assemble_model(endless_model(max_length)));
    return session;
}

const LongAnswers& answers_of(const Session& session) { return session.experiment().long_answers(); }

void say_all(Session& session) {
    while (answers_of(session).is_under_way()) (void)session.advance(0.01);
}

std::vector<std::uint32_t> bits_of_patient(const std::vector<const char*>& commands, Index max_length) {
    auto session = a_session();
    session->open(assemble_model(endless_model(max_length)));
    for (const char* command : commands) run(*session, command);
    return bits(*session);
}

} // namespace

TEST_CASE("an answer that takes long begins at once, goes on between frames, and is the same to the bit") {
    const std::vector<const char*> commands = {"source the cat", "change head decoder.0.self_attn 1 silence"};
    auto session = impatient(40);
    run(*session, "source the cat");
    run(*session, "change head decoder.0.self_attn 1 silence");
    REQUIRE(answers_of(*session).is_under_way());
    CHECK(session->is_moving());
    CHECK(session->sentence().is_cut);
    CHECK(answers_of(*session).progress()->most == 39);
    const std::size_t first = session->sentence().target_ids.size();
    CHECK(first < 40);
    say_all(*session);
    CHECK_FALSE(session->sentence().is_cut);
    CHECK_FALSE(answers_of(*session).progress());
    CHECK(session->sentence().target_ids.size() == 40);
    CHECK(session->what_if().comparison()->before.target_ids.size() == 40);
    CHECK(bits(*session) == bits_of_patient(commands, 40));
}

TEST_CASE("an answer is stopped where it has come to, and said to its end when that is asked for") {
    auto session = impatient(40);
    run(*session, "source the cat");
    REQUIRE(answers_of(*session).is_under_way());
    run(*session, "say enough");
    CHECK_FALSE(answers_of(*session).is_under_way());
    CHECK_FALSE(session->is_moving());
    CHECK(session->sentence().is_cut);
    REQUIRE(answers_of(*session).progress());
    CHECK(answers_of(*session).progress()->is_stopped);
    CHECK(session->sentence().target_ids.size() == std::size_t(answers_of(*session).progress()->said));
    run(*session, "say on");
    say_all(*session);
    CHECK_FALSE(session->sentence().is_cut);
    CHECK(session->sentence().target_ids.size() == 40);
}

TEST_CASE("an answer of very many words is stopped until somebody wants all of it") {
    auto session = impatient(60);
    for (const double patience : {0.0, 60.0}) {
        session->set_patience(patience, 20);
        run(*session, patience == 0 ? "source the cat" : "source the dog");
        say_all(*session);
        REQUIRE(answers_of(*session).progress());
        CHECK(answers_of(*session).progress()->is_stopped);
        CHECK(answers_of(*session).progress()->said == 20);
        CHECK(session->sentence().target_ids.size() == 20);
        CHECK(session->sentence().is_cut);
        run(*session, "say on");
        say_all(*session);
        CHECK_FALSE(answers_of(*session).progress());
        CHECK(session->sentence().target_ids.size() == 60);
    }
}

TEST_CASE("another question ends the answer to the one before: the latest wins") {
    auto session = impatient(4096);
    for (const char* command :
         {"source the cat", "source the dog", "source the dog was tired", "second the cat"}) {
        run(*session, command);
        CHECK(answers_of(*session).is_under_way());
        (void)session->advance(0.01);
    }
    CHECK(session->sentence().source.size() == 4);
    run(*session, "target o gato");
    CHECK_FALSE(session->sentence().is_cut);
    session->set_patience(60);
    run(*session, "model copy");
    CHECK_FALSE(answers_of(*session).is_under_way());
}

TEST_CASE("who waits without end has all of it at once, as a script does") {
    auto session = a_session();
    session->open(assemble_model(endless_model(200)));
    run(*session, "source the cat");
    CHECK_FALSE(answers_of(*session).progress());
    CHECK(session->sentence().target_ids.size() == 200);
}
