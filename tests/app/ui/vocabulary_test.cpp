#include "tests/app/ui/stage.h"

#include "app/session/word_offers.h"

#include <doctest/doctest.h>

using namespace headlight;

TEST_CASE("what may stand in an unknown word's place stands below it, and a click puts it there") {
    Stage stage("translate-en-pt", 1280, 720);
    REQUIRE(stage.run("source My brother plays football\n") == "");
    const auto word = stage.names().find("source.tokens.1"), offer = stage.names().find("nearest.man");
    REQUIRE(word);
    REQUIRE(offer);
    CHECK(offer->min.y >= word->max.y - 1);
    CHECK(offer->min.x >= word->min.x - 1);
    CHECK(offer->max.x <= word->max.x + 1);
    REQUIRE(stage.run("click nearest.man\n") == "");
    stage.frame();
    REQUIRE(stage.run("click nearest.likes\n") == "");
    CHECK(stage.question().source == "My man likes football");
    CHECK_FALSE(stage.names().find("nearest.man"));
    // In a long sentence each has one, so that all words stay in sight.
    REQUIRE(stage.run("source The brothers watched the phone and were happy\n") == "");
    CHECK(stage.names().find("nearest.students"));
    CHECK_FALSE(stage.names().find("nearest.children"));
    // A projector has no line of tokens: there they stand beside what is said of the sentence.
    REQUIRE(stage.run("presenter on\nsource My brother\nclick nearest.student\n") == "");
    CHECK(stage.question().source == "My student");
}

TEST_CASE("the vocabulary is browsed and searched, and a click adds a word to the sentence") {
    for (const int width : {1280, 1900}) {
        Stage stage("translate-en-pt", width, 720);
        REQUIRE(stage.run("source the\n") == "");
        const std::size_t last = stage.session().model().examples.size();
        REQUIRE(stage.run("click examples\nclick examples." + std::to_string(last) + "\n") == "");
        CHECK(stage.view().dialog() == Dialog::vocabulary);
        REQUIRE(stage.run("type hors\nclick vocabulary.word.0\n") == "");
        CHECK(stage.question().source == "the horse");
        CHECK(stage.view().dialog() == Dialog::vocabulary); // for the next one
        REQUIRE(stage.run("vocabulary find animal\npress enter\n") == "");
        CHECK(stage.question().source == "the horse animal");
        REQUIRE(stage.run("press down\npress enter\n") == "");
        REQUIRE(stage.run("press escape\n") == "");
        CHECK(stage.view().dialog() == Dialog::none);
        CHECK(stage.session().strings().missing().empty());
    }
}

TEST_CASE("an everyday model's words stand beside their translations, and its themes are called in both "
          "languages") {
    Stage stage("everyday-en-pt", 1280, 720);
    for (const char* language : {"en", "pt"}) {
        REQUIRE(stage.run(std::string("language ") + language + "\nsource I like\nvocabulary find maçã\n")
                == "");
        REQUIRE(stage.run("press enter\nvocabulary off\n") == "");
        CHECK(stage.question().source == "I like apple");
        const WordList list = word_list(stage.session());
        for (const ListedWord& word : list.words)
            CHECK(!stage.session().strings().text_or("window.vocabulary.theme." + word.theme, "").empty());
    }
    CHECK(stage.session().strings().missing().empty());
    // Up and down lead from line to line, over the themes' names.
    REQUIRE(stage.run("vocabulary find\npress down\npress down\npress page_down\npress up\npress enter\n")
            == "");
    CHECK(stage.question().source != "I like apple");
}

TEST_CASE("a sentence in the language that the model writes leads to the model of the other direction") {
    CanvasStage stage("everyday-en-pt", 1280, 720);
    REQUIRE(stage.run("source My sister plays the guitar\nwait 3") == "");
    CHECK_FALSE(stage.names().find("its_language"));
    REQUIRE(stage.run("source Minha irmã toca violão muito bem\nwait 3\nclick its_language\nwait 3") == "");
    CHECK(stage.session().model().name == "everyday-pt-en");
    CHECK(stage.question().source == "Minha irmã toca violão muito bem");
    CHECK_FALSE(stage.names().find("its_language"));
}
