// A few pictures of the whole window, so that a change of its looks is seen before it is released.
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
    {"embedding", "goto encoder.embed.tokens\n"},
    {"heads", "theme light\ngoto encoder.0.self_attn.weights\n"},
    {"scores-held", "goto encoder.1.self_attn.scores\nhead 1\nselect encoder.1.self_attn.scores 1 7 1\n"},
    {"cross-attention", "theme light\nlanguage pt\nhead 2\ngoto decoder.1.cross_attn.weights\n"},
    {"output", "language pt\nsource The animall didn't cross\ngoto output.chosen\n"},
    {"presenter", "resize 1920 1080\npresenter on\nhead 0\ngoto decoder.0.self_attn.masked\n"},
};

} // namespace

TEST_CASE("the window looks as it should") {
    const std::filesystem::path folder = std::filesystem::path(HEADLIGHT_SOURCE_DIR) / "tests/data/golden";
    for (const Picture& picture : pictures) {
        const std::string file = std::string("window-") + picture.name + ".png";
        CAPTURE(file);
        Stage stage;
        REQUIRE(stage.run(picture.script).empty());
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
