// The lesson and the filing cabinet: their numbers are pointed at, held and followed as the model's are.
#include "app/session/navigation.h"
#include "app/ui/asking/asked.h"
#include "app/ui/widgets/text.h"
#include "tests/app/ui/stage.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

using namespace headlight;

namespace {

std::vector<DrawnText> texts_of(Stage& stage) {
    std::vector<DrawnText> texts;
    note_drawn_texts(&texts);
    stage.frame(1);
    note_drawn_texts(nullptr);
    return texts;
}

bool says(const std::vector<DrawnText>& texts, const std::string& part) {
    return std::any_of(texts.begin(), texts.end(),
                       [&](const DrawnText& text) { return text.text.find(part) != std::string::npos; });
}

} // namespace

TEST_CASE("a number of the lesson's matrices is held by a click, and leads down to the words") {
    for (const char* look : {"language en", "language pt", "resize 1280 720\npresenter on"}) {
        INFO(std::string(look));
        CanvasStage stage("translate-en-pt", 1280, 800);
        REQUIRE(stage.run(std::string(look) + "\nroom lesson\nclick lesson.y 1 0") == "");
        CHECK(stage.view().asking.held == NamedCell{"plain.output", {0, 1, 0}});
        if (!stage.view().presenter) // there its end is farther down
            CHECK(says(texts_of(stage), stage.session().strings().text("asking.check.exact").substr(0, 8)));
        REQUIRE(stage.names().find("ask.term.0.0.0"));
        // To the weights, to the scores, to the words, and all the way back.
        REQUIRE(stage.run("select plain.weights 0 1 8\nwait 2") == "");
        const AskedArithmetic weight = asked_arithmetic(stage.session(), *stage.view().asking.held);
        CHECK(weight.lines.size() > 1);
        REQUIRE(stage.run("select plain.scores 0 1 8\nwait 2\nclick ask.term.0.0.0\nwait 2") == "");
        CHECK(stage.view().asking.held->path == "plain.tokens");
        REQUIRE(stage.run("wait 2\nback 3\nwait 2") == "");
        CHECK(stage.view().asking.held == NamedCell{"plain.output", {0, 1, 0}});
        REQUIRE(stage.run("click ask.release\nwait 2") == "");
        CHECK_FALSE(stage.view().asking.held);
        CHECK(stage.names().find("lesson.projections"));
        CHECK(stage.session().strings().missing().empty());
    }
}

TEST_CASE("the pointer lights up what a number of the lesson was made from") {
    CanvasStage stage("translate-en-pt", 1280, 800);
    REQUIRE(stage.run("room lesson\nhover lesson.scores 6 8\nwait 2") == "");
    const std::optional<NamedCell> asked = small_page_asking().asked(stage.session());
    REQUIRE(asked == NamedCell{"plain.scores", {0, 6, 8}});
    const auto lit =
        lit_in(cells_of_direction(stage.session(), asked), *stage.session().find("plain.tokens"));
    CHECK(lit == std::vector<MatrixCell>{{6, 0}, {6, 1}, {8, 0}, {8, 1}});
    // Words are dragged while a number is held; it stays held, and its arithmetic follows.
    REQUIRE(stage.run("select plain.scores 0 6 8\nwait 2\ndrag lesson vector 6 0.1 0.1\ndrag end\nwait 2")
            == "");
    CHECK(asked_arithmetic(stage.session(), *stage.view().asking.held).value().starts_with("0.14"));
    REQUIRE(stage.run("room explore\nwait 2") == "");
    CHECK_FALSE(stage.view().asking.held);
}

TEST_CASE("the lesson's matrices have shapes, axes and legends where there is room for them") {
    CanvasStage stage("translate-en-pt", 1600, 1000);
    REQUIRE(stage.run("room lesson\nwait 3") == "");
    const std::vector<DrawnText> texts = texts_of(stage);
    CHECK(says(texts, "[9 × 9]"));
    CHECK(says(texts, "[9 × 2]"));
    CHECK(says(texts, stage.session().strings().text("story.axis.query") + " ↓"));
    CHECK(says(texts, stage.session().strings().text("story.axis.key") + " →"));
    CHECK(std::any_of(texts.begin(), texts.end(), [](const DrawnText& t) { return t.text == "0"; }));
    CHECK(std::any_of(texts.begin(), texts.end(), [](const DrawnText& t) { return t.text == "1"; }));
}

TEST_CASE("every number of the filing cabinet is held by a click, at a projector too, in both languages") {
    for (const char* look : {"language en\nresize 1280 800", "language pt\nresize 1600 1000",
                             "language pt\nresize 1280 720\npresenter on"}) {
        INFO(std::string(look));
        CanvasStage stage("translate-en-pt", 1280, 800);
        REQUIRE(stage.run(std::string(look) + "\nroom cabinet\nwait 3") == "");
        for (const Node& node : stage.session().small_pages().filing_cabinet->graph.nodes()) {
            if (node.name == "goal" || node.name == "loss") continue;
            const Index row = node.value.rows() - 1, column = node.value.columns() - 1;
            const std::string cell = node.path + "." + std::to_string(row) + "." + std::to_string(column);
            INFO(cell);
            REQUIRE(stage.run("click " + cell + "\nwait 2") == "");
            CHECK(stage.view().asking.held == NamedCell{node.path, {0, row, column}});
            CHECK(stage.names().find("ask.value"));
        }
        REQUIRE(stage.run("unselect\nwait 3") == "");
        const std::vector<DrawnText> texts = texts_of(stage);
        for (const double share : {0.5, 0.3, 0.19, 0.01}) CHECK(says(texts, number_text(share)));
        CHECK(stage.session().strings().missing().empty());
    }
}

TEST_CASE("the cabinet is turned, dragged and trained with the pointer") {
    CanvasStage stage("translate-en-pt", 1280, 800);
    REQUIRE(stage.run("room cabinet\nwait 3\nclick cabinet.want.2\nwait 2\nclick cabinet.train\nwait 30")
            == "");
    CHECK(stage.question().small_pages.cabinet.wanted == 2);
    stage.frame(400);
    CHECK(has_found(*stage.session().small_pages().filing_cabinet, 2));
    REQUIRE(stage.run("undo\nwait 2\nclick cabinet.loss.0.0\nwait 2") == "");
    CHECK(stage.view().asking.held == NamedCell{"cabinet.loss", {0, 0, 0}});
    REQUIRE(stage.run("unselect\ncabinet turn 180\nwait 2\nclick cabinet.reset.0\nwait 2") == "");
    CHECK(stage.question().small_pages.cabinet == CabinetNumbers());
}

TEST_CASE("every page is chosen in the same place, whatever page of its place is open, in both languages") {
    for (const char* language : {"language en", "language pt"})
        for (const int width : {1280, 1920}) {
            CAPTURE(width);
            CanvasStage stage("translate-en-pt", width, 720);
            std::array<std::optional<ScreenRect>, std::size(place_names)> first;
            for (const NavigationPage& page : navigation()) {
                CAPTURE(std::string(page.title));
                for (const std::string_view command : {page.then, page.and_then, page.room_command})
                    if (!command.empty()) REQUIRE(stage.run(std::string(command)) == "");
                REQUIRE(stage.run(std::string(language) + "\nwait 3") == "");
                CHECK(&present_page(stage.view()) == &page);
                REQUIRE(stage.names().find("places.0"));
                if (page.place == Place::train) continue; // it has one page
                const auto choice = stage.names().find(stage.names().find("page.1") ? "page.1" : "pages");
                REQUIRE(choice);
                auto& there = first[std::size_t(page.place)];
                if (!there) there = choice;
                CHECK(choice->min.x == there->min.x);
                CHECK(choice->min.y == there->min.y);
            }
        }
}

TEST_CASE("a place is come back to where it was left") {
    CanvasStage stage("translate-en-pt", 1920, 1080);
    REQUIRE(stage.run("click page.1\nwait 2\nclick places.1\nwait 2\nclick page.3\nwait 2") == "");
    CHECK(stage.view().room == Room::heads);
    CHECK(stage.view().heads.page == HeadsPage::masks);
    REQUIRE(stage.run("click places.0\nwait 2") == "");
    CHECK(stage.view().room == Room::heads);
    CHECK(stage.view().heads.page == HeadsPage::grid);
    REQUIRE(stage.run("click places.3\nwait 2") == "");
    CHECK(stage.view().room == Room::library);
    REQUIRE(stage.run("click lecture.row.2\nwait 2") == ""); // attention without parameters
    CHECK(stage.view().room == Room::ground_up);
    REQUIRE(stage.run("click page.0\nwait 2\nclick lesson.row.0\nwait 2") == "");
    CHECK(stage.host().lessons().is_open());
}

TEST_CASE("what mattered is answered when one comes, for each sentence anew, and is ended for as long") {
    CanvasStage stage("translate-en-pt", 1920, 1080);
    REQUIRE(stage.run("source the king sees the queen\nroom heads\nheads sweep\nwait 5") == "");
    REQUIRE(stage.session().sweep());
    REQUIRE(stage.run("sweep off\nwait 5") == "");
    CHECK_FALSE(stage.session().sweep());
    REQUIRE(stage.run("source the queen sees the king\nwait 5") == "");
    CHECK(stage.session().sweep());
}
