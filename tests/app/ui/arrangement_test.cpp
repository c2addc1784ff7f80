#include "app/ui/step/step.h"

#include <doctest/doctest.h>

#include <vector>

using namespace headlight;

namespace {

constexpr CellMeasures measures{16, 40, 40, 16};

bool overlap(const ScreenRect& a, const ScreenRect& b) {
    return a.min.x < b.max.x && b.min.x < a.max.x && a.min.y < b.max.y && b.min.y < a.max.y;
}

MatrixExtent extent(long rows, long columns, float importance = 1) {
    return {
        .rows = rows, .columns = columns, .labels = 50, .above = 30, .below = 20, .importance = importance};
}

} // namespace

TEST_CASE("matrices never overlap, never leave their rectangle, and none is without room") {
    const std::vector<std::vector<MatrixExtent>> steps = {
        {extent(7, 64), extent(64, 64, 0.7f), extent(7, 64, 1.6f)},
        {extent(7, 16), extent(7, 16), extent(7, 7, 1.6f)},
        {extent(6, 412), extent(6, 412, 1.6f)},
        {extent(1, 1), extent(1, 1)},
        {extent(64, 64), extent(256, 64, 0.7f), extent(64, 256, 1.6f)},
        {extent(9, 9), extent(9, 9), extent(9, 9), extent(9, 9, 1.6f)},
    };
    for (const ScreenRect rect : {ScreenRect::at(10, 20, 900, 300), ScreenRect::at(0, 0, 1500, 700),
                                  ScreenRect::at(5, 5, 400, 900), ScreenRect::at(0, 0, 300, 180)})
        for (const std::vector<MatrixExtent>& step : steps) {
            const std::vector<ScreenRect> rects = arrange(step, rect, 30, measures);
            REQUIRE(rects.size() == step.size());
            for (std::size_t i = 0; i < rects.size(); ++i) {
                CHECK(rects[i].width() > 1);
                CHECK(rects[i].height() > 1);
                CHECK(rects[i].min.x >= rect.min.x);
                CHECK(rects[i].min.y >= rect.min.y);
                CHECK(rects[i].max.x <= rect.max.x + 0.5f);
                CHECK(rects[i].max.y <= rect.max.y + 0.5f);
                for (std::size_t j = 0; j < i; ++j) CHECK_FALSE(overlap(rects[i], rects[j]));
            }
        }
}

TEST_CASE("wide matrices go under one another, small square ones beside one another") {
    const std::vector<MatrixExtent> wide = {extent(6, 412), extent(6, 412, 1.6f)};
    const std::vector<ScreenRect> under = arrange(wide, ScreenRect::at(0, 0, 700, 320), 30, measures);
    CHECK(under[0].max.y <= under[1].min.y);
    const std::vector<MatrixExtent> square = {extent(9, 9), extent(9, 9, 1.6f)};
    const std::vector<ScreenRect> beside = arrange(square, ScreenRect::at(0, 0, 900, 320), 30, measures);
    CHECK(beside[0].max.x <= beside[1].min.x);
}

TEST_CASE("a bias stands under its matrix, as high as it needs") {
    MatrixExtent bias = extent(1, 64, 0.7f);
    bias.is_slim = true;
    bias.slim_height = 60;
    const std::vector<MatrixExtent> step = {extent(7, 64), extent(64, 64, 0.7f), bias, extent(7, 64, 1.6f)};
    const std::vector<ScreenRect> rects = arrange(step, ScreenRect::at(0, 0, 900, 320), 30, measures);
    CHECK(rects[2].min.x == rects[1].min.x);
    CHECK(rects[2].min.y >= rects[1].max.y);
    CHECK(rects[2].height() == doctest::Approx(60));
}

TEST_CASE("four tiles share a wide rectangle in a row and a square one in two rows") {
    CHECK(best_columns(extent(12, 12), 4, ScreenRect::at(0, 0, 900, 300), 20, measures) == 4);
    CHECK(best_columns(extent(12, 12), 4, ScreenRect::at(0, 0, 700, 700), 20, measures) == 2);
    CHECK(best_columns(extent(12, 12), 1, ScreenRect::at(0, 0, 900, 300), 20, measures) == 1);
}
