#include "app/canvas/camera.h"

#include <doctest/doctest.h>

#include <cmath>

namespace headlight {

namespace {
const ViewSize view{900, 600};
}

TEST_CASE("a point goes to the view and back") {
    const Camera camera{{120, -40}, 2.5};
    const PlanePoint there = to_view(camera, view, PlanePoint{133, -77});
    const PlanePoint back = to_plane(camera, view, there);
    CHECK(back.x == doctest::Approx(133));
    CHECK(back.y == doctest::Approx(-77));
}

TEST_CASE("what lies under the pointer stays there while one zooms, up to the limits") {
    const Camera camera{{10, 20}, 1};
    const PlanePoint pointer{700, 100};
    const PlanePoint held = to_plane(camera, view, pointer);
    for (const double factor : {0.5, 3.0, 100.0}) {
        const Camera there = zoomed(camera, view, pointer, factor, 0.1, 8);
        const PlanePoint now = to_plane(there, view, pointer);
        CHECK(now.x == doctest::Approx(held.x));
        CHECK(now.y == doctest::Approx(held.y));
        CHECK(there.zoom == doctest::Approx(std::min(factor, 8.0)));
    }
}

TEST_CASE("what is framed is in sight, with its margin") {
    for (const PlaneRect& rect : {PlaneRect{5, 5, 4000, 10}, PlaneRect{-300, 0, 3, 900}}) {
        const Camera camera = framing(rect, view, 30, 5);
        const PlaneRect there = to_view(camera, view, rect);
        CHECK(there.x >= 30 - 1e-6);
        CHECK(there.y >= 30 - 1e-6);
        CHECK(there.right() <= view.width - 30 + 1e-6);
        CHECK(there.bottom() <= view.height - 30 + 1e-6);
    }
    CHECK(framing({0, 0, 1, 1}, view, 10, 2).zoom == 2);
}

TEST_CASE("the way between two places begins at the one, ends at the other, and never leaps") {
    const Camera from{{0, 0}, 0.05};
    for (const Camera& to :
         {Camera{{4000, 900}, 1.5}, Camera{{0, 0}, 2}, Camera{{3, 0}, 0.05}, Camera{{9000, 0}, 0.05}}) {
        CHECK(between(from, to, view, 0) == from);
        CHECK(between(from, to, view, 1) == to);
        Camera last = from;
        for (int i = 1; i <= 100; ++i) {
            const Camera now = between(from, to, view, i / 100.0);
            REQUIRE(std::isfinite(now.zoom));
            CHECK(std::abs(std::log(now.zoom / last.zoom)) < 0.3);
            const double moved = std::hypot(now.centre.x - last.centre.x, now.centre.y - last.centre.y);
            CHECK(moved * std::min(now.zoom, last.zoom) < 0.5 * view.width);
            last = now;
        }
    }
}

TEST_CASE("out of one number and to everything there is a way, though their middles are all but the same") {
    const Camera near{{0, 0}, 50};
    for (const double apart : {1e-9, 1e-6, 1e-3, 0.03, 1.0})
        for (const double zoom : {0.001, 0.05, 49.9, 1e4}) {
            const Camera to{{apart, -apart}, zoom};
            for (int i = 0; i <= 100; ++i)
                for (const Camera& now :
                     {between(near, to, view, i / 100.0), between(to, near, view, i / 100.0)}) {
                    REQUIRE(std::isfinite(now.centre.x));
                    REQUIRE(std::isfinite(now.centre.y));
                    REQUIRE(now.zoom > 0.99 * std::min(near.zoom, zoom));
                    REQUIRE(now.zoom < 1.01 * std::max(near.zoom, zoom));
                }
        }
}

} // namespace headlight
