#include "app/session/word_offers.h"

#include "app/session/session.h"
#include "app/session/word_offers.h"
#include "tests/app/session/changed_session.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

using namespace headlight;
using Words = std::vector<std::string>;

namespace {

std::unique_ptr<Session> opened(const std::string& model) {
    auto session = test::a_session();
    REQUIRE(session->execute("model " + model));
    return session;
}

Words offers(const Session& session, const std::string& word) {
    return session.word_offers().offers(session.model().files.source, session.experiment().model_version(),
                                        word);
}

const ListedWord& listed(const WordList& list, const std::string& shown) {
    const auto found = std::find_if(list.words.begin(), list.words.end(),
                                    [&](const ListedWord& word) { return word.shown == shown; });
    REQUIRE_MESSAGE(found != list.words.end(), shown);
    return *found;
}

} // namespace

TEST_CASE(
    "the lexicon is read once a word is unknown, not before; until then slips of the hand are offered") {
    const std::unique_ptr<Session> session = opened("translate-en-pt");
    session->advance(0);
    CHECK_FALSE(session->word_offers().thesaurus());
    REQUIRE(session->execute("source My brother plays footbal"));
    CHECK(offers(*session, "animall") == Words{"animal", "animals"});
    CHECK(offers(*session, "brother").empty()); // three edits from “bought”
    session->advance(0);                        // waits, as a script does
    REQUIRE(session->word_offers().thesaurus());
    CHECK_FALSE(session->word_offers().is_reading());
    CHECK(offers(*session, "brother") == Words{"student", "man", "boy"});
    CHECK(offers(*session, "plays") == Words{"likes"});
    CHECK(offers(*session, "football").empty());
    CHECK(offers(*session, "animall") == Words{"animal", "animals"});
}

TEST_CASE("a word that the lexicon has was no slip: it is not mended into another that looks like it") {
    const std::unique_ptr<Session> session = opened("translate-en-pt");
    REQUIRE(session->execute("source It is a horses"));
    CHECK(offers(*session, "cake").front() != "pizza");
    session->advance(0);
    const Words cake = offers(*session, "cake");
    CHECK(std::find(cake.begin(), cake.end(), "cape") == cake.end());
    CHECK(offers(*session, "horses").front() == "horse"); // another form of the same word
    CHECK(offers(*session, "horses").size() <= most_offers);
    CHECK(offers(*session, "although").empty());
}

TEST_CASE("where there is no lexicon slips of the hand are all; a lexicon with a mistake says where, once") {
    const std::filesystem::path folder = std::filesystem::temp_directory_path() / "headlight_word_offers";
    std::filesystem::remove_all(folder);
    WordOffers offers(folder);
    CHECK_FALSE(offers.follow(true, true));
    CHECK_FALSE(offers.thesaurus());
    CHECK_FALSE(offers.take_trouble());
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "own.txt") << "nouns food\n  bread o pão\n";
    CHECK(offers.follow(true, true));
    CHECK_FALSE(offers.thesaurus());
    const std::optional<Error> trouble = offers.take_trouble();
    REQUIRE(trouble);
    CHECK(trouble->key == "error.lexicon_no_arrow");
    CHECK_FALSE(offers.take_trouble());
    CHECK_FALSE(offers.follow(true, true));
    std::filesystem::remove_all(folder);
}

TEST_CASE("an offer takes the place of its own word, not of another that is spelled alike") {
    const std::unique_ptr<Session> session = opened("translate-en-pt");
    REQUIRE(session->execute("source The catt, a Catt"));
    std::size_t last = 0;
    const std::vector<Piece>& pieces = session->sentence().source;
    for (std::size_t i = 0; i < pieces.size(); ++i)
        if (!pieces[i].known) last = i;
    CHECK(with_piece_replaced(*session, last, "cat") == "The catt, a cat");
    CHECK(with_piece_replaced(*session, pieces.size(), "cat") == "The catt, a Catt");
}

TEST_CASE(
    "the words of a small model are its vocabulary, those of an everyday model the lexicon's, by theme") {
    std::unique_ptr<Session> session = opened("translate-en-pt");
    WordList list = word_list(*session);
    CHECK(list.words.size() == 316); // without <pad>, <s>, </s>, <unk>
    CHECK_FALSE(list.has_translations);
    CHECK(list.with("HORS").size() == 1);
    CHECK(list.with("").size() == list.words.size());
    CHECK(list.with("orse").empty());
    CHECK(list.meant("", list.with("")) == std::size_t(0));
    CHECK_FALSE(list.meant("hxq", list.with("hxq")));

    session = opened("everyday-pt-en");
    CHECK_FALSE(wants_lexicon(*session));
    REQUIRE(session->execute("vocabulary find maca"));
    CHECK(wants_lexicon(*session));
    session->advance(0);
    list = word_list(*session);
    REQUIRE(list.has_translations);
    CHECK(list.words.size() > 4500);
    const ListedWord& apple = listed(list, "a maçã");
    CHECK(apple.translation == "apple");
    CHECK(apple.typed == "maçã");
    CHECK(apple.theme == "nouns-food");
    CHECK(listed(list, "gostar de").translation == "like");
    CHECK(listed(list, "o dentista").translation == "dentist");
    const std::vector<std::size_t> found = list.with("maca");
    REQUIRE(list.meant("maca", found));
    CHECK(list.words[found[*list.meant("maca", found)]].shown == "a maçã");
    CHECK(list.words[list.with("apple").front()].theme == "nouns-food");
    CHECK(list.with("tree").size() > 2); // “apple tree” among them

    session = opened("everyday-en-pt");
    REQUIRE(session->execute("vocabulary on"));
    session->advance(0);
    list = word_list(*session);
    CHECK(listed(list, "apple").translation == "a maçã");
    CHECK(listed(list, "give to").translation == "dar para");
}
