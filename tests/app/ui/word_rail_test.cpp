// A word is held wherever it stands, and its life is told beside the network.
#include "app/session/session_sweep.h"
#include "app/session/word_life.h"
#include "tests/app/ui/stage.h"

#include <doctest/doctest.h>

namespace headlight {

TEST_CASE("a word is held in the sentence, in the answer, along a matrix and below the network") {
    CanvasStage stage("everyday-en-pt");
    CHECK(stage.run("source I like my dog\nclick source.tokens.1\nexpect follow encoder 1") == "");
    CHECK(stage.run("click source.tokens.1") == "");
    CHECK(!stage.view().word);
    CHECK(stage.run("click answer.1\nwait 3") == "");
    REQUIRE(stage.view().word);
    CHECK(stage.view().word->stream == "decoder");
    CHECK(stage.run("press escape") == "");
    CHECK(!stage.view().word);
    // A label of a matrix, by the place where it was drawn.
    CHECK(stage.run("goto encoder.0.self_attn.weights\nwait 3") == "");
    const auto cell = stage.names().cell_centre("encoder.0.self_attn.weights.0", 2, 0);
    REQUIRE(cell);
    const auto first = stage.names().cell_centre("encoder.0.self_attn.weights.0", 2, 1);
    REQUIRE(first);
    stage.display().input().click(cell->x - (first->x - cell->x) / 2 - 12, cell->y);
    stage.frame(6);
    REQUIRE(stage.view().word);
    CHECK(*stage.view().word == TokenPlace{"encoder", 2});
    CHECK(!stage.view().asking.held);
    CHECK(stage.names().find("life").has_value());
    // A number that is held has the room; the word is still held.
    CHECK(stage.run("select encoder.0.self_attn.q 0 0 0\nwait 2") == "");
    CHECK(!stage.names().find("life").has_value());
    CHECK(stage.run("unselect\nwait 2") == "");
    CHECK(stage.names().find("life").has_value());
    CHECK(stage.run("click rail.close") == "");
    CHECK(!stage.view().word);
}

TEST_CASE(
    "a head is silenced in the life of a word: the answer before is struck through, and no line moves") {
    CanvasStage stage("translate-en-pt");
    CHECK(stage.run(
              "source The animal didn't cross the street because it was too tired\nfollow decoder 3\nwait 3")
          == "");
    for (int i = 0; i < 400 && (!stage.session().sweep() || !stage.session().sweep()->is_over()); ++i)
        stage.frame();
    stage.frame(3);
    const std::string name = "life.decoder.0.self_attn.1.silence";
    const auto place = stage.names().find(name);
    REQUIRE(place);
    CHECK(stage.run("click " + name + "\nwait 30") == "");
    REQUIRE(stage.question().changes.size() == 1);
    CHECK(stage.question().changes[0].text == "head decoder.0.self_attn 0 silence");
    REQUIRE(stage.names().find(name));
    CHECK(stage.names().find(name)->min.y == doctest::Approx(place->min.y));
    const bool is_other =
        stage.session().what_if().comparison()->before.output != stage.session().sentence().output;
    CHECK(stage.names().find("answer_before").has_value() == is_other);
    CHECK(stage.run("click " + name) == "");
    CHECK(stage.session().what_if().comparison() == nullptr);
}

TEST_CASE("every stop of a life leads to where it is, and an attention to the word followed step by step") {
    CanvasStage stage("translate-en-pt", 1280, 1600);
    CHECK(stage.run("source The cat slept\nfollow encoder 1\nwait 4") == "");
    const std::vector<LifeStop> life = life_of(stage.session().model().map(), *stage.view().word, nullptr);
    for (std::size_t i = 0; i < life.size(); ++i) {
        CAPTURE(i);
        if (!life[i].node || !stage.names().find("life.stop." + std::to_string(i))) continue;
        CHECK(stage.run("click life.stop." + std::to_string(i)) == "");
        CHECK(stage.session().step().path() == life[i].node->path);
        const std::string unfold = "life.unfold." + std::to_string(i) + ".0";
        CHECK(stage.names().find(unfold).has_value() == (life[i].kind == LifeKind::looks));
        if (life[i].kind != LifeKind::looks) continue;
        CHECK(stage.run("click " + unfold) == "");
        CHECK(stage.view().close_ups.open == CloseUp::word);
        CHECK(stage.run("closeup off\nwait 2") == "");
    }
    CHECK(stage.session().strings().missing().empty());
}

} // namespace headlight
