#include "app/ui/base/theme.h"
#include "app/ui/base/ui.h"
#include "app/ui/widgets/heatmap.h"
#include "tests/app/ui/widgets/gallery.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

using namespace headlight;

namespace {

// What the colour looks like to someone without red (protan) or green (deutan) cones: in such an eye colours
// differ only in lightness and along blue–yellow. Good enough to tell maps that fail from maps that do not.
float blue_minus_yellow(Colour colour) {
    return float(colour >> 16 & 255) - (float(colour & 255) + float(colour >> 8 & 255)) / 2;
}

} // namespace

TEST_CASE("equal steps of a probability are equal steps of lightness") {
    for (const bool dark : {false, true}) {
        const Theme theme = make_theme({.dark = dark}, 1);
        const auto at = [&](int i) {
            return lightness(theme.palette_colour(Palette::sequential, float(i) / 10));
        };
        const float step = (at(10) - at(0)) / 10;
        CHECK(std::abs(step) > 0.05f);
        for (int i = 1; i <= 10; ++i) CHECK(at(i) - at(i - 1) == doctest::Approx(step).epsilon(0.15));
    }
}

TEST_CASE("a number and its opposite are equally light, and the larger the further from the neutral") {
    for (const bool dark : {false, true}) {
        const Theme theme = make_theme({.dark = dark}, 1);
        const auto at = [&](float v) {
            return lightness(theme.palette_colour(Palette::diverging, 0.5f + v / 2));
        };
        const float neutral = at(0);
        float before = 0;
        for (float v = 0.1f; v <= 1; v += 0.1f) {
            CHECK(at(v) == doctest::Approx(at(-v)).epsilon(0.03));
            CHECK(std::abs(at(v) - neutral) > before);
            before = std::abs(at(v) - neutral);
        }
        CHECK(std::abs(neutral - lightness(theme.colours.card)) < 0.08f); // zero is nearly nothing
    }
}

TEST_CASE("signs are told apart without red or green, and so are query, key and value") {
    for (const bool dark : {false, true}) {
        const Theme theme = make_theme({.dark = dark}, 1);
        const Colours& c = theme.colours;
        CHECK(blue_minus_yellow(c.positive) - blue_minus_yellow(c.negative) > 80);
        const float query = blue_minus_yellow(c.query), key = blue_minus_yellow(c.key),
                    value = blue_minus_yellow(c.value);
        CHECK(query - value > 20);
        CHECK(value - key > 20);
    }
}

TEST_CASE("text stands out from every surface it is put on") {
    for (const bool dark : {false, true}) {
        const Theme theme = make_theme({.dark = dark}, 1);
        const Colours& c = theme.colours;
        for (const Colour surface : {c.window, c.card, c.raised, c.hovered}) {
            CHECK(std::abs(lightness(c.ink) - lightness(surface)) > 0.5f);
            CHECK(std::abs(lightness(c.ink_soft) - lightness(surface)) > 0.35f);
        }
        for (const Palette palette : {Palette::diverging, Palette::sequential})
            for (int i = 0; i <= 20; ++i) {
                const Colour behind = theme.palette_colour(palette, float(i) / 20);
                CHECK(std::abs(lightness(theme.ink_on(behind)) - lightness(behind)) > 0.32f);
            }
    }
}

TEST_CASE("text and what carries meaning stand out from every surface, in both themes") {
    for (const bool dark : {false, true}) {
        const Theme theme = make_theme({.dark = dark}, 1);
        const Colours& c = theme.colours;
        CAPTURE(dark);
        for (const Colour surface : {c.window, c.card, c.raised}) {
            for (const Colour text :
                 {c.ink, c.ink_soft, c.ink_faint, c.accent, c.query, c.key, c.value, c.warning})
                CHECK(contrast(text, surface) >= 4.5);
            CHECK(contrast(c.frame, surface) >= 3);
        }
        CHECK(contrast(c.ink, c.hovered) >= 4.5);
        CHECK(contrast(c.on_accent, c.accent) >= 4.5);
    }
}

TEST_CASE("a number in a cell that is not lit can be read on whatever colour the cell has") {
    for (const bool dark : {false, true}) {
        gallery::Stage stage({.dark = dark});
        stage.show([] {
            for (const Palette palette : {Palette::diverging, Palette::sequential, Palette::gradient})
                for (int i = 0; i <= 20; ++i) {
                    const Colour behind = theme().palette_colour(palette, float(i) / 20);
                    for (const float fade : {0.5f, 0.72f})
                        CHECK(contrast(faded_ink(behind, fade), mix(behind, colours().card, fade)) >= 2.9);
                }
        });
    }
}
