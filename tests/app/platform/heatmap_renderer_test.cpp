#include "app/platform/heatmap_renderer.h"

#include "app/platform/heatmap_geometry.h"
#include "app/platform/offscreen.h"

#include <doctest/doctest.h>
#include <imgui.h>

#include <cmath>
#include <limits>
#include <vector>

using namespace headlight;

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

// A palette whose red says which of its 256 colours it is.
std::vector<std::uint32_t> ramp() {
    std::vector<std::uint32_t> colours(256);
    for (std::uint32_t i = 0; i < 256; ++i) colours[i] = 0xFF000000u | i;
    return colours;
}

constexpr HeatmapInks inks{0xFFFFFFFFu, 0xFF00FF00u, 0, 0xFFFF0000u};

struct Scene {
    std::unique_ptr<Offscreen> display = *Offscreen::open({200, 120});
    Scene() { display->heatmaps().set_palettes(ramp(), inks); }

    template <class Draw>
    Image show(Draw draw) {
        display->begin_frame();
        draw(*ImGui::GetBackgroundDrawList(), display->heatmaps());
        display->end_frame();
        return display->capture();
    }
};

int red(const Image& image, int x, int y) { return image.pixel(x, y)[0]; }

} // namespace

TEST_CASE("each cell has the palette's colour of its own number, to the last pixel") {
    const std::vector<float> values = {0, 51, 102, 153, 204, 255};
    Scene scene;
    const Image image = scene.show([&](ImDrawList& list, HeatmapRenderer& renderer) {
        renderer.add(list, {values.data(), 2, 3, 3, 1, 1}, {10, 20, 7, 5, 2, 3}, {0, 0, 255, 0});
    });
    for (int y = 0; y < 10; ++y)
        for (int x = 0; x < 21; ++x)
            CHECK(red(image, 10 + x, 20 + y) == int(values[std::size_t(y / 5 * 3 + x / 7)]));
    CHECK(red(image, 9, 20) == 255); // outside: the background
    CHECK(red(image, 31, 29) == 255);
}

TEST_CASE("rows that lie apart in memory are read apart") {
    const std::vector<float> values = {10, 20, -1, -1, 30, 40, -1, -1};
    Scene scene;
    const Image image = scene.show([&](ImDrawList& list, HeatmapRenderer& renderer) {
        renderer.add(list, {values.data(), 2, 2, 4, 1, 1}, {0, 0, 4, 4, 2, 2}, {0, 0, 255, 0});
    });
    CHECK(red(image, 5, 1) == 20);
    CHECK(red(image, 1, 5) == 30);
}

TEST_CASE("a heatmap is cut to the clip rectangle around it") {
    const std::vector<float> values(100, 0.0f);
    Scene scene;
    const Image image = scene.show([&](ImDrawList& list, HeatmapRenderer& renderer) {
        list.PushClipRect({20, 20}, {40, 40});
        renderer.add(list, {values.data(), 10, 10, 10, 1, 1}, {0, 0, 10, 10, 10, 10}, {0, 0, 1, 0});
        list.PopClipRect();
        list.AddRectFilled({100, 0}, {110, 10}, 0xFF000080u); // what follows is drawn as ever
    });
    CHECK(red(image, 19, 30) == 255);
    CHECK(red(image, 20, 30) == 0);
    CHECK(red(image, 39, 39) == 0);
    CHECK(red(image, 40, 39) == 255);
    CHECK(red(image, 105, 5) == 128);
}

TEST_CASE("numbers are uploaded once a version, and two versions in one frame do not mix") {
    const std::vector<float> before(16, 50.0f), after(16, 200.0f);
    Scene scene;
    const auto draw = [&](ImDrawList& list, HeatmapRenderer& renderer) {
        renderer.add(list, {before.data(), 4, 4, 4, 7, 1}, {0, 0, 5, 5, 4, 4}, {0, 0, 255, 0});
        renderer.add(list, {after.data(), 4, 4, 4, 7, 2}, {50, 0, 5, 5, 4, 4}, {0, 0, 255, 0});
    };
    const Image image = scene.show(draw);
    CHECK(red(image, 2, 2) == 50);
    CHECK(red(image, 52, 2) == 200);
    CHECK(scene.display->heatmaps().uploads() == 2);
    scene.show(draw);
    CHECK(scene.display->heatmaps().uploads() == 0);
}

TEST_CASE("one strong cell among many that share a pixel is not lost") {
    std::vector<float> values(1000 * 600, 1.0f);
    for (const int where : {0, 123 * 600 + 457, 777 * 600 + 31, 999 * 600 + 599}) {
        std::vector<float> strong = values;
        strong[std::size_t(where)] = -255;
        Scene scene;
        const float cell_width = 0.1f, cell_height = 0.083f;
        const Image image = scene.show([&](ImDrawList& list, HeatmapRenderer& renderer) {
            renderer.add(list, {strong.data(), 1000, 600, 600, 1, 1},
                         {0, 0, cell_width, cell_height, 1000, 600}, {0, -255, 255, 0});
        });
        const int x = std::min(int(float(where % 600) * cell_width), 59);
        const int y = std::min(int(float(where / 600) * cell_height), 82);
        CHECK(red(image, x, y) == 0);
    }
}

TEST_CASE("a matrix larger than a texture shows the numbers of the part in sight") {
    const int rows = 20000, columns = 3;
    std::vector<float> values(std::size_t(rows) * columns);
    for (int row = 0; row < rows; ++row)
        for (int column = 0; column < columns; ++column)
            values[std::size_t(row * columns + column)] = float(row % 251);
    Scene scene;
    const int first = 15003;
    const Image image = scene.show([&](ImDrawList& list, HeatmapRenderer& renderer) {
        renderer.add(list, {values.data(), rows, columns, columns, 1, 1},
                     {0, -5.0f * first, 5, 5, rows, columns}, {0, 0, 255, 0});
    });
    for (const int row : {0, 1, 11, 23}) CHECK(red(image, 7, row * 5 + 2) == (first + row) % 251);
}

TEST_CASE("minus infinity is hatched, and what is no number takes the alarm colour") {
    const std::vector<float> values = {-infinity, std::nanf(""), infinity};
    Scene scene;
    const Image image = scene.show([&](ImDrawList& list, HeatmapRenderer& renderer) {
        renderer.add(list, {values.data(), 1, 3, 3, 1, 1}, {0, 0, 30, 30, 1, 3}, {0, -1, 1, 0});
    });
    int white = 0, hatched = 0, alarmed = 0, alarmed_infinity = 0;
    for (int y = 0; y < 30; ++y)
        for (int x = 0; x < 30; ++x) {
            const std::uint8_t *masked = image.pixel(x, y), *nan = image.pixel(30 + x, y);
            white += masked[0] == 255 && masked[1] == 255 && masked[2] == 255;
            hatched += masked[0] < 100 && masked[1] == 255;
            alarmed += nan[2] == 255 && nan[0] == 0;
            const std::uint8_t* plus = image.pixel(60 + x, y);
            alarmed_infinity += plus[2] == 255 && plus[0] == 0 && plus[1] == 0;
        }
    CHECK(white > 200);
    CHECK(hatched > 100);
    CHECK(alarmed > 500);
    CHECK(alarmed < 900); // crossed out
    CHECK(alarmed_infinity == 900);
}

TEST_CASE("pooling keeps the largest magnitude, and what is out of order above all") {
    const std::vector<float> values = {1, -3,        2,        -infinity, 0, -infinity, std::nanf(""),
                                       5, -infinity, -infinity};
    const auto pooled = pool_strongest(values.data(), 1, 10, {10}, 0, 1);
    REQUIRE(pooled.size() == 5);
    CHECK(pooled[0] == -3);
    CHECK(pooled[1] == 2);
    CHECK(pooled[2] == 0);
    CHECK(std::isnan(pooled[3]));
    CHECK(pooled[4] == -infinity);
    const auto odd = pool_strongest(values.data(), 3, 3, {3}, 1, 1);
    REQUIRE(odd.size() == 4);
    CHECK(odd[1] == 2);
}

TEST_CASE("what is pooled some rows at a time, or pooled again, is what is pooled at once") {
    constexpr int rows = 37, columns = 53;
    std::vector<float> values;
    for (int i = 0; i < rows * columns; ++i)
        values.push_back(i % 97 == 5 ? NAN : i % 89 == 7 ? -INFINITY : float((i * 7919) % 1009 - 500));
    const auto same = [](const std::vector<float>& a, const std::vector<float>& b) {
        return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [](float x, float y) {
                   return x == y || (std::isnan(x) && std::isnan(y));
               });
    };
    for (const long cells : {1L, 60L, 500L, 100000L})
        for (const int row_level : {0, 1, 2}) {
            GradualPooling pooling(rows, columns, row_level, 1);
            int turns = 1;
            while (!pooling.advance(values.data(), {columns}, cells)) ++turns;
            CHECK(turns
                  == (cells < columns ? rows
                      : cells >= rows * columns
                          ? 1
                          : (rows + int(cells) / columns - 1) / (int(cells) / columns)));
            CHECK(same(pooling.pooled(),
                       pool_strongest(values.data(), rows, columns, {columns}, row_level, 1)));
            CHECK(same(pool_strongest(pooling.pooled().data(), pooling.pooled_rows(),
                                      pooling.pooled_columns(), {pooling.pooled_columns()}, 1, 2),
                       pool_strongest(values.data(), rows, columns, {columns}, row_level + 1, 3)));
        }
}

TEST_CASE("the cell under a point is the cell whose pixels are there") {
    HeatmapGeometry geometry{10, 20, 2.5f, 3, 4, 6};
    for (int column = 0; column < 6; ++column) {
        int row = -1, found = -1;
        REQUIRE(geometry.cell_at(geometry.column_edge(column) + 0.5f, 21, row, found));
        CHECK(found == column);
        REQUIRE(geometry.cell_at(geometry.column_edge(column + 1) - 0.5f, 31, row, found));
        CHECK(found == column);
        CHECK(row == 3);
    }
    int row = 0, column = 0;
    CHECK_FALSE(geometry.cell_at(9, 21, row, column));
    CHECK_FALSE(geometry.cell_at(10 + geometry.width(), 21, row, column));
}
