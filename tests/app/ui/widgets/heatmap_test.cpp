#include "app/ui/widgets/heatmap.h"

#include "app/ui/base/ui.h"
#include "app/ui/widgets/heatmap.h"
#include "app/ui/widgets/text.h"
#include "tests/app/ui/widgets/gallery.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

using namespace headlight;

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

struct Matrix {
    int rows, columns;
    std::vector<float> values;
    std::uint64_t id;

    HeatmapMatrix view() const { return {values.data(), rows, columns, columns, id, 1}; }
    float& at(int row, int column) { return values[std::size_t(row * columns + column)]; }
};

// Smooth and signed, without a random number: the same picture every time.
Matrix waves(int rows, int columns, std::uint64_t id, float height = 2) {
    Matrix m{rows, columns, std::vector<float>(std::size_t(rows * columns)), id};
    for (int row = 0; row < rows; ++row)
        for (int column = 0; column < columns; ++column)
            m.at(row, column) = height * std::sin(0.9f * float(row) + 0.05f * float(row * column))
                                * std::cos(0.43f * float(column) - 0.31f * float(row));
    return m;
}

Matrix attention_weights(int size, std::uint64_t id) {
    Matrix m = waves(size, size, id, 3);
    for (int row = 0; row < size; ++row) {
        float sum = 0;
        for (int column = 0; column < size; ++column) sum += m.at(row, column) = std::exp(m.at(row, column));
        for (int column = 0; column < size; ++column) m.at(row, column) /= sum;
    }
    return m;
}

const std::vector<std::string> rat = {"o", "rato", "roeu", "a", "roupa", "do", "rei", "de", "Roma"};
const std::vector<std::string> animal = {"The",     "animal", "didn’t", "cross", "the",   "street",
                                         "because", "it",     "was",    "too",   "tired", "."};

} // namespace

TEST_CASE("heatmaps look as they should") {
    Matrix scores = waves(9, 9, 1, 9);
    for (int row = 0; row < 9; ++row)
        for (int column = row + 1; column < 9; ++column) scores.at(row, column) = -infinity;
    const Matrix weights = attention_weights(12, 2);
    const Matrix query = waves(12, 16, 3), large = waves(512, 300, 4);
    Matrix broken = waves(5, 6, 5);
    broken.at(1, 2) = std::nanf("");
    broken.at(3, 4) = infinity;
    const int lit_row[] = {7};
    const MatrixCell lit_cells[] = {{7, 1}, {7, 5}}, edited[] = {{0, 0}, {4, 5}};

    gallery::check_page("heatmap", [&](gallery::Stage& stage) {
        const auto page = [&] {
            HeatmapView view;
            view.name = "scores";
            view.matrix = scores.view();
            view.title = "masked scores";
            view.units = "queries × keys";
            view.row_labels = view.column_labels = rat;
            view.row_axis = "query ↓";
            view.column_axis = "key →";
            view.selected = MatrixCell{4, 2};
            heatmap(view, ScreenRect::at(24, 24, 560, 400));

            HeatmapView soft;
            soft.name = "weights";
            soft.matrix = weights.view();
            soft.title = "attention weights";
            soft.units = "queries × keys";
            soft.row_labels = soft.column_labels = animal;
            soft.row_axis = "query ↓";
            soft.column_axis = "key →";
            soft.palette = Palette::sequential;
            heatmap(soft, ScreenRect::at(640, 24, 300, 400));

            HeatmapView q;
            q.name = "q";
            q.matrix = query.view();
            q.title = "Q";
            q.title_colour = theme().colours.query;
            q.units = "positions × d_k";
            q.row_labels = animal;
            q.lit_rows = lit_row;
            heatmap(q, ScreenRect::at(968, 24, 290, 340));

            HeatmapView wide = soft;
            wide.name = "lit";
            wide.title = "weights, two cells lit";
            wide.lit_cells = lit_cells;
            heatmap(wide, ScreenRect::at(24, 450, 420, 330));

            HeatmapView bad;
            bad.name = "broken";
            bad.matrix = broken.view();
            bad.title = "what has gone wrong";
            bad.edited = edited;
            heatmap(bad, ScreenRect::at(480, 470, 330, 260));

            HeatmapView far;
            far.name = "large";
            far.matrix = large.view();
            far.title = "large";
            far.units = "vocabulary × d_model";
            heatmap(far, ScreenRect::at(860, 450, 180, 320));

            HeatmapView bare = soft;
            bare.name = "bare";
            bare.show_title = bare.show_labels = bare.show_legend = false;
            heatmap(bare, ScreenRect::at(1070, 470, 180, 180));
        };
        stage.display().input().move_mouse(720, 250);
        stage.show(page);
    });
}

TEST_CASE("a heatmap of nothing but numbers, and one without numbers, are drawn all the same") {
    const Matrix bare = waves(4, 4, 20), empty{0, 7, {}, 21};
    gallery::Stage stage({});
    stage.show([&] {
        HeatmapView view;
        view.matrix = bare.view();
        CHECK(heatmap(view, ScreenRect::at(0, 0, 200, 200)).geometry.width() > 100);
        view.matrix = empty.view();
        heatmap(view, ScreenRect::at(0, 0, 200, 200));
        view.matrix = bare.view();
        heatmap(view, ScreenRect::at(0, 0, 3, 2)); // far too small
    });
}

TEST_CASE("what is hovered and clicked is the cell under the pointer, and a drag is no click") {
    const Matrix matrix = waves(9, 9, 22);
    gallery::Stage stage({});
    HeatmapResult last;
    std::optional<MatrixCell> clicked;
    const auto page = [&] {
        HeatmapView view;
        view.name = "scores";
        view.matrix = matrix.view();
        view.row_labels = view.column_labels = rat;
        last = heatmap(view, ScreenRect::at(40, 30, 500, 400));
        if (last.clicked) clicked = last.clicked;
    };
    stage.show(page);
    const auto place = widgets().cell_centre("scores", 4, 7);
    REQUIRE(place);
    InputQueue& input = stage.display().input();
    input.click(place->x, place->y);
    stage.show(page);
    CHECK(last.hovered == MatrixCell{4, 7});
    CHECK(clicked == MatrixCell{4, 7});
    clicked.reset();
    input.press_mouse();
    input.move_mouse(place->x + 100, place->y + 60);
    stage.show(page);
    input.move_mouse(place->x, place->y);
    input.release_mouse();
    stage.show(page);
    CHECK_FALSE(clicked);
}

TEST_CASE("the legend says what is in the data, infinities and all") {
    Matrix matrix = waves(6, 6, 23);
    matrix.at(0, 0) = -7.5f;
    matrix.at(1, 1) = -infinity;
    matrix.at(2, 2) = std::nanf("");
    matrix.at(3, 3) = 3.25f;
    const MatrixFacts facts = find_facts(matrix.view());
    CHECK(facts.low == -7.5f);
    CHECK(facts.high == 3.25f);
    CHECK(facts.largest_magnitude == 7.5f);
    CHECK(facts.minus_infinite == 1);
    CHECK(facts.broken == 1);
    CHECK(facts.finite == 34);
}

TEST_CASE("whatever the space, a heatmap stays within it and its labels do not touch") {
    const Matrix matrix = waves(12, 12, 24);
    gallery::Stage stage({});
    stage.show([&] {
        HeatmapView view;
        view.matrix = matrix.view();
        view.title = "weights";
        view.row_labels = view.column_labels = animal;
        view.row_axis = "query ↓";
        view.column_axis = "key →";
        for (const float width : {260.0f, 340.0f, 500.0f, 900.0f})
            for (const float height : {240.0f, 330.0f, 600.0f}) {
                const HeatmapLayout layout = lay_out_heatmap(view, {width, height});
                CAPTURE(width);
                CAPTURE(height);
                CHECK(layout.width <= width + 1);
                CHECK(layout.height <= height + 1);
                const float line = theme().faces.caption.size;
                CHECK(layout.geometry.cell_height * float(layout.label_every_row) >= line * 0.9f);
                if (layout.column_labels == ColumnLabels::level)
                    for (const std::string& label : animal)
                        CHECK(text_width(theme().faces.caption, label) < layout.geometry.cell_width);
            }
    });
}
