// The film as it is seen: it goes through any model from beginning to end, a row that moves is the row whose
// numbers the other is made from, and each scene looks as it should.
#include "app/platform/image.h"
#include "app/ui/canvas/film_painter.h"
#include "tests/app/session/foreign_session.h"
#include "tests/app/ui/stage.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <string>

namespace headlight {

namespace {

// Whether the arithmetic of a cell names the other.
bool is_made_from(const NamedCell& result, const Node& node, const Node& from, Cell cell) {
    const Explanation why = node.graph->explain(node, result.cell);
    const auto names = [&](const auto& self, const Expr& e) -> bool {
        if (e.kind == Expr::Kind::cell && e.cell.node == &from && e.cell.cell == cell) return true;
        return std::any_of(e.operands.begin(), e.operands.end(),
                           [&](const Expr& operand) { return self(self, operand); });
    };
    return std::any_of(why.steps.begin(), why.steps.end(),
                       [&](const ExplanationStep& step) { return names(names, step.expression); });
}

// The first, the middle and the last cell of each piece. How many pieces there were.
std::size_t check_pieces() {
    for (const FilmPiece& piece : film_pieces()) {
        const auto& [from, into] = piece;
        CAPTURE(from.card->node->path);
        CAPTURE(into.card->node->path);
        REQUIRE(into.card->node->graph);
        const Index count = std::min(from.end - from.first, into.end - into.first);
        CHECK(from.end - from.first == into.end - into.first);
        for (const Index column : {Index(0), count / 2, count - 1}) {
            const Cell result = into.card->drawn({Index(into.matrix), into.row, into.first + column});
            const Cell moved = from.card->drawn({Index(from.matrix), from.row, from.first + column});
            CHECK(is_made_from({into.card->node->path, result}, *into.card->node, *from.card->node, moved));
        }
    }
    return film_pieces().size();
}

// All of the film, in moments. What is told in full is looked at while its first row moves, and later.
std::size_t watch(Stage& stage) {
    std::size_t moved = 0;
    const Film& film = stage.session().model().film;
    REQUIRE(stage.run("animation off\nfilm play\nfilm pause").empty());
    for (Index step = 0; step < Index(stage.session().model().story.size()); ++step) {
        const FilmShot& shot = film.shot(step);
        const bool in_full = shot.in_full();
        for (const double share : {0.2, 0.45, 0.8}) {
            if (!in_full && share != 0.45) continue;
            const std::string at = std::to_string(shot.begin + share * shot.seconds);
            CAPTURE(at);
            REQUIRE(stage.session().execute("film time " + at));
            stage.frame();
            CHECK(stage.view().step == step);
            moved += check_pieces();
        }
    }
    CHECK(stage.session().strings().missing().empty());
    REQUIRE(stage.run("film off").empty());
    CHECK(film_pieces().empty());
    return moved;
}

} // namespace

TEST_CASE("the film of every shipped model: what moves is what it is made from") {
    Stage stage;
    const auto folders = stage.session().shipped_models(); // a copy: opening one looks for them anew
    for (const std::filesystem::path& folder : folders) {
        CAPTURE(folder.filename().string());
        REQUIRE(stage.run("model " + folder.filename().string() + "\nsource I like my dog").empty());
        CHECK(watch(stage) > 20);
    }
}

TEST_CASE("the film of every architecture: what moves is what it is made from") {
    for (const test::ForeignModel& foreign : test::foreign_models()) {
        CAPTURE(foreign.name);
        Stage stage("");
        stage.session().open(test::foreign_loaded(foreign));
        REQUIRE(stage.run("source the cat saw a bird").empty());
        watch(stage);
    }
}

TEST_CASE("the film of a long sentence, in a small window, with large type, and with one word") {
    Stage stage("everyday-en-pt", 1280, 720);
    for (const char* text : {"dog", "I like the dog that my brother saw in the park because it was very "
                                    "small and it wanted to play with the children who were there"})
        for (const char* look : {"resize 1280 720", "resize 700 480", "resize 1920 1080\npresenter on"}) {
            REQUIRE(stage.run(std::string("source ") + text + "\n" + look).empty());
            CHECK(watch(stage) > 20);
            REQUIRE(stage.run("presenter off").empty());
        }
}

TEST_CASE("it can be stopped, asked and gone on with, and what is held is told beside it") {
    CanvasStage stage("everyday-en-pt");
    REQUIRE(stage.run("source I like my dog\nfilm scene 5\nfilm play").empty());
    stage.frame(30);
    CHECK(stage.view().film.seconds > stage.session().model().film.scenes()[4].begin);
    CHECK(stage.run("press space").empty());
    CHECK_FALSE(stage.view().playing);
    const std::string path = stage.session().step().path();
    CHECK(stage.run("select encoder.0.self_attn.q 0 0 1").empty());
    stage.frame(3);
    REQUIRE(stage.view().asking.held);
    CHECK(stage.view().film.on);
    CHECK(stage.run("unselect\npress space").empty());
    CHECK(stage.view().playing);
    stage.frame(400);
    CHECK(stage.session().step().path() != path);
    CHECK(stage.run("press escape").empty());
    CHECK_FALSE(stage.view().film.on);
}

// All scenes, each a third into it, as one picture.
TEST_CASE("each scene of the film looks as it should, on dark and on light ground") {
    constexpr int width = 640, height = 480, across = 4;
    for (const char* theme : {"dark", "light"}) {
        CAPTURE(theme);
        CanvasStage stage("translate-en-pt", width, height);
        REQUIRE(
            stage.run(std::string("theme ") + theme + "\nsource The animal was tired\nfilm play\nfilm pause")
                .empty());
        const std::vector<FilmScene>& scenes = stage.session().model().film.scenes();
        const int rows = (int(scenes.size()) + across - 1) / across;
        Image all{width * across / 2, height * rows / 2, {}};
        all.rgba.resize(std::size_t(all.width) * std::size_t(all.height) * 4);
        for (std::size_t i = 0; i < scenes.size(); ++i) {
            FilmShot shot = stage.session().model().film.shot(scenes[i].told);
            if (scenes[i].first == scenes[i].end) shot = {scenes[i].begin, scenes[i].seconds};
            REQUIRE(stage.run("film time " + std::to_string(shot.begin + shot.seconds * 0.4)).empty());
            stage.frame(6);
            const Image one = stage.display().capture();
            const int left = int(i % across) * width / 2, top = int(i / across) * height / 2;
            for (int y = 0; y < height / 2; ++y) // every second point
                for (int x = 0; x < width / 2; ++x)
                    std::copy_n(one.pixel(2 * x, 2 * y), 4,
                                &all.rgba[(std::size_t(top + y) * std::size_t(all.width) + left + x) * 4]);
        }
        const std::filesystem::path file = std::filesystem::path(HEADLIGHT_SOURCE_DIR) / "tests/data/golden"
                                           / (std::string("film-") + theme + ".png");
        if (std::getenv("HEADLIGHT_UPDATE_GOLDEN")) REQUIRE(write_png(file.string(), all));
        const auto golden = read_png(file.string());
        REQUIRE_MESSAGE(golden, "no golden picture; HEADLIGHT_UPDATE_GOLDEN=1 makes it");
        const ImageDifference difference = compare_images(all, *golden, 3);
        if (difference.pixels_beyond > 0)
            (void)write_png((std::filesystem::path(HEADLIGHT_BINARY_DIR) / file.filename()).string(), all);
        CHECK(difference.pixels_beyond == 0);
    }
}

} // namespace headlight
