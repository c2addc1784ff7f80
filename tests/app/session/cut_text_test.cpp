// How a text was cut, as commands show it: of the sentence, the target, the second sentence; moment by moment.
#include "app/session/cut_text.h"

#include "tests/app/session/cut_session.h"
#include "tests/support/temporary_folder.h"

#include <string>
#include <vector>

using namespace headlight;
using namespace headlight::test;

namespace {

const std::filesystem::path assets = std::filesystem::path(HEADLIGHT_SOURCE_DIR) / "assets";

std::unique_ptr<Session> cut_session(const std::string& model) {
    Result<Strings> strings = Strings::load(assets);
    REQUIRE(strings);
    auto session = std::make_unique<Session>(assets, *std::move(strings));
    if (std::filesystem::exists(assets / "models" / model))
        REQUIRE(session->execute("model " + model));
    else
        session->open(model_cut_by(model));
    return session;
}

void run(Session& session, const std::vector<std::string>& lines) {
    for (const std::string& line : lines) REQUIRE_MESSAGE(session.execute(line), line);
}

CutFilm film_of(const Session& session) { return present_cut_film(session, present_cut_text(session)); }

} // namespace

TEST_CASE("what is shown as fed is what the model is fed") {
    for (const char* model : {"translate-en-pt", "copy", "sentiment", "next-word", "gloss"}) {
        CAPTURE(model);
        const auto session = cut_session(model);
        run(*session, {std::string("source ") + (model == std::string("copy") ? "abc" : "the cat xyzzy"), "tokens"});
        const TextCut text = present_cut_text(*session);
        const Sentence& sentence = session->sentence();
        const std::vector<TokenId>& fed =
            session->model().map().source() ? sentence.source_ids : sentence.target_ids;
        const std::vector<TokenId> shown = text.fed().ids;
        REQUIRE(shown.size() <= fed.size()); // what writes goes on with words of its own
        CHECK(std::equal(shown.begin(), shown.end(), fed.begin()));
    }
}

TEST_CASE("the film of a word goes moment by moment, then to the next word, back, and plays to the end") {
    for (const char* tokenizer : {"gpt2", "bert", "unigram", "llama2", "pieces_bpe"}) {
        CAPTURE(tokenizer);
        const auto session = cut_session(tokenizer);
        run(*session, {"source the lower streets", "tokens"});
        CHECK(session->view().close_ups.open == CloseUp::tokens);
        const TextCut text = present_cut_text(*session);
        REQUIRE_FALSE(text.words.empty());
        Index moments = 0;
        for (Index w = 0; w < Index(text.words.size()); ++w) moments += text.steps(w) + 1;
        REQUIRE(moments > Index(text.words.size()));
        for (Index i = 0; i + 1 < moments; ++i) run(*session, {"tokens next"});
        const CutFilm end = film_of(*session);
        CHECK(end.word + 1 == Index(text.words.size()));
        CHECK(end.moment == text.steps(end.word));
        run(*session, {"tokens next"});
        CHECK(film_of(*session).moment == end.moment);
        for (Index i = 0; i + 1 < moments; ++i) run(*session, {"tokens previous"});
        CHECK(film_of(*session).word == 0);
        CHECK(film_of(*session).moment == 0);
        run(*session, {"tokens play"});
        CHECK(session->is_lively());
        Index ticks = 0;
        while (film_of(*session).playing && ticks <= moments) {
            session->advance(10);
            ++ticks;
        }
        CHECK(ticks == moments);
        CHECK(film_of(*session).moment == end.moment);
        CHECK_FALSE(session->is_lively());
        run(*session, {"tokens word 0", "tokens moment 1"});
        CHECK(film_of(*session).moment == 1);
        for (const char* line : {"tokens word 99", "tokens moment 9999", "tokens x", "tokens word -1"})
            CHECK_FALSE_MESSAGE(session->execute(line), line);
        run(*session, {"tokens word 0", "source a"}); // a shorter text
        CHECK(film_of(*session).word == 0);
    }
}

TEST_CASE("source, target and second sentence are looked at where there are any") {
    const auto session = cut_session("translate-en-pt");
    run(*session, {"source the cat saw it"});
    CHECK_FALSE(session->execute("tokens target"));
    CHECK_FALSE(session->execute("tokens second"));
    run(*session, {"target O gato viu", "second the dog", "tokens target"});
    CHECK(present_cut_text(*session).typed == "O gato viu");
    CHECK(present_cut_text(*session).fed().ids == session->sentence().target_ids);
    run(*session, {"tokens second", "tokens word 1"});
    CHECK(present_cut_text(*session).word(1).text == "dog");
    run(*session, {"tokens source"});
    CHECK(film_of(*session).word == 0);
    run(*session, {"source"});
    CHECK(present_cut_text(*session).words.empty());
    run(*session, {"tokens next", "tokens play"});
    session->advance(10);
    CHECK_FALSE(film_of(*session).playing);
    const auto writer = cut_session("next-word"); // what is typed is all that it is fed
    CHECK_FALSE(writer->execute("tokens target"));
}

TEST_CASE("a session that shows how a text was cut is opened where it was") {
    const TemporaryFolder folder;
    const auto session = cut_session("translate-en-pt");
    run(*session, {"source the cat saw it", "second a bird sang", "tokens second", "tokens word 2",
                   "save " + (folder / "cut.headlight").string()});
    const auto again = cut_session("translate-en-pt");
    run(*again, {"open " + (folder / "cut.headlight").string()});
    CHECK(again->view().close_ups.open == CloseUp::tokens);
    CHECK(film_of(*again).side == CutSide::second);
    CHECK(film_of(*again).word == 2);
}
