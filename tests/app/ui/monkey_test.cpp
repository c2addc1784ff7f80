// Two thousand things that nobody would do, in an order that nobody would choose: the window survives.
#include "tests/app/ui/monkey.h"

#include <doctest/doctest.h>

using namespace headlight;

TEST_CASE("two thousand random commands, clicks and keys leave the window in order") {
    Stage stage("translate-en-pt", 900, 640);
    Monkey monkey(stage);
    for (int i = 0; i < 2000; ++i) {
        monkey.act();
        if (i % 3 == 0) stage.frame();
        if (i % 60 == 0) (void)stage.display().capture(); // as it stands, drawn to the last pixel
    }
    for (int i = 0; i < 4000 && !stage.display().input().empty(); ++i) stage.frame();
    stage.display().input().release_mouse();
    REQUIRE(stage
                .run("pause\nhelp off\nchanges clear\nmodel translate-en-pt\ntarget\nsource I am fine\nstep "
                     "first\n")
                .empty());
    CHECK(stage.session().strings().missing().empty());
    Stage* fresh = &stage;
    CHECK(fresh->session().sentence().source.size() == 3);
    for (const StoryStep& step : stage.session().model().story) CHECK(step.node->value.size() > 0);
}
