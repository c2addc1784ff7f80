#include "app/ui/closeup/closeups.h"
#include "app/ui/widgets/text.h"
#include "tests/app/ui/panel_stage.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <string>
#include <vector>

using namespace headlight;

namespace {

PanelStage a_close_up(int width, int height) {
    return PanelStage("translate-en-pt", width, height,
                      [](const ScreenRect& rect, Session& session, CommandSink& commands) {
                          positions_panel(rect, session, commands);
                      });
}

} // namespace

TEST_CASE(
    "the close-up of positions answers the pointer: columns are added, the distance is chosen, it closes") {
    PanelStage stage = a_close_up(960, 620);
    stage.run("closeup positions\ndimensions 0 8\n");
    const auto cell = stage.names().cell_centre("closeup.matrix", 3, 20);
    REQUIRE(cell);
    stage.display().input().click(cell->x, cell->y);
    stage.frame();
    CHECK(stage.view().close_ups.dimensions == std::vector<Index>{0, 8, 20});
    stage.display().input().click(cell->x, cell->y);
    stage.frame();
    CHECK(stage.view().close_ups.dimensions == std::vector<Index>{0, 8});
    stage.click("closeup.measure.1");
    CHECK(stage.view().close_ups.distance == PositionDistance::dot_product);
    CHECK(stage.names().cell_centre("closeup.distances", 31, 31)); // beyond the sentence
    stage.click("closeup.close");
    CHECK(stage.view().close_ups.open == CloseUp::none);
}

TEST_CASE("no text of the close-up is cut, in either language and at either size of type") {
    for (const auto& [width, height] : {std::pair{860, 540}, std::pair{1200, 760}}) {
        PanelStage stage = a_close_up(width, height);
        std::vector<std::string> cut;
        note_cut_texts(&cut);
        for (const char* language : {"en", "pt"})
            for (const char* measure : {"euclidean", "dot"})
                stage.run(std::string("language ") + language + "\ndistance " + measure + "\n");
        note_cut_texts(nullptr);
        for (const std::string& text : cut) CHECK_MESSAGE(false, "cut: ", text);
        CHECK(stage.session().strings().missing().empty());
    }
}

TEST_CASE("pictures of the close-up to look at") {
    const char* folder = std::getenv("HEADLIGHT_PICTURES");
    if (!folder) return;
    for (const auto& [width, height] : {std::pair{860, 540}, std::pair{1200, 760}}) {
        PanelStage stage = a_close_up(width, height);
        int number = 0;
        for (const char* script : {"theme dark\n", "language pt\ntheme light\ndistance dot\n",
                                   "presenter on\ndistance euclidean\n"}) {
            stage.run(script);
            if (const auto cell = stage.names().cell_centre("closeup.matrix", 5, 12); cell && number == 0)
                stage.display().input().move_mouse(cell->x, cell->y);
            stage.frame();
            const std::string file = std::string(folder) + "/closeup-" + std::to_string(width) + "-"
                                     + std::to_string(number++) + ".png";
            REQUIRE(write_png(file, stage.display().capture()));
            stage.display().input().move_mouse(0, 0);
            stage.frame();
        }
    }
}
