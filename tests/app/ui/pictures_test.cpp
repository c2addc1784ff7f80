// A picture of each thing that people look at in the window, so that a change of its looks is seen before it
// is released.
#include "app/platform/image.h"
#include "tests/app/ui/stage.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

using namespace headlight;

namespace {

struct Picture {
    const char *name, *script;
};

const Picture pictures[] = {
    {"explore-far", "source The animal didn't cross the street because it was too tired\n"},
    {"explore-near", "theme light\nlanguage pt\ngoto decoder.1.cross_attn.weights\n"
                     "select decoder.1.cross_attn.weights 2 3 1\n"},
    {"step", "view step\ngoto encoder.1.self_attn.scores\nhead 1\nselect encoder.1.self_attn.scores 1 7 1\n"},
    {"step-output",
     "theme light\nlanguage pt\nview step\nsource The animall didn't cross\ngoto output.chosen\n"},
    {"step-presenter", "resize 1920 1080\npresenter on\nview step\ngoto decoder.0.self_attn.masked\n"},
    {"lecture", "resize 1280 720\npresenter on\nsource The cat didn't cross the street because it was tired\n"
                "goto decoder.0.cross_attn.weights\n"},
    {"alone", "resize 1280 720\npresenter on\nlanguage pt\nsource The cat didn't cross the street because it "
              "was tired\ngoto encoder.0.self_attn.scaled\nalone on\nspotlight on\n"
              "hover encoder.0.self_attn.scaled.0 5 5\n"},
    {"vocabulary", "theme light\nlanguage pt\nresize 1280 720\nmodel everyday-en-pt\nsource I like\n"
                   "vocabulary find ma\n"},
    {"train", "room train\n"},
    {"heads", "theme light\nroom heads\n"},
    {"what-if", "room whatif\nchange head decoder.1.cross_attn 2 silence\ngoto decoder.1.cross_attn.heads\n"},
    {"lesson", "theme light\nlanguage pt\nroom lesson\n"},
    {"lesson-asked", "room lesson\nselect plain.output 0 1 0\n"},
    {"cabinet", "room cabinet\n"},
    {"cabinet-presenter", "resize 1280 720\npresenter on\ntheme light\nlanguage pt\nroom cabinet\n"
                          "select cabinet.output 0 0 0\n"},
};

} // namespace

TEST_CASE("the window looks as it should") {
    const std::filesystem::path folder = std::filesystem::path(HEADLIGHT_SOURCE_DIR) / "tests/data/golden";
    for (const Picture& picture : pictures) {
        const std::string file = std::string("window-") + picture.name + ".png";
        CAPTURE(file);
        CanvasStage stage;
        REQUIRE(stage.run(picture.script).empty());
        stage.frame(10); // what was not ready yet is drawn by now
        const Image drawn = stage.display().capture();
        if (std::getenv("HEADLIGHT_UPDATE_GOLDEN")) REQUIRE(write_png((folder / file).string(), drawn));
        const auto golden = read_png((folder / file).string());
        REQUIRE_MESSAGE(golden, "no golden picture; HEADLIGHT_UPDATE_GOLDEN=1 makes it");
        const ImageDifference difference = compare_images(drawn, *golden, 3);
        if (difference.pixels_beyond > 0)
            (void)write_png((std::filesystem::path(HEADLIGHT_BINARY_DIR) / file).string(), drawn);
        CHECK(difference.pixels_beyond == 0);
    }
}
