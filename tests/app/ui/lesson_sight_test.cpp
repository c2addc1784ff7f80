// In front of a class nobody scrolls: the question, its choices and the result of every card are in sight.
#include "tests/app/ui/stage.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

using namespace headlight;

namespace {

// All of what is asked, from its first line to its last.
bool is_in_sight(Stage& stage, std::size_t asked) {
    const std::string name = "lesson.asked." + std::to_string(asked);
    const auto begin = stage.names().find(name + ".begin"), end = stage.names().find(name + ".end");
    return begin && end && begin->min.y >= 0 && end->max.y <= 720;
}

} // namespace

TEST_CASE("with large type and alone, every card's question, choices and result are in sight") {
    for (const char* language : {"en", "pt"})
        for (const char* look :
             {"presenter on\nalone off", "presenter off\nalone on", "presenter on\nalone on"}) {
            CanvasStage stage("translate-en-pt", 1280, 720);
            REQUIRE(stage.run(std::string("language ") + language + "\n" + look) == "");
            const LessonPlayer& lessons = stage.host().lessons();
            const std::vector<LessonEntry> all = lessons.lessons();
            for (const LessonEntry& lesson : all) {
                REQUIRE(stage.run("lesson open " + lesson.name + "\nlesson card 1") == "");
                for (std::size_t card = 0; card < lessons.lesson().cards.size(); ++card) {
                    REQUIRE(stage.run("lesson card " + std::to_string(card + 1) + "\nwait 6") == "");
                    INFO(language << " " << look << " " << lesson.name << " card " << card + 1);
                    for (std::size_t asked = 0; asked < lessons.card().predictions.size(); ++asked) {
                        CHECK(is_in_sight(stage, asked));
                        for (std::size_t i = 0; i < lessons.card().predictions[asked].choices.size(); ++i)
                            CHECK(stage.names().find("lesson.choice." + std::to_string(i + 1)));
                        REQUIRE(stage.run("press page_down\nwait 6") == ""); // a remote control's
                        CHECK(is_in_sight(stage, asked));
                        if (lessons.answer(card, asked)) continue;
                        const std::vector<LessonChoice>& choices = lessons.card().predictions[asked].choices;
                        CHECK(std::any_of(choices.begin(), choices.end(), [](const LessonChoice& choice) {
                            return choice.right_if && choice.right_if->kind == Expectation::Kind::reached;
                        })); // what a training decides waits for it
                        break;
                    }
                }
            }
        }
}
