// What a lesson asks for can be read nowhere in the window before it was predicted.
#include "tests/app/ui/stage.h"

#include "app/session/training/training_view.h"
#include "app/ui/values/value_view.h"
#include "app/ui/widgets/text.h"
#include "engine/inspect/numbers.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <set>

using namespace headlight;

namespace {

std::vector<DrawnText> drawn_in(Stage& stage) {
    std::vector<DrawnText> drawn;
    note_drawn_texts(&drawn);
    stage.frame();
    note_drawn_texts(nullptr);
    return drawn;
}

bool contains(const ScreenRect& rect, ImVec2 point) {
    return point.x >= rect.min.x && point.x <= rect.max.x && point.y >= rect.min.y && point.y <= rect.max.y;
}

// The number as a window writes it, with two or three decimals.
std::set<std::string> as_written(double number) {
    std::set<std::string> all;
    for (const int decimals : {2, 3}) {
        std::string text(trim(format_fixed(number, decimals)));
        all.insert(text);
        if (const std::size_t point = text.find('.'); point != text.npos)
            all.insert(text.replace(point, 1, ","));
    }
    return all;
}

// A cell of a matrix that has a name, near whose middle the text stands.
struct Place {
    std::string matrix;
    int row = 0, column = 0;
};
std::optional<Place> place_in_matrix(Stage& stage, const ScreenRect& text, Index rows, Index columns) {
    const ImVec2 middle = text.centre();
    for (const std::string& name : stage.names().names())
        for (int row = 0; row < rows; ++row)
            for (int column = 0; column < columns; ++column)
                if (const auto there = stage.names().cell_centre(name, row, column);
                    there && std::abs(there->x - middle.x) < 12 && std::abs(there->y - middle.y) < 6)
                    return Place{name, row, column};
    return {};
}

struct Asked {
    std::string path;
    Cell cell;
};

std::vector<Asked> asked_in(const LessonPrediction& p) {
    if (p.kind == LessonPrediction::Kind::number) return {{p.cell.path, p.cell.cell}};
    std::vector<Asked> all;
    for (const LessonChoice& choice : p.choices) {
        if (!choice.right_if) continue;
        const Expectation& e = *choice.right_if;
        if (e.kind == Expectation::Kind::expect || e.kind == Expectation::Kind::larger)
            all.push_back({e.path, e.cell});
        if (e.kind == Expectation::Kind::larger) all.push_back({e.other_path, e.other_cell});
    }
    return all;
}

// Where the answer stands in the window outside the lesson, or "".
std::string where_it_is_said(Stage& stage, const Asked& asked) {
    const Session& session = stage.session();
    const Node* node = session.find(asked.path);
    if (!node) return {};
    const double number = double(node->value(asked.cell.batch, asked.cell.row, asked.cell.column));
    // 0 and 1 are written on every axis.
    if (!std::isfinite(number) || std::abs(number) < 0.005 || std::abs(std::abs(number) - 1) < 0.005)
        return {};
    const std::set<std::string> forms = as_written(number);
    const ScreenRect lesson = *stage.names().find("lesson");
    for (const DrawnText& text : drawn_in(stage)) {
        if (contains(lesson, text.place.centre()) || !forms.contains(std::string(trim(text.text)))) continue;
        // Another cell may hold the same number by chance, or be what it is calculated from.
        const auto place = place_in_matrix(stage, text.place, 16, 16);
        const bool is_asked = place
                              && ((place->row == asked.cell.row && place->column == asked.cell.column)
                                  || (place->row == asked.cell.column && place->column == asked.cell.row));
        if (!place || is_asked) return text.text + (place ? " in " + place->matrix : std::string());
    }
    return {};
}

} // namespace

TEST_CASE("no number that a card asks for is drawn before it was predicted, in whatever room") {
    Stage stage("translate-en-pt", 1600, 1000);
    REQUIRE(stage.run("animation off") == "");
    int asked_for = 0;
    for (const char* language : {"en", "pt"}) {
        REQUIRE(stage.run(std::string("language ") + language) == "");
        const std::vector<LessonEntry> lessons = stage.host().lessons().lessons();
        for (const LessonEntry& entry : lessons) {
            REQUIRE(stage.run("lesson open " + entry.name) == "");
            for (std::size_t card = 0; card < stage.host().lessons().lesson().cards.size(); ++card) {
                std::vector<Asked> all;
                for (const LessonPrediction& p : stage.host().lessons().lesson().cards[card].predictions)
                    for (const Asked& one : asked_in(p)) all.push_back(one);
                if (all.empty()) continue;
                REQUIRE(stage.run("lesson card " + std::to_string(card + 1) + "\nlesson again\nwait 2")
                        == "");
                const std::string own_room(name_of(stage.view().room));
                for (const std::string& room : {own_room, std::string("heads"), std::string("say")}) {
                    REQUIRE(stage.run("room " + room + "\nwait 1") == "");
                    for (const Asked& asked : all) {
                        INFO(language, " ", entry.name, " card ", card + 1, " in ", room, ": ", asked.path);
                        CHECK(where_it_is_said(stage, asked) == "");
                        ++asked_for;
                    }
                }
            }
        }
    }
    CHECK(asked_for > 100);
}

TEST_CASE("what gives an asked number away is covered: mirrored, below the softmax, in lists") {
    Stage stage("translate-pt-en", 1600, 1000);
    REQUIRE(stage.run("animation off\nlesson open 03\nlesson card 2") == "");
    const auto hides = [&](const char* path, Cell cell) {
        return stage.view().teaching.cover.hides(path, cell);
    };
    CHECK(hides("plain.scores", {0, 1, 6}));
    CHECK(hides("plain.scores", {0, 6, 1}));
    CHECK(hides("plain.weights", {0, 1, 6}));
    CHECK(hides("plain.weights", {0, 1, 0}));
    CHECK_FALSE(hides("plain.tokens", {0, 1, 0})); // to calculate with
    REQUIRE(stage.run("lesson answer 0.55") == "");
    CHECK(stage.view().teaching.cover.cells.empty());
    REQUIRE(stage.run("lesson open 04\nlesson card 2") == "");
    CHECK(hides("cabinet.weights", {0, 0, 2}));
    CHECK_FALSE(hides("cabinet.weights", {0, 0, 0})); // the card points to it
    REQUIRE(stage.run("lesson open 14\nlesson card 3") == "");
    CHECK(hides("output.probabilities", {0, 2, 372}));
    CHECK_FALSE(hides("output.logits", {0, 2, 2}));
    // Another sentence is covered as its own numbers want it.
    REQUIRE(stage.run("source Thank you\nwait 1") == "");
    CHECK(hides("output.probabilities", {0, 2, 2}));
}

TEST_CASE("what the model says is not told by the probabilities of words either, as matrix or as list") {
    Stage stage("gloss", 1600, 1000);
    REQUIRE(stage.run("animation off\nlesson open 09\nlesson card 1\nlesson again\nwait 1") == "");
    REQUIRE(stage.view().teaching.cover.words);
    const Node& probabilities = *stage.session().model().map().output.probabilities;
    CHECK(tells_words(stage.session(), probabilities));
    CHECK(covered_cells(stage.session(), probabilities.path, 0) == std::vector<MatrixCell>{{-1, -1}});
    REQUIRE(stage.run("lesson reveal") == "");
    CHECK_FALSE(tells_words(stage.session(), *stage.session().model().map().output.probabilities));
}

TEST_CASE("arithmetic that is written with an asked number waits, too") {
    Stage stage("translate-pt-en", 1600, 1000);
    REQUIRE(stage.run("animation off\nlesson open 03\nlesson card 4\nselect plain.output 0 1 0\nwait 1")
            == "");
    CHECK(is_kept_back(stage.session(), *stage.view().asking.held));
    REQUIRE(stage.run("lesson answer 0.16") == "");
    CHECK_FALSE(is_kept_back(stage.session(), *stage.view().asking.held));
    CHECK(stage.run("lesson card 2\nregion plain.scores 0 0 0 1 8\ncopy tsv") != "");
}

TEST_CASE("a choice that a training decides is marked once it has come so far") {
    Stage stage("copy", 1280, 720);
    REQUIRE(stage.run("animation off\nlesson open 17\nlesson card 1\nlesson again") == "");
    const LessonPlayer& lessons = stage.host().lessons();
    CHECK(stage.run("lesson forward")
          != ""); // the remote control: it is said, and the next time the card turns
    CHECK_FALSE(lessons.answer(0, 0));
    CHECK(stage.run("lesson forward") == "");
    CHECK(lessons.card_number() == 1);
    CHECK(stage.view().teaching.cover.picture); // the curve tells where it begins
}

TEST_CASE("a card brings back the run that the lesson trained, and its track is shown, also alone") {
    Stage stage("copy", 1280, 720);
    REQUIRE(stage.run(
                "animation off\nlesson open 17\nlesson card 1\ntrain set batch 8\ntrain start 3\ntrain wait")
            == "");
    REQUIRE(stage.run("lesson card 4\nwait 3") == "");
    CHECK(stage.session().training().shown);
    CHECK(stage.names().find("timeline"));
    REQUIRE(stage.run("alone on\nwait 1") == "");
    CHECK(stage.names().find("timeline"));
}
