// Where words live: the vectors are the model's own, the sentences have the word, meanings are what it says.
#include "app/session/session.h"
#include "app/session/word_places.h"
#include "tests/app/session/changed_session.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

using namespace headlight;

namespace {

const std::string fruit = "Eu gosto de comer manga", clothes = "Ele pediu para a costureira cortar a manga";

void finish(Session& session) {
    for (int i = 0; i < 5000 && session.is_moving(); ++i) session.advance(0.02);
    REQUIRE(session.word_places());
    REQUIRE(session.word_places()->is_over());
}

std::unique_ptr<Session> manga() {
    auto session = test::a_session(fruit);
    test::run(*session, {"model translate-pt-en", ("source " + fruit).c_str(), ("second " + clothes).c_str(),
                         "room heads", "heads words manga"});
    finish(*session);
    return session;
}

const WordPlace& place_in(const WordPlaces& places, const std::string& text) {
    const auto found =
        std::find_if(places.places().begin(), places.places().end(),
                     [&](const WordPlace& place) { return places.sentences()[place.sentence].text == text; });
    REQUIRE(found != places.places().end());
    return *found;
}

} // namespace

TEST_CASE("manga is found in many sentences, the two that are typed among them, and means what is said") {
    const auto session = manga();
    const WordPlaces& places = *session->word_places();
    CHECK(places.places().size() >= 20);
    CHECK(places.others().size() > 100);
    for (const WordPlace& place : places.places()) CHECK(places.word(place).text == "manga");
    for (const WordPlace& other : places.others()) CHECK(places.word(other).text != "manga");
    std::vector<std::string> senses = places.senses();
    std::sort(senses.begin(), senses.end());
    REQUIRE(senses == std::vector<std::string>{"mango", "sleeve"});
    const auto meaning = [&](const std::string& text) {
        const WordPlace& place = place_in(places, text);
        CHECK(places.sentences()[place.sentence].from == ReadSentence::From::person);
        return places.senses()[places.sense_of(place).value()];
    };
    CHECK(meaning(fruit) == "mango");
    CHECK(meaning(clothes) == "sleeve");
    int of_each[2] = {0, 0};
    for (const WordPlace& place : places.places())
        if (const auto sense = places.sense_of(place)) ++of_each[*sense];
    CHECK(of_each[0] >= 8);
    CHECK(of_each[1] >= 8);
}

TEST_CASE("every vector is the one that a plain forward pass has in that row") {
    const auto session = manga();
    const WordPlaces& places = *session->word_places();
    Result<std::unique_ptr<LoadedModel>> plain = load_model(session->model().folder);
    REQUIRE(plain);
    for (const std::string& text : {fruit, clothes, places.sentences().back().text}) {
        const Sentence sentence = run_sentence(**plain, text, std::nullopt);
        const auto at = std::find_if(places.sentences().begin(), places.sentences().end(),
                                     [&](const ReadSentence& read) { return read.text == text; });
        REQUIRE(at != places.sentences().end());
        const auto number = std::size_t(at - places.sentences().begin());
        CHECK(at->answer == sentence.output);
        for (std::size_t stop = 0; stop < places.stops().size(); ++stop) {
            const Tensor& value = (*plain)->graph().find(places.stops()[stop].path)->value;
            for (std::size_t w = 0; w < at->words.size(); ++w) {
                CHECK(sentence.source_ids[std::size_t(at->words[w].row)] == at->words[w].ids.back());
                const std::span<const Real> vector = places.vector(stop, {number, w});
                REQUIRE(Index(vector.size()) == value.columns());
                CHECK(std::equal(vector.begin(), vector.end(), value.row(0, at->words[w].row)));
            }
        }
    }
}

TEST_CASE("a word leaves from one point, and its nearest words are those of full space") {
    const auto session = manga();
    const WordPlaces& places = *session->word_places();
    const std::span<const Real> first = places.vector(0, places.places().front());
    for (const WordPlace& place : places.places()) CHECK(std::ranges::equal(first, places.vector(0, place)));
    const std::size_t last = places.stops().size() - 1;
    CHECK(cosine(places.vector(last, place_in(places, fruit)), places.vector(last, place_in(places, clothes)))
          < 0.99);
    const WordPlace from = place_in(places, clothes);
    const std::vector<NearWord> near = places.nearest(last, from, 5);
    REQUIRE(near.size() == 5);
    double best = -1;
    for (const WordPlace& other : places.others())
        best = std::max(best, cosine(places.vector(last, from), places.vector(last, other)));
    CHECK(near.front().cosine == doctest::Approx(best));
    for (std::size_t i = 1; i < near.size(); ++i) {
        CHECK(near[i].cosine <= near[i - 1].cosine);
        CHECK(places.word(near[i].place).ids != places.word(near[i - 1].place).ids);
    }
}

TEST_CASE(
    "another word, another sentence, another model: what was read stays read as far as it is asked again") {
    const auto session = manga();
    const WordPlaces* places = session->word_places();
    const std::size_t count = places->places().size();
    test::run(*session, {"heads read A costureira cortou a manga"});
    finish(*session);
    CHECK(session->word_places() == places); // the same, one sentence more
    CHECK(places->places().size() >= count);
    CHECK(place_in(*places, "A costureira cortou a manga").word == 4);
    test::run(*session, {"heads words rato"});
    finish(*session);
    for (const WordPlace& place : places->places()) CHECK(places->word(place).text == "rato");
    test::run(*session, {"heads words abracadabra"});
    finish(*session);
    CHECK(places->places().empty());
    test::run(*session, {"heads words manga", "heads stop 2", "heads stop next"});
    CHECK(session->view().heads.words.stop == 3);
    finish(*session);
    std::string lines;
    for (const std::string& line : session->as_commands()) lines += line + "\n";
    const auto again = test::a_session("I am fine");
    const Result<Done> done = again->replay(lines, "saved");
    REQUIRE_MESSAGE(done, again->strings().text(done.error()));
    CHECK(again->view().heads.words == session->view().heads.words);
    CHECK(again->view().heads.page == HeadsPage::words);
    test::run(*session, {"model gloss"});
    CHECK(session->view().heads.words == WordsView());
    finish(*session); // the last word of its sentence
}

TEST_CASE("what stands in few answers is no meaning of a word") {
    const auto session = test::a_session("O banco");
    test::run(*session,
              {"model translate-pt-en", "source Ela foi ao banco", "room heads", "heads words banco"});
    finish(*session);
    const WordPlaces& places = *session->word_places();
    REQUIRE(places.places().size() >= 10);
    std::size_t told = 0;
    for (const WordPlace& place : places.places()) told += places.sense_of(place).has_value();
    CHECK((places.senses().empty() || 2 * told >= places.places().size()));
}

TEST_CASE("models that only read, that write on, and that were never told a task have words as well") {
    for (const char* model : {"sentiment", "next-word", "gloss", "copy"}) {
        CAPTURE(model);
        const auto session = test::a_session("I am fine");
        test::run(*session, {(std::string("model ") + model).c_str(), "room heads", "heads words"});
        finish(*session);
        const WordPlaces& places = *session->word_places();
        REQUIRE_FALSE(places.places().empty());
        CHECK(places.stops().size() >= 3);
        for (const WordPlace& place : places.places())
            CHECK(places.vector(places.stops().size() - 1, place).size()
                  == std::size_t(session->model().config().d_model));
    }
}

TEST_CASE(
    "a model that gives a word for a word tells meanings in their place, one that judges by its class") {
    const auto gloss = test::a_session("I am fine");
    test::run(*gloss, {"model gloss", "source The man slept on the bank of the river",
                       "second The man worked at the bank", "room heads", "heads words bank"});
    finish(*gloss);
    const WordPlaces& banks = *gloss->word_places();
    CHECK(banks.telling() == WordPlaces::Telling::word_for_word);
    const auto said = [&](const std::string& text) {
        return banks.senses()[banks.sense_of(place_in(banks, text)).value()];
    };
    CHECK(said("The man slept on the bank of the river") == "margem");
    CHECK(said("The man worked at the bank") == "banco");
    const auto critic = test::a_session("I am fine");
    test::run(*critic,
              {"model sentiment", "source The film was not boring", "room heads", "heads words boring"});
    finish(*critic);
    std::vector<std::string> classes = critic->word_places()->senses();
    std::sort(classes.begin(), classes.end());
    CHECK(classes == std::vector<std::string>{"negative", "positive"});
}
