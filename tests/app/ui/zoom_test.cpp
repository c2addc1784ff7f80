// Coming nearer: what is seen from afar is what one arrives in.
#include "tests/app/ui/stage.h"

#include <doctest/doctest.h>

#include <cmath>
#include <map>
#include <string>

namespace headlight {

namespace {

// Every picture of a box that is in sight, and every title.
std::map<std::string, ScreenRect> in_sight(Stage& stage, const std::string& prefix) {
    std::map<std::string, ScreenRect> found;
    const auto canvas = stage.names().find("canvas");
    REQUIRE(canvas);
    for (const std::string& name : stage.names().names())
        if (name.starts_with(prefix))
            if (const auto place = stage.names().find(name); place && !place->cut_to(*canvas).empty())
                found[name] = *place;
    return found;
}

} // namespace

TEST_CASE("in a hundred steps over each box no matrix becomes smaller, and no title lies on one") {
    for (const char* model : {"translate-en-pt", "everyday-en-pt", "everyday-next-word"}) {
        CAPTURE(model);
        CanvasStage stage(model, 1280, 720);
        REQUIRE(stage.run("source I like my dog because it is very small\nfit\nwait 3").empty());
        // Boxes of one kind are alike.
        std::map<std::string, const CanvasGroup*> kinds;
        for (const CanvasGroup& block : stage.canvas().layout().blocks) kinds.try_emplace(block.kind, &block);
        for (const auto& [kind, box] : kinds) {
            CAPTURE(kind);
            if (!box->picture) continue;
            REQUIRE(stage.run("fit\nwait 2").empty());
            const std::string name = "picture." + box->picture->path + ".0";
            const Card* card = stage.canvas().layout().find(box->picture);
            REQUIRE(card);
            ScreenRect before{};
            for (int i = 0; i < 100; ++i) {
                // To where the box's matrix is, in the end.
                const PlanePoint middle = card->matrices.front().centre();
                const PlanePoint there = stage.canvas().camera().centre;
                const double zoom = stage.canvas().camera().zoom;
                stage.canvas().pan((there.x - middle.x) * zoom, (there.y - middle.y) * zoom);
                stage.frame();
                const auto now = stage.names().find(name), canvas = stage.names().find("canvas");
                // Of what is partly out of sight nobody sees how large it is.
                const bool is_whole = now && canvas && now->min.x > canvas->min.x
                                      && now->max.x < canvas->max.x && now->min.y > canvas->min.y
                                      && now->max.y < canvas->max.y;
                if (is_whole) {
                    CAPTURE(i);
                    CHECK(now->width() >= before.width() * 0.995f - 2);
                    CHECK(now->height() >= before.height() * 0.995f - 2);
                    before = *now;
                }
                if (const auto map = stage.names().find("canvas.map"))
                    for (const auto& [title, place] : in_sight(stage, "title."))
                        CHECK(place.cut_to(*map).empty());
                // Nor do operators and symbols, which stand beside them.
                for (const auto& [mark, place] : in_sight(stage, "mark."))
                    for (const Card& other : stage.canvas().layout().cards) {
                        const PlaneRect& cells = other.matrices.front();
                        const PlaneRect v = to_view(stage.canvas().camera(), stage.canvas().view(), cells);
                        const ScreenRect matrix =
                            ScreenRect::at(canvas->min.x + float(v.x), canvas->min.y + float(v.y),
                                           float(v.width), float(v.height));
                        const bool is_drawn = stage.names().find("card." + other.node->path).has_value();
                        const ScreenRect both = place.cut_to(matrix);
                        CAPTURE(other.node->path);
                        if (is_drawn) CHECK((both.empty() || both.width() < 4 || both.height() < 4));
                    }
                for (const auto& [title, place] : in_sight(stage, "title."))
                    for (const auto& [picture, matrix] : in_sight(stage, "picture.")) {
                        CAPTURE(title);
                        CAPTURE(picture);
                        const ScreenRect both = place.cut_to(matrix);
                        CHECK((both.empty() || both.width() < 2 || both.height() < 2));
                    }
                REQUIRE(stage.run("zoom 1.04").empty());
            }
            CHECK(stage.canvas().nearness() == 1);
        }
    }
}

TEST_CASE("the numbers of a picture answer on the way, and are those of the value") {
    CanvasStage stage("everyday-en-pt", 1280, 800);
    REQUIRE(stage.run("source I like my dog\nfit\nwait 3").empty());
    const CanvasGroup* box = nullptr;
    for (const CanvasGroup& block : stage.canvas().layout().blocks)
        if (block.attends && !box) box = &block;
    REQUIRE(box);
    const PlanePoint middle = box->rect.centre(), there = stage.canvas().camera().centre;
    const double zoom = stage.canvas().camera().zoom;
    stage.canvas().pan((there.x - middle.x) * zoom, (there.y - middle.y) * zoom);
    REQUIRE(
        stage.run("zoom " + std::to_string(stage.canvas().figure_zoom() * 1.6 / zoom) + "\nwait 3").empty());
    const std::string name = "picture." + box->picture->path + ".1";
    const auto place = stage.names().find(name);
    REQUIRE(place);
    const Shape& shape = box->picture->shape();
    const float width = place->width() / float(shape.columns), height = place->height() / float(shape.rows);
    stage.display().input().click(place->min.x + 1.5f * width, place->min.y + 2.5f * height);
    stage.frame(6);
    REQUIRE(stage.view().asking.held);
    CHECK(stage.view().asking.held->path == box->picture->path);
    CHECK(stage.view().asking.held->cell == Cell{1, 2, 1});
}

} // namespace headlight
