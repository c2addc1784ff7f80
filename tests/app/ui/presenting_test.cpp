// In front of a class: one thing alone, a spotlight, the whole screen, and numbers that are there in large
// type.
#include "app/session/help_pages.h"
#include "app/session/step_text.h"
#include "app/ui/widgets/heatmap.h"
#include "app/ui/widgets/text.h"
#include "tests/app/ui/stage.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

using namespace headlight;

namespace {

constexpr const char* ten_words = "source The cat didn't cross the street because it was tired";

// Luminance in the middle of a small square.
double brightness(const Image& image, int x, int y) {
    double sum = 0;
    for (int dy = 0; dy < 8; ++dy)
        for (int dx = 0; dx < 8; ++dx) {
            const std::uint8_t* p = image.pixel(x + dx, y + dy);
            sum += p[0] + p[1] + p[2];
        }
    return sum;
}

} // namespace

TEST_CASE("what the room is about fills the window, is stepped through, and Escape leads back") {
    CanvasStage stage("translate-en-pt", 1280, 720);
    REQUIRE(stage.run(std::string(ten_words) + "\ngoto decoder.0.self_attn.weights\npress f5\n") == "");
    CHECK(stage.view().alone);
    REQUIRE(stage.names().find("alone"));
    for (const char* gone : {"source", "track", "places", "models", "asking", "canvas.in", "canvas.find"})
        CHECK_FALSE(stage.names().find(gone));
    const auto canvas = stage.names().find("canvas");
    REQUIRE(canvas);
    CHECK(canvas->width() > 1280 * 0.95f);
    CHECK(canvas->height() > 720 * 0.9f);
    const Index step = stage.view().step;
    REQUIRE(stage.run("press right") == "");
    CHECK(stage.view().step == step + 1);
    REQUIRE(stage.run("press page_up") == ""); // a remote control's
    CHECK(stage.view().step == step);
    REQUIRE(stage.run("press page_down\npress escape\n") == "");
    CHECK(stage.view().step == step + 1);
    CHECK_FALSE(stage.view().alone);
    CHECK(stage.names().find("track"));
    REQUIRE(stage.run("press f5\nclick alone.off\n") == "");
    CHECK_FALSE(stage.view().alone);
    REQUIRE(stage.run("press page_down\npress page_up\npress page_down\n") == "");
    CHECK(stage.view().step == step + 11);
}

TEST_CASE("every room and page stands alone in the window, in both languages; no text covers another") {
    CanvasStage stage("translate-en-pt", 1280, 720);
    REQUIRE(stage.run(ten_words) == "");
    for (const char* look : {"presenter off", "presenter on", "language pt"})
        for (const char* place : {"room explore\nstep first\nfit",
                                  "goto encoder.0.self_attn.query",
                                  "goto output.probabilities",
                                  "closeup step\ngoto decoder.0.cross_attn.weights",
                                  "closeup workings",
                                  "closeup word",
                                  "closeup positions",
                                  "closeup off\nroom heads\nheads grid",
                                  "heads open decoder.0.cross_attn 0",
                                  "heads close\nheads pair",
                                  "heads masks",
                                  "heads batch",
                                  "heads sweep",
                                  "heads grid\nroom whatif",
                                  "room lesson",
                                  "room cabinet",
                                  "room train\ndesk settings",
                                  "desk curves",
                                  "desk examples",
                                  "desk words",
                                  "desk backward",
                                  "desk moments"}) {
            REQUIRE(stage.run(std::string("alone on\n") + look + "\n" + place) == "");
            INFO(look << " " << place);
            CHECK(stage.names().find("alone"));
            std::vector<DrawnText> texts;
            note_drawn_texts(&texts);
            stage.frame(1);
            note_drawn_texts(nullptr);
            for (std::size_t i = 0; i < texts.size(); ++i) {
                const ScreenRect& a = texts[i].place;
                if (a.min.x < -1 || a.max.x > 1281 || a.max.y > 721)
                    FAIL_CHECK("out of the window: " << texts[i].text);
                for (std::size_t j = 0; j < i; ++j) {
                    const ScreenRect both = a.cut_to(texts[j].place);
                    const ScreenRect& b = texts[j].place;
                    if (!both.empty()
                        && both.width() * both.height()
                               > 0.15f * std::min(a.width() * a.height(), b.width() * b.height()))
                        FAIL_CHECK("“" << texts[i].text << "” over “" << texts[j].text << "”");
                }
            }
        }
    CHECK(stage.session().strings().missing().empty());
}

TEST_CASE("no key sends two commands, whatever is open and whether it stands alone") {
    for (const CloseUp open :
         {CloseUp::none, CloseUp::step, CloseUp::positions, CloseUp::workings, CloseUp::word})
        for (const bool alone : {false, true})
            for (const bool taught : {false, true})
                for (const KeyBinding& one : key_bindings()) {
                    CAPTURE(one.chord);
                    const auto same = [&](const KeyBinding& other) {
                        return other.chord == one.chord && is_at_work(other, open, alone, taught);
                    };
                    const auto count = std::count_if(key_bindings().begin(), key_bindings().end(), same);
                    // Some do something beside a lesson only.
                    CHECK(count >= (one.in_lesson ? taught : 1));
                    CHECK(count <= 1);
                }
}

TEST_CASE("while anything differs from the trained model, what stands alone says so, too") {
    CanvasStage stage;
    REQUIRE(stage.run("room whatif\nchange remove scaling all\nalone on\n") == "");
    CHECK(stage.names().find("unlike"));
}

TEST_CASE("the spotlight leaves what is around the pointer as it is, and darkens the rest") {
    CanvasStage stage("translate-en-pt", 1280, 720);
    REQUIRE(stage.run("theme light\ngoto encoder.0.self_attn.weights\nhover canvas\n") == "");
    const auto canvas = stage.names().find("canvas");
    REQUIRE(canvas);
    const int x = int(canvas->centre().x), y = int(canvas->centre().y);
    stage.frame(60); // a tooltip is there by now, if any comes
    const Image before = stage.display().capture();
    REQUIRE(stage.run("spotlight on") == "");
    CHECK(stage.view().spotlight);
    const Image lit = stage.display().capture();
    CHECK(brightness(lit, x + 20, y - 20) == doctest::Approx(brightness(before, x + 20, y - 20)));
    for (const auto& [far_x, far_y] : {std::pair{4, 4}, {1260, 4}, {4, 700}, {1260, 700}})
        CHECK(brightness(lit, far_x, far_y) < 0.7 * brightness(before, far_x, far_y));
    stage.display().input().move_mouse(-1e6f, -1e6f); // the pointer has left: all is to be seen
    stage.frame(3);
    CHECK_FALSE(stage.names().find("spotlight"));
    REQUIRE(stage.run("hover canvas\nclick source\ntype l\n") == "");
    CHECK(stage.view().spotlight); // a letter that is typed is a letter
    REQUIRE(stage.run("press escape\nspotlight off\n") == "");
    CHECK_FALSE(stage.view().spotlight);
}

TEST_CASE("without a screen full screen is understood and does nothing; the list offers all of it, and stays "
          "open") {
    Stage stage("translate-en-pt", 1280, 720);
    CHECK(stage.run("fullscreen on\nfullscreen toggle\npress f11\nfullscreen off\n") == "");
    CHECK_FALSE(stage.display().fills_screen());
    CHECK(stage.display().width() == 1280);
    CHECK(stage.run("fullscreen perhaps") != "");
    for (const char* language : {"en", "pt"}) {
        REQUIRE(stage.run(std::string("language ") + language + "\nclick more\nclick presenter\n") == "");
        CHECK(stage.view().presenter);
        REQUIRE(stage.run("click spotlight\n") == "");
        CHECK(stage.view().spotlight);
        REQUIRE(stage.run("click fullscreen\n") == "");
        REQUIRE(stage.run("click alone\n") == "");
        CHECK(stage.view().alone);
        REQUIRE(stage.run("press escape\npresenter off\nspotlight off\n") == "");
    }
    CHECK(stage.session().strings().missing().empty());
}

TEST_CASE("at a projector one head of ten words has a number in every cell, its words and its legend") {
    CanvasStage stage("translate-en-pt", 1280, 720);
    REQUIRE(stage.run(std::string(ten_words) + "\npresenter on\n") == "");
    for (const char* language : {"en", "pt"})
        for (const char* path : {"encoder.0.self_attn.weights", "decoder.0.self_attn.weights",
                                 "decoder.0.cross_attn.scores", "decoder.1.cross_attn.weights"}) {
            INFO(language << " " << path);
            REQUIRE(stage.run(std::string("language ") + language + "\ngoto " + path) == "");
            const Index head = stage.canvas().head_on_stage();
            REQUIRE(head >= 0);
            CHECK(stage.names().find("canvas.heads.1")); // the others are a click away
            const Card* card = stage.canvas().layout().find(stage.session().step().node);
            REQUIRE(card);
            const float row = float(card->cell_height * stage.canvas().camera().zoom);
            const float column = float(card->cell_width * stage.canvas().camera().zoom);
            CHECK(row > faces().mono_cell.size + 1);
            CHECK(column > text_width(faces().mono_cell, ".00") + px(1));
            // All of its cells are in sight.
            const PlaneRect in_sight = seen(stage.canvas().camera(), stage.canvas().view());
            CHECK(in_sight.contains(card->matrices[std::size_t(head)]));
        }
}

TEST_CASE(
    "the numbers of a matrix are written alike, and in small cells give up decimals, never their zero") {
    CanvasStage stage("translate-en-pt", 1280, 720); // at a desk
    const auto with = [](int decimals) { return NumberWriting{nullptr, decimals}; };
    CHECK(written(0.0712, with(2)) == "0.07");
    CHECK(written(0, with(2)) == "0");
    CHECK(written(-0.001, with(2)) == "0.00");
    CHECK(written(-26.71, with(0)) == "−27");
    CHECK(written(12345.6, with(0)) == "12,346");
    CHECK(written(-INFINITY, with(2)) == "−∞");
    CHECK_FALSE(number_writing(20, 30, 2, {0, 1}));
    REQUIRE(number_writing(60, 30, 2, {0, 1}));
    REQUIRE(stage.run("presenter on") == "");
    CHECK(number_writing(100, 40, 2, {0, 1})->face == &faces().mono_small);
    const float figure = text_width(faces().mono_cell, "0");
    const auto narrow = number_writing(4 * figure + px(2), 20, 2, {-1, 1}); // for "−0.4"
    REQUIRE(narrow);
    CHECK(narrow->face == &faces().mono_cell);
    CHECK(narrow->decimals == 1);
    CHECK_FALSE(number_writing(3 * figure + px(2), 20, 2, {-1, 1}));
    CHECK_FALSE(number_writing(33, 20, 2, {-2000, 1})); // "−2000" would cover its neighbours
    // What is to add up is never written as whole numbers.
    REQUIRE(number_writing(4 * figure + px(2), 20, 1, {-30, 30}));
    CHECK(number_writing(4 * figure + px(2), 20, 1, {-30, 30})->decimals == 0);
    CHECK_FALSE(number_writing(4 * figure + px(2), 20, 1, {-30, 30}, 1));
    CHECK(number_writing(5 * figure + px(2), 20, 2, {-30, 30}, 1)->decimals == 1);
    CHECK_FALSE(number_writing(33, 12, 2, {0, 1}));
}

TEST_CASE("at a projector every room has its numbers and what is said, in either language") {
    CanvasStage stage("translate-en-pt", 1280, 720);
    REQUIRE(stage.run(std::string(ten_words) + "\npresenter on\n") == "");
    const auto texts_of = [&](const std::string& lines) {
        REQUIRE(stage.run(lines) == "");
        std::vector<DrawnText> texts;
        note_drawn_texts(&texts);
        stage.frame(1);
        note_drawn_texts(nullptr);
        return texts;
    };
    const auto numbers_in = [](const std::vector<DrawnText>& texts, const ScreenRect& where) {
        return std::count_if(texts.begin(), texts.end(), [&](const DrawnText& text) {
            return where.contains(text.place.centre()) && text.text.find_first_of(".,") != std::string::npos
                   && text.text.find_first_not_of("−.,0123456789") == std::string::npos;
        });
    };
    for (const char* language : {"en", "pt"}) {
        const std::string begin = std::string("language ") + language + "\n";
        // The lesson: nine words, all scores and all shares.
        for (const char* projections : {"off", "on"}) {
            const auto texts = texts_of(begin + "room lesson\nlesson projections " + projections);
            for (const char* matrix : {"lesson.scores", "lesson.weights"}) {
                INFO(language << " " << matrix << " " << projections);
                const auto place = stage.names().find(matrix);
                REQUIRE(place);
                CHECK(numbers_in(texts, *place) > 40); // whole ones have no point
            }
        }
        const auto head = texts_of(begin
                                   + "lesson projections off\nroom heads\n"
                                     "heads open decoder.0.cross_attn 0");
        const auto map = stage.names().find("map.cells");
        REQUIRE(map);
        CHECK(numbers_in(head, *map) > 100);
        // The step in words: the text that explains it, beside its matrix.
        for (const char* path : {"encoder.0.self_attn.weights", "decoder.0.cross_attn.scores",
                                 "encoder.0.self_attn.query", "output.probabilities"}) {
            INFO(language << " " << path);
            const auto texts = texts_of(begin + "heads close\nheads grid\nroom explore\ngoto " + path);
            const std::string said = step_text(stage.session(), stage.session().step());
            CHECK(std::any_of(texts.begin(), texts.end(), [&](const DrawnText& text) {
                return text.text.size() > 8 && said.starts_with(text.text);
            }));
        }
    }
}
