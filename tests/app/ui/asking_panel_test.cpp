#include "app/ui/asking/asked.h"
#include "app/ui/asking/asking_panel.h"
#include "app/ui/widgets/text.h"
#include "tests/app/ui/panel_stage.h"
#include "tests/engine/inspect/arithmetic.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

using namespace headlight;

namespace {

std::optional<NamedCell> hinted;

PanelStage a_panel(int width = 360, int height = 700, const std::string& model = "translate-en-pt") {
    hinted.reset();
    return PanelStage(model, width, height,
                      [](const ScreenRect& rect, Session& session, CommandSink& commands) {
                          hinted = asking_panel(rect, session, commands, std::nullopt);
                      });
}

double number_of_text(const std::string& text) { return test::calculate(text); }

// Half a unit of the last digit that is printed, and a little for the arithmetic of this test.
double half_a_unit(const std::string& text, double size) {
    return 0.5 * std::pow(10.0, -test::decimals_of(text)) * (1 + 1e-9) + 1e-12 * std::abs(size);
}

void check_rounding(double calculated, const std::string& shown) {
    const double number = number_of_text(shown);
    if (std::isfinite(calculated) && std::isfinite(number))
        CHECK(std::abs(calculated - number) <= half_a_unit(shown, number));
    else
        CHECK((calculated == number || (std::isnan(calculated) && std::isnan(number))));
}

// What the panel shows of a line must come out as it says, from the printed digits alone.
void check_line(const AskedLine& shown) {
    const ExplanationLine& line = shown.line;
    if (line.leaf || !line.exact) return;
    INFO(line.text());
    if (shown.rows.empty()) {
        check_rounding(number_of_text(line.terms.front().text), line.result);
        return;
    }
    double sum = 0, largest = -INFINITY;
    for (const TermRow& row : shown.rows) {
        if (row.is_rest && line.is_maximum) continue;
        sum += number_of_text(row.number);
        largest = std::max(largest, number_of_text(row.number));
        if (row.arithmetic.empty()) continue;
        // The product as printed is its own number, to the last digit of the sum.
        const double product = number_of_text(row.arithmetic), number = number_of_text(row.number);
        if (std::isfinite(product))
            CHECK(std::abs(product - number)
                  <= half_a_unit(line.result, 0) + half_a_unit(row.number, number));
    }
    check_rounding(line.is_maximum ? largest : sum, line.result);
}

} // namespace

TEST_CASE("for two thousand random cells the arithmetic that the panel shows adds up to the value it shows") {
    std::mt19937 random(7);
    int rounded = 0;
    for (const char* model : {"copy", "reverse", "translate-en-pt", "translate-pt-en"}) {
        PanelStage stage = a_panel(360, 240, model);
        const auto& nodes = stage.session().model().graph().nodes();
        for (int i = 0; i < 500; ++i) {
            const Node& node = nodes[random() % nodes.size()];
            const Shape& shape = node.shape();
            if (shape.size() == 0) continue;
            const NamedCell cell{node.path,
                                 {Index(random()) % shape.batch, Index(random()) % shape.rows,
                                  Index(random()) % shape.columns}};
            CAPTURE(select_command(cell));
            REQUIRE(stage.session().execute(select_command(cell)));
            REQUIRE(stage.session().execute(i % 2 ? "terms all" : "terms few"));
            REQUIRE(stage.session().execute(i % 3 ? "terms contribution" : "terms computed"));
            const AskedArithmetic shown = asked_arithmetic(stage.session(), cell);
            REQUIRE_FALSE(shown.lines.empty());
            for (const AskedLine& line : shown.lines) {
                check_line(line);
                rounded += !line.line.exact;
            }
            const double value = double(node.value(cell.cell.batch, cell.cell.row, cell.cell.column));
            const double displayed = number_of_text(shown.value());
            if (std::isfinite(value))
                CHECK(std::abs(value - displayed) <= half_a_unit(shown.value(), value));
            else
                CHECK(value == displayed);
        }
        CHECK(stage.session().strings().missing().empty());
    }
    CHECK(rounded < 40); // "≈" is the exception
}

TEST_CASE("whatever kind of value is asked about, no text of the panel is cut and none is missing") {
    for (const auto& [width, height] : {std::pair{360, 500}, std::pair{420, 1400}}) {
        PanelStage stage = a_panel(width, height);
        std::vector<std::string> cut;
        for (const char* language : {"en", "pt"}) {
            stage.run(std::string("language ") + language + "\n");
            std::set<std::string> seen;
            for (const Node& node : stage.session().model().graph().nodes()) {
                if (!seen.insert(role_of(node)).second) continue; // layers repeat
                const Index last = node.value.rows() - 1;
                const std::string cell =
                    select_command({node.path, {0, std::min<Index>(last, 3), node.value.columns() - 1}});
                CAPTURE(cell);
                note_cut_texts(&cut);
                stage.run("direction from\n" + cell + "\n");
                stage.run("direction touches\n");
                note_cut_texts(nullptr);
                for (const std::string& text : cut)
                    CHECK_MESSAGE(false, language, " ", width, " cut: ", text);
                cut.clear();
            }
        }
        CHECK(stage.session().strings().missing().empty());
    }
}

TEST_CASE("pictures to look at") {
    const char* folder = std::getenv("HEADLIGHT_PICTURES");
    if (!folder) return;
    const std::vector<std::pair<std::string, std::string>> views = {
        {"empty", ""},
        {"scores", "select encoder.0.self_attn.scores 1 3 2\n"},
        {"norm", "select encoder.0.norm1 2 5\n"},
        {"weights", "select encoder.1.self_attn.weights 0 2 3\n"},
        {"hidden",
         "select decoder.1.ffn.hidden 2 40\nselect decoder.0.norm3 2 7\nselect decoder.0.norm3 2 7\n"},
        {"output", "select decoder.1.ffn.output 2 7\nterms all\n"},
        {"logits", "select output.logits 2 7\nregion row\ncopy tsv\n"},
        {"prob", "select output.probabilities 2 7\n"},
        {"table", "select encoder.embed.table 3 7\n"},
        {"touches", "direction touches\nselect encoder.embed.output 2 7\n"},
        {"wtouches", "direction touches\nselect encoder.0.self_attn.w_q 2 7\n"},
        {"positions", "select encoder.embed.positions 2 7\n"},
        {"masked", "select decoder.0.self_attn.masked 0 1 3\n"},
        {"mask", "select decoder.self_mask 1 3\n"},
        {"add", "select encoder.0.add1 1 3\n"},
        {"q", "select encoder.0.self_attn.q 2 1 3\n"},
        {"relu", "select encoder.0.ffn.activated 1 3\n"},
        {"heads", "select encoder.0.self_attn.heads 2 1 3\n"},
    };
    for (const auto& [width, height] : {std::pair{360, 500}, std::pair{420, 700}})
        for (const char* setting : {"language en\ntheme dark\n", "language pt\ntheme light\n"}) {
            PanelStage stage = a_panel(width, height);
            stage.run(setting);
            for (const auto& [name, script] : views) {
                stage.run("unselect\ndirection from\nterms few\nregion off\n" + script);
                stage.display().input().move_mouse(0, 0);
                stage.frame();
                const std::string file = std::string(folder) + "/" + name + "-" + std::to_string(width)
                                         + (setting[9] == 'p' ? "-pt" : "-en") + ".png";
                REQUIRE(write_png(file, stage.display().capture()));
            }
            stage.run("presenter on\nunselect\nselect encoder.1.self_attn.scores 0 2 3\n");
            REQUIRE(write_png(std::string(folder) + "/presenter-" + std::to_string(width)
                                  + (setting[9] == 'p' ? "-pt" : "-en") + ".png",
                              stage.display().capture()));
        }
}

TEST_CASE("a number in the arithmetic is followed by a click, the crumbs and the arrow lead back") {
    PanelStage stage = a_panel(420, 900);
    stage.run("select encoder.0.self_attn.scores 1 3 2\nterms computed\n");
    stage.hover("ask.term.0.0.0");
    REQUIRE(hinted);
    CHECK(*hinted == NamedCell{"encoder.0.self_attn.q", {1, 3, 0}});
    stage.click("ask.term.0.0.0");
    CHECK(*stage.view().asking.held == NamedCell{"encoder.0.self_attn.q", {1, 3, 0}});
    stage.click("ask.term.0.0.0"); // of the whole Q, before it was cut into heads
    CHECK(*stage.view().asking.held == NamedCell{"encoder.0.self_attn.query", {0, 3, 8}});
    stage.click("ask.trail.2");
    CHECK(stage.view().asking.held->path == "encoder.0.self_attn.scores");
    stage.click("ask.forward");
    CHECK(stage.view().asking.held->path == "encoder.0.self_attn.q");
    stage.click("ask.back");
    CHECK(stage.view().asking.held->path == "encoder.0.self_attn.scores");
    stage.click("ask.release");
    CHECK_FALSE(stage.view().asking.held);
    CHECK_FALSE(stage.names().find("ask.back"));
}

TEST_CASE("what is not listed of a long sum is unfolded and folded again; terms take either order") {
    PanelStage stage = a_panel(420, 600);
    stage.run("select decoder.1.ffn.output 2 7\n");
    stage.click("ask.terms all");
    CHECK(stage.view().asking.every_term);
    CHECK_FALSE(stage.names().find("ask.terms few")); // at the end of 128 terms, out of sight
    stage.hover("ask.term.0.0.0");
    stage.turn_wheel(-500);
    CHECK(stage.names().find("ask.terms few"));
    stage.click("ask.terms few");
    CHECK_FALSE(stage.view().asking.every_term);
    stage.turn_wheel(500);
    stage.click("ask.order.1");
    CHECK_FALSE(stage.view().asking.by_contribution);
}

TEST_CASE("the other direction lists what reads the number, and a click goes there") {
    PanelStage stage = a_panel(420, 900);
    stage.run("select encoder.embed.output 2 7\n");
    stage.click("ask.direction.1");
    CHECK(stage.view().asking.direction == AskingDirection::touches);
    stage.hover("ask.touched.0.1");
    CHECK(*hinted == NamedCell{"encoder.0.self_attn.query", {0, 2, 1}});
    stage.click("ask.touched.0");
    CHECK(stage.session().step().path() == "encoder.0.self_attn.query");
    stage.click("ask.touched.0.1");
    CHECK(*stage.view().asking.held == NamedCell{"encoder.0.self_attn.query", {0, 2, 1}});
}

TEST_CASE("a part of the matrix is chosen by buttons, and copied") {
    PanelStage stage = a_panel(420, 1200);
    stage.run("source I am fine\nselect encoder.0.self_attn.weights 0 2 1\n");
    stage.click("ask.part.0");
    CHECK(*stage.view().asking.part == MatrixPart{"encoder.0.self_attn.weights", 0, 2, 0, 2, 3});
    stage.run("copy tsv\n");
    CHECK(stage.view().asking.copied.starts_with("\ti\tam\tfine\t</s>\nfine\t"));
    stage.click("ask.figure.1"); // the largest of the row
    CHECK(stage.view().asking.held->cell.row == 2);
}
