// The room in which words come out one by one: it opens on every shipped model, is walked and asked by
// clicks.
#include "app/ui/widgets/text.h"
#include "tests/app/ui/stage.h"

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

using namespace headlight;

TEST_CASE("every page of saying it opens on every shipped model, in both languages, for a projector too") {
    for (const char* model :
         {"translate-en-pt", "translate-pt-en", "copy", "next-word", "sentiment", "gloss"}) {
        INFO(std::string(model));
        CanvasStage stage(model, 1280, 720);
        for (const char* look :
             {"language en\ntheme dark\npresenter off", "language pt\ntheme light\npresenter on"}) {
            REQUIRE(stage.run(std::string(look) + "\nroom say\nwait 1") == "");
            for (const char* page : {"words", "beams", "lanes", "cost"}) {
                CHECK(stage.run(std::string("say ") + page + "\nwait 2") == "");
                CHECK(stage.session().strings().missing().empty());
            }
        }
    }
}

TEST_CASE("rows, words and buttons are pressed: a pass is shown, another word chosen, the loop played") {
    CanvasStage stage("translate-en-pt", 1600, 1000);
    REQUIRE(stage.run("room say\nwait 1\nclick saying.pass.3\nwait 2") == "");
    CHECK(stage.question().generation.pass == 3);
    REQUIRE(stage.run("click saying.chance.1\nwait 2") == "");
    CHECK(stage.question().generation.branches.size() == 1);
    CHECK(stage.question().generation.branches.front().size() == 3);
    REQUIRE(stage.run("click saying.branch.0\nwait 2") == "");
    CHECK(stage.question().generation.branch == 0);
    REQUIRE(stage.run("say pass 1\nwait 2\nclick pass.play\nwait 2") == "");
    CHECK(stage.view().generation.playing);
    for (int i = 0; i < 400 && stage.view().generation.playing; ++i) stage.frame(10);
    CHECK_FALSE(stage.view().generation.playing); // it came to the end by itself
    CHECK(stage.question().generation.pass == 0);
    REQUIRE(stage.run("click unlike.saying\nwait 1") != ""); // it is greedy, its own way: nothing to undo
    REQUIRE(stage.run("click saying.method.1\nwait 2") == "");
    REQUIRE(stage.run("click saying.seed.0\nwait 1\nclick unlike.saying\nwait 1") == "");
    CHECK(stage.question().generation.is_plain());
}

TEST_CASE("a tree of beams is opened by a click, and leads to the canvas") {
    CanvasStage stage("translate-en-pt", 1600, 1000);
    REQUIRE(stage.run("room say\nsay beams\nwait 2\nclick saying.search.0\nwait 2") == "");
    REQUIRE(stage.session().generation()->tree);
    REQUIRE(stage.run("click saying.node.2\nwait 2") == "");
    CHECK(stage.question().generation.opened == 2);
    REQUIRE(stage.run("click unlike.pass\nwait 2") == "");
    CHECK(stage.question().generation.opened == -1);
    // The widest tree over a long sentence is drawn as well.
    CHECK(stage.run("say width 16\nwait 2") == "");
    CHECK(stage.session().generation()->tree->branches.size() > 200);
}

TEST_CASE("a temperature changes the column of probabilities, which names both; there is one Play") {
    CanvasStage stage("translate-en-pt", 1600, 1000);
    REQUIRE(stage.run("room say\nwait 1") == "");
    CHECK_FALSE(stage.names().find("step.play"));
    const auto texts_of = [&] {
        std::vector<DrawnText> texts;
        note_drawn_texts(&texts);
        stage.frame(1);
        note_drawn_texts(nullptr);
        return texts;
    };
    const auto says = [](const std::vector<DrawnText>& texts, const std::string& what) {
        for (const DrawnText& text : texts)
            if (text.text == what) return true;
        return false;
    };
    const Strings& s = stage.session().strings();
    CHECK(says(texts_of(), s.text("say.column.p")));
    REQUIRE(stage.run("say draw\nsay temperature 2.88\nwait 2") == "");
    const auto texts = texts_of();
    CHECK(says(texts, s.text("say.column.p.model")));
    CHECK(says(texts, s.text("say.column.p.drawn", {"2.88"})));
    const SaidPlace& first = stage.session().generation()->answers.front().places.front();
    for (const WordChance& chance : first.chances)
        if (chance.word == first.said.word && chance.drawn >= 0.0005)
            CHECK(says(texts, format_fixed(chance.drawn, 3)));
    // The sliders stay in sight whichever word is looked at.
    const auto before = stage.names().find("saying.temperature");
    REQUIRE(before);
    REQUIRE(stage.run("say pass 5\nwait 2") == "");
    const auto after = stage.names().find("saying.temperature");
    REQUIRE(after);
    CHECK(std::abs(after->min.y - before->min.y) < 1); // of a pixel
}

TEST_CASE("what goes on by itself is told in the answer's place, and Esc stops it") {
    Stage stage("next-word", 1600, 1000);
    REQUIRE(stage.run("source The clouds are in the\nroom say\nsay play\n") == "");
    CHECK(stage.view().generation.playing);
    REQUIRE(stage.run("press escape\n") == "");
    CHECK_FALSE(stage.view().generation.playing);
    for (const char* presenter : {"off", "on"})
        for (const char* language : {"en", "pt"}) {
            REQUIRE(stage.run(std::string("presenter ") + presenter + "\nlanguage " + language
                              + "\nsay pass 55\n")
                    == "");
            CHECK(stage.names().find("output"));
            CHECK(stage.session().strings().missing().empty());
        }
    REQUIRE(stage.run("presenter off\nclick saying.endless\n") == "");
    CHECK_FALSE(stage.question().generation.is_endless);
}
