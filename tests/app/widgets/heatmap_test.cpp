#include "app/ui/widgets/heatmap.h"

#include "app/ui/ui.h"
#include "app/ui/widgets/matrix_facts.h"
#include "tests/app/widgets/gallery.h"

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
