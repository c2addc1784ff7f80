#include "app/ui/window/window_text.h"

#include "app/look/mathml.h"
#include "engine/inspect/numbers.h"
#include "tests/app/ui/stage.h"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <functional>
#include <string>

using namespace headlight;
using nlohmann::json;

namespace {

json text_of(Stage& stage) { return json::parse(window_text(stage.session(), stage.host().lessons())); }

// Every tag is closed, in its order.
bool is_well_formed(const std::string& markup) {
    std::vector<std::string> open;
    for (std::size_t at = 0; (at = markup.find('<', at)) != markup.npos;) {
        const std::size_t end = markup.find('>', at);
        if (end == markup.npos) return false;
        const bool closes = markup[at + 1] == '/';
        const std::string tag =
            markup.substr(at + 1 + closes, markup.find_first_of(" >", at + 1 + closes) - at - 1 - closes);
        if (!closes)
            open.push_back(tag);
        else if (open.empty() || open.back() != tag)
            return false;
        else
            open.pop_back();
        at = end;
    }
    return open.empty();
}

} // namespace

TEST_CASE("what the window shows can be read as text: sentence, step, film, and the number that is held") {
    Stage stage("translate-pt-en");
    REQUIRE(stage
                .run("lesson door off\nsource O gato não dormiu\ngoto encoder.0.self_attn.weights\n"
                     "select encoder.0.self_attn.weights 1 1 2")
                .empty());
    json text = text_of(stage);
    CHECK(text["language"] == "en");
    CHECK(text["sentence"]["typed"] == "O gato não dormiu");
    CHECK(text["sentence"]["answer"] == stage.session().sentence().output);
    CHECK(text["sentence"]["words"].size() == stage.session().sentence().source_ids.size());
    CHECK(text["step"]["path"] == "encoder.0.self_attn.weights");
    const double value = double(stage.session().find("encoder.0.self_attn.weights")->value(1, 1, 2));
    CHECK(text["held"]["value"] == number_text(value, 3));
    CHECK(text["held"]["lines"].size() > 1);
    CHECK(text["held"]["lines"].dump().find("exp(") != std::string::npos);
    // Every way on that the arithmetic offers is a command, and leads to another number.
    for (const json& line : text["held"]["lines"])
        for (const json& term : line["terms"])
            if (term.contains("go")) CHECK(stage.run(term["go"].get<std::string>()).empty());
    CHECK(text["film"]["on"] == false);
    REQUIRE(stage.run("film time 20").empty());
    text = text_of(stage);
    CHECK(text["film"]["on"] == true);
    CHECK_FALSE(text["film"]["text"].get<std::string>().empty());
    for (const json& page : text["pages"])
        for (const json& line : page["do"])
            CHECK_MESSAGE(stage.run(line.get<std::string>()).empty(), line.dump());
}

TEST_CASE("every card of every lesson is text: its words, its links, its questions") {
    Stage stage("translate-pt-en");
    for (const LessonEntry& entry : stage.host().lessons().lessons()) {
        REQUIRE(stage.run("lesson open " + entry.name).empty());
        for (std::size_t card = 0; card < entry.cards; ++card) {
            REQUIRE(stage.run("lesson card " + std::to_string(card + 1)).empty());
            const json lesson = text_of(stage)["lesson"];
            CAPTURE(entry.name);
            CHECK(lesson["card"] == card + 1);
            std::size_t questions = 0;
            const std::function<void(const json&)> look = [&](const json& blocks) {
                for (const json& block : blocks) {
                    if (block["kind"] == "question") {
                        ++questions;
                        look(block["blocks"]);
                        continue;
                    }
                    for (const json& span : block.value("spans", json::array())) {
                        if (span.contains("math")) CHECK(is_well_formed(span["math"]));
                        CHECK((span.contains("math") || span.contains("text")));
                    }
                }
            };
            look(lesson["blocks"]);
            CHECK(questions == stage.host().lessons().card().predictions.size());
        }
    }
}

TEST_CASE("what a lesson covers is not told in the text either, until it is answered") {
    Stage stage("translate-pt-en");
    REQUIRE(stage.run("lesson open 3\nlesson card 2").empty());
    json lesson = text_of(stage)["lesson"];
    const LessonPrediction& asked = stage.host().lessons().card().predictions.front();
    REQUIRE(asked.kind == LessonPrediction::Kind::number);
    const std::string path = asked.cell.path;
    const Index row = asked.cell.cell.row, column = asked.cell.cell.column;
    json matrix = json::parse(matrix_text(stage.session(), path, 0));
    CHECK(matrix["cells"][std::size_t(row)][std::size_t(column)] == "");
    REQUIRE(stage.run("select " + path + " 0 " + std::to_string(row) + " " + std::to_string(column)).empty());
    CHECK(text_of(stage)["held"].contains("covered"));
    CHECK_FALSE(text_of(stage)["held"].contains("value"));
    // Nor the arithmetic of what is made from it.
    REQUIRE(
        stage.run("select plain.weights 0 " + std::to_string(row) + " " + std::to_string(column)).empty());
    CHECK(text_of(stage)["held"].contains("covered"));
    REQUIRE(stage.run("lesson answer 0.5").empty());
    matrix = json::parse(matrix_text(stage.session(), path, 0));
    CHECK(matrix["cells"][std::size_t(row)][std::size_t(column)]
          == number_text(double(stage.session().find(path)->value(0, row, column)), 3));
    for (const json& block : text_of(stage)["lesson"]["blocks"])
        if (block["kind"] == "question") CHECK_FALSE(block["verdict"].get<std::string>().empty());
    CHECK(matrix_text(stage.session(), "no.such", 0) == "{}");
}

TEST_CASE("a page sets lessons, or all but the picture, beside the canvas: that is drawn there no more") {
    Stage stage("translate-pt-en", 900, 700);
    REQUIRE(stage.run("lesson open 3").empty());
    REQUIRE(stage.names().find("lesson.next"));
    stage.session().set_outside(Outside::lesson);
    stage.frame(2);
    CHECK_FALSE(stage.names().find("lesson.next"));
    REQUIRE(stage.run("lesson close\nroom explore").empty());
    CHECK(stage.names().find("source"));
    stage.session().set_outside(Outside::all);
    stage.frame(2);
    CHECK_FALSE(stage.names().find("source"));
    CHECK_FALSE(stage.names().find("step.forward"));
    REQUIRE(stage.names().find("page"));
    CHECK(stage.names().find("page")->width() > 870); // nothing stands beside it
    stage.session().point_outside("encoder.0.self_attn.weights 0 1 1");
    stage.frame(1);
    stage.session().point_outside("nothing");
    CHECK_FALSE(stage.view().pointed_outside);
}

TEST_CASE("formulas become MathML that closes what it opens") {
    CHECK(mathml("d_k") == "<math><msub><mi>d</mi><mrow><mi>k</mi></mrow></msub></math>");
    CHECK(mathml("\\frac{1}{\\sqrt{2}}")
          == "<math><mfrac><mrow><mn>1</mn></mrow><mrow><msqrt><mrow><mn>2</mn></mrow></msqrt></mrow></"
             "mfrac></math>");
    CHECK(mathml("\\sum_i x^2").find("<munder><mo largeop=\"true\">∑</mo>") != std::string::npos);
    CHECK(mathml("a<b").find("&lt;") != std::string::npos);
    CHECK(mathml("\\text{<script>}").find("<script>") == std::string::npos);
    CHECK(mathml("\\color{query}{Q}").find("class=\"ink-query\"") != std::string::npos);
    for (const char* tex : {"", "{", "}", "\\", "\\frac", "\\left(", "x^a^b", "_", "^{", "\\sqrt[3",
                            "{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{x}", "\\color{\"><b>}{x}",
                            "\\unknown{x}", "a'b\\!c"})
        CHECK_MESSAGE(is_well_formed(mathml(tex)), tex);
    Stage stage("everyday-en-pt");
    for (const StoryStep& step : stage.session().model().story) {
        CHECK(is_well_formed(mathml(step.formula)));
        CHECK(is_well_formed(mathml(step.sized, true)));
    }
}
