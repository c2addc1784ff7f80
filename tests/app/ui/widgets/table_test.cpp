#include "app/ui/widgets/table.h"

#include "app/ui/base/ui.h"
#include "app/ui/widgets/columns.h"
#include "tests/app/ui/widgets/gallery.h"

#include <doctest/doctest.h>

using namespace headlight;

namespace {

Table three_columns() {
    return {
        .name = "table",
        .columns = {{.heading = {"word"}, .align = Align::left, .least = 60, .share = 1},
                    {.heading = {.text = "loss", .name = "by.loss"}},
                    {.heading = {"milliseconds"}, .spare = 1}},
        .rows = {
            {.cells = {{"rato"}, {.text = "0.25", .name = "loss.rato"}, {.text = "17", .name = "ms.rato"}},
             .name = "row.0"},
            {.cells = {{"rei"}, {"1.75"}, {"9"}}, .name = "row.1"}}};
}

void press(gallery::Stage& stage, const char* name, const std::function<void()>& page) {
    const std::optional<ScreenRect> place = widgets().find(name);
    REQUIRE(place);
    stage.display().input().click(place->centre().x, place->centre().y);
    stage.show(page);
}

} // namespace

TEST_CASE("a table lets go of the column that is needed least, and keeps its numbers whole") {
    gallery::Stage stage({.dark = false}, 640, 240);
    PanelColumn column;
    float width = 400;
    std::vector<std::string> cut;
    const auto page = [&] {
        column = {10, 10 + width, 10};
        draw_table(three_columns(), column);
    };
    stage.show(page);
    CHECK(widgets().find("ms.rato"));
    CHECK(column.y == 10 + 3 * table_line());
    width = 140;
    note_cut_texts(&cut);
    stage.show(page);
    note_cut_texts(nullptr);
    CHECK_FALSE(widgets().find("ms.rato"));
    CHECK(widgets().find("loss.rato"));
    CHECK(cut.empty());
}

TEST_CASE("rows move together for a height, and what has no room even so is left out") {
    gallery::Stage stage({.dark = false}, 640, 240);
    PanelColumn column;
    float height = 0;
    const auto page = [&] {
        column = {10, 410, 10};
        Table table = three_columns();
        table.height = height;
        draw_table(table, column);
    };
    for (const float lines : {2.7f, 2.f}) {
        height = lines * table_line();
        stage.show(page);
        CHECK(column.y <= 10 + height + 1);
        CHECK(widgets().find("row.1").has_value() == (lines > 2.5f));
    }
}

TEST_CASE("a row and a heading that have names are pressed") {
    gallery::Stage stage({.dark = false}, 640, 240);
    std::optional<std::size_t> row, heading;
    const auto page = [&] {
        PanelColumn column{10, 410, 10};
        const TableResult result = draw_table(three_columns(), column);
        if (result.pressed) row = result.pressed;
        if (result.heading) heading = result.heading;
    };
    stage.show(page);
    press(stage, "row.1", page);
    CHECK(row == 1);
    press(stage, "by.loss", page);
    CHECK(heading == 1);
}

TEST_CASE("controls stand side by side, a field takes what they leave, and what has no room goes below") {
    gallery::Stage stage({.dark = false}, 640, 240);
    PanelColumn column;
    float width = 400;
    std::string typed;
    const auto page = [&] {
        column = {10, 10 + width, 10};
        ControlRow row(column);
        row.field("field", typed, {.pixels = width > 200 ? 0.f : 120.f}, button_width("Choose"));
        row.button("choose", "Choose");
    };
    stage.show(page);
    ScreenRect field = *widgets().find("field"), choose = *widgets().find("choose");
    CHECK(field.max.x < choose.min.x);
    CHECK(choose.max.x == doctest::Approx(410));
    CHECK(column.y == 10 + control_height() + px(8));
    width = 140;
    stage.show(page);
    CHECK(widgets().find("choose")->min.y > widgets().find("field")->max.y);
    CHECK(column.y > 10 + 2 * control_height());
}
