#include "app/ui/widgets/controls.h"

#include "app/ui/base/ui.h"
#include "app/ui/widgets/columns.h"
#include "app/ui/widgets/plot.h"
#include "app/ui/widgets/text.h"
#include "app/ui/widgets/token_strip.h"
#include "tests/app/ui/widgets/gallery.h"

#include <doctest/doctest.h>

#include <cmath>

using namespace headlight;

namespace {

const std::vector<TokenChip> sentence = {
    {"<s>", 1, false, true}, {"o", 12},  {"rato", 57},           {"roeu", 58}, {"a", 7},
    {"roupa", 91},           {"do", 31}, {"imperador", 3, true}, {"de", 15},   {"Roma", 102},
    {"</s>", 2, false, true}};

} // namespace

TEST_CASE("controls, tokens, bars and plots look as they should") {
    std::vector<float> train, held_out, steps, spiky;
    for (int i = 0; i < 4000; ++i) {
        const float t = float(i) / 4000;
        train.push_back(3.2f * std::exp(-6 * t) + 0.05f
                        + 0.12f * std::exp(-3 * t) * std::sin(float(i) * 1.7f));
        spiky.push_back(i == 2500 ? 0.9f : 0.5f + 0.1f * std::sin(float(i) * 0.01f));
    }
    for (int i = 0; i <= 20; ++i) {
        steps.push_back(float(i) * 200);
        held_out.push_back(3.2f * std::exp(-5 * float(i) / 20) + 0.16f);
    }
    const std::vector<Bar> bars = {{"nada", 0.731f, 1.0f},
                                   {"obrigado", 0.142f, 0.0f},
                                   {"De", 0.084f, 0.0f},
                                   {"</s>", 0.0412f, 0.0f},
                                   {"uma palavra muito comprida mesmo", 0.0004f, 0.0f}};
    const std::vector<float> weights = {0.02f, 0.05f, 0.42f, 0.08f, 0.01f, 0.18f,
                                        0.02f, 0.12f, 0.03f, 0.06f, 0.01f};
    gallery::check_page("controls", [&](gallery::Stage& stage) {
        bool scaling = true, mask = false;
        int view = 1, heads = 0;
        float temperature = 0.7f, rate = 3e-4f;
        std::string text = "o rato roeu a roupa do rei de Roma", empty;
        const std::vector<std::string> views = {"Word by word", "Matrices", "Network"},
                                       head_names = {"1", "2", "3", "4", "all"};
        const auto page = [&] {
            ImDrawList& list = *ImGui::GetWindowDrawList();
            const auto at = [](float x, float y) { ImGui::SetCursorScreenPos({x, y}); };
            draw_text(list, theme().faces.title, {32, 24}, theme().colours.ink, "Attention, word by word");
            draw_wrapped(
                list, theme().faces.body, {32, 64}, 540, theme().colours.ink_soft,
                "Each word asks a question (its query) and every word answers how well it fits (its key). "
                "The better the answer, the more of its value is taken along.");
            at(32, 150);
            button("step.back", "←", {.tooltip = "One step back"});
            ImGui::SameLine();
            button("step.next", "Next step →", {.tooltip = "One step on", .kind = ButtonKind::primary});
            ImGui::SameLine();
            button("play", "▶ Play");
            ImGui::SameLine();
            button("mode", "Chosen", {.chosen = true});
            ImGui::SameLine();
            button("off", "Disabled", {.enabled = false});
            ImGui::SameLine();
            button("quiet", "Quiet", {.kind = ButtonKind::quiet});
            at(32, 200);
            segmented("view", views, view);
            ImGui::SameLine(0, 20);
            segmented("heads", head_names, heads);
            at(32, 250);
            toggle("scaling", "Divide by √d_k", scaling);
            ImGui::SameLine(0, 28);
            toggle("mask", "Look-ahead mask", mask);
            at(32, 300);
            slider("temperature", "temperature", temperature, 0, 2);
            ImGui::SameLine(0, 28);
            slider("rate", "learning rate", rate, 1e-5f, 1e-1f, {.logarithmic = true});
            at(32, 356);
            text_field("source", "Sentence", text, {.width = 420});
            at(476, 356);
            text_field("target", "Target", empty, {.hint = "type a translation", .width = 180});

            at(32, 440);
            ImGui::BeginChild("tokens", {620, 150});
            token_strip({.name = "tokens", .tokens = sentence, .selected = 2});
            ImGui::EndChild();
            at(32, 580);
            ImGui::BeginChild("weights", {620, 60});
            token_strip({.name = "weighted", .tokens = sentence, .weights = weights, .show_ids = false});
            ImGui::EndChild();
            at(32, 650);
            ImGui::BeginChild("scroll", {300, 90});
            token_strip({.name = "scrolling", .tokens = sentence, .wrap = false});
            ImGui::EndChild();

            at(720, 40);
            ImGui::BeginChild("bars", {500, 150});
            bar_list({.name = "bars", .bars = bars, .chosen = 0});
            ImGui::EndChild();
            const std::vector<PlotSeries> curves = {{"training", train}, {"held out", held_out, steps}};
            plot({.name = "loss",
                  .title = "Loss",
                  .x_axis = "step",
                  .y_axis = "cross-entropy, nats",
                  .series = curves,
                  .marker_x = 1200},
                 ScreenRect::at(720, 220, 520, 240));
            const std::vector<PlotSeries> logarithmic = {{"training", train}, {"accuracy", spiky}};
            plot({.name = "log",
                  .title = "Loss",
                  .x_axis = "step",
                  .y_axis = "logarithmic",
                  .series = logarithmic,
                  .log_y = true},
                 ScreenRect::at(720, 490, 520, 240));
        };
        stage.display().input().move_mouse(950, 340);
        stage.show(page);
    });
}

TEST_CASE("a theme and a size chosen while the program runs look as if it had started with them") {
    const auto page = [] {
        button("step.next", "Next step →", {.kind = ButtonKind::primary});
        token_strip({.name = "tokens", .tokens = sentence});
    };
    const ThemeOptions presenter{.dark = true, .presenter = 1.5f};
    Image changed;
    {
        gallery::Stage stage({});
        stage.show(page);
        ui().set_theme(presenter);
        stage.show(page);
        CHECK(theme().faces.body.size == 27);
        changed = stage.picture();
    }
    gallery::Stage fresh(presenter);
    fresh.show(page);
    CHECK(compare_images(changed, fresh.picture(), 0).same());
}

TEST_CASE("a tooltip appears where the pointer rests, and not before") {
    gallery::check_page("tooltip", [](gallery::Stage& stage) {
        const auto page = [] {
            button(
                "step.next", "Next step →",
                {.tooltip =
                     "Goes to the next operation of the forward pass: scores, then scaling, then the mask, "
                     "then softmax. The right arrow key does the same.",
                 .kind = ButtonKind::primary});
            std::string text = "o rato roeu a roupa";
            text_field("source", "Sentence", text, {.width = 420});
        };
        stage.display().resize(640, 240);
        stage.show(page);
        stage.display().input().move_mouse(60, 34);
        stage.show(page, 5);
        const Image before = stage.picture();
        stage.show(page, 40);
        CHECK(compare_images(before, stage.picture(), 3).pixels_beyond > 5000);
    });
}

TEST_CASE("a button is pressed by name, by pointer and by keyboard") {
    gallery::Stage stage({});
    int presses = 0;
    const auto page = [&] {
        if (button("step.next", "Next")) ++presses;
        if (button("off", "Off", {.enabled = false})) presses += 100;
    };
    stage.show(page);
    const auto place = widgets().find("step.next");
    REQUIRE(place);
    CHECK_FALSE(widgets().find("off")); // what cannot be pressed cannot be found
    stage.display().input().click(place->centre().x, place->centre().y);
    stage.show(page);
    CHECK(presses == 1);
    stage.display().input().click(place->max.x + 5, place->max.y + 60);
    stage.show(page);
    CHECK(presses == 1);
}

TEST_CASE("typed text arrives whole, accents and all, and Enter ends it") {
    gallery::Stage stage({});
    std::string text;
    int entered = 0;
    const auto page = [&] {
        if (text_field("source", "Sentence", text) == FieldEvent::entered) ++entered;
    };
    stage.show(page);
    const auto place = widgets().find("source");
    REQUIRE(place);
    InputQueue& input = stage.display().input();
    input.click(place->min.x + 40, place->centre().y);
    stage.show(page);
    input.type_text("a manga não é de coração");
    for (int i = 0; i < 4; ++i) input.press_key({Key::backspace});
    input.press_key({Key::enter});
    stage.show(page);
    CHECK(text == "a manga não é de cor");
    CHECK(entered == 1);
}

TEST_CASE("a slider follows the pointer, and stops at its ends") {
    gallery::Stage stage({});
    float value = 1;
    bool changed = false;
    const auto page = [&] { changed = slider("layers", "layers", value, 1, 6, {.step = 1}) || changed; };
    stage.show(page);
    const auto place = widgets().find("layers");
    REQUIRE(place);
    InputQueue& input = stage.display().input();
    input.move_mouse(place->centre().x, place->max.y - 8);
    input.press_mouse();
    stage.show(page);
    CHECK((value == 3 || value == 4));
    input.move_mouse(place->max.x + 500, place->max.y);
    stage.show(page);
    input.release_mouse();
    stage.show(page);
    CHECK(value == 6);
    CHECK(changed);
}

TEST_CASE("a toggle and a choice change when they are clicked, and only then") {
    gallery::Stage stage({});
    bool on = false;
    int chosen = 0, changes = 0;
    const std::vector<std::string> labels = {"one", "two", "three"};
    const auto page = [&] {
        changes += toggle("mask", "Mask", on);
        changes += segmented("view", labels, chosen);
    };
    stage.show(page);
    CHECK(changes == 0);
    for (const char* name : {"mask", "view.2", "view.2"}) {
        const auto place = widgets().find(name);
        REQUIRE(place);
        stage.display().input().click(place->centre().x, place->centre().y);
        stage.show(page);
    }
    CHECK(on);
    CHECK(chosen == 2);
    CHECK(changes == 2); // choosing what is chosen changes nothing
}

TEST_CASE("the token under the pointer is the one that answers") {
    gallery::Stage stage({});
    TokenStripResult result;
    std::optional<int> clicked;
    const auto page = [&] {
        result = token_strip({.name = "tokens", .tokens = sentence});
        if (result.clicked) clicked = result.clicked;
    };
    stage.show(page);
    const auto place = widgets().find("tokens.7");
    REQUIRE(place);
    stage.display().input().click(place->centre().x, place->centre().y);
    stage.show(page);
    CHECK(clicked == 7);
    CHECK(result.hovered == 7);
}

TEST_CASE("a peak of one point among a hundred thousand survives the drawing") {
    std::vector<float> y(100'000, 0.0f);
    y[54'321] = 7;
    y[54'322] = -3;
    const auto columns = decimated({}, y, 0, 99'999, 300);
    CHECK(columns.size() <= 300);
    float high = 0, low = 0;
    for (const PlotColumn& column : columns) {
        high = std::max(high, column.high);
        low = std::min(low, column.low);
    }
    CHECK(high == 7);
    CHECK(low == -3);
}

TEST_CASE("a gap in the numbers is a gap in the curve") {
    const std::vector<float> y = {1, 2, NAN, 4, 5};
    const auto columns = decimated({}, y, 0, 4, 100);
    REQUIRE(columns.size() == 4);
    CHECK_FALSE(columns[1].after_gap);
    CHECK(columns[2].after_gap);
    CHECK_FALSE(columns[3].after_gap);
}

TEST_CASE("axes are marked at round numbers within their ends") {
    CHECK(round_ticks(0, 1, 6) == std::vector<float>{0, 0.2f, 0.4f, 0.6f, 0.8f, 1});
    CHECK(round_ticks(0, 4000, 5) == std::vector<float>{0, 1000, 2000, 3000, 4000});
    CHECK(round_ticks(-3, 3, 3) == std::vector<float>{-2, 0, 2});
    CHECK(round_ticks(1, 1, 5).empty());
    CHECK(tick_text(500, 0) == "500"); // a single one
    CHECK(tick_text(0.5f, 0) == "0.50");
    for (const float high : {0.013f, 1.7f, 42.0f, 98765.0f}) {
        const auto ticks = round_ticks(0, high, 5);
        CHECK(ticks.size() >= 2);
        CHECK(ticks.size() <= 5);
        CHECK(ticks.back() <= high * 1.0001f);
    }
}
