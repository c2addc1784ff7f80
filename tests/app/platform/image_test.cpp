#include "app/platform/image.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <string>

using namespace headlight;

namespace {

Image gradient_image(int width, int height) {
    Image image{width, height, {}};
    for (int i = 0; i < width * height; ++i)
        for (int channel = 0; channel < 4; ++channel)
            image.rgba.push_back(channel == 3 ? 255 : std::uint8_t(i * (channel + 1)));
    return image;
}

} // namespace

TEST_CASE("a picture written and read again is the same picture") {
    const std::string path = (std::filesystem::temp_directory_path() / "headlight_image_test.png").string();
    const Image image = gradient_image(31, 17);
    REQUIRE(write_png(path, image));
    const auto read = read_png(path);
    REQUIRE(read);
    CHECK(read->rgba == image.rgba);
    std::filesystem::remove(path);
}

TEST_CASE("pictures that cannot be written or read say which and why") {
    const auto written = write_png("/nowhere/at/all.png", gradient_image(2, 2));
    REQUIRE_FALSE(written);
    CHECK(written.error().key == "error.folder_missing");
    CHECK(written.error().arguments.at(0) == "/nowhere/at");
    const auto read = read_png("/nowhere/at/all.png");
    REQUIRE_FALSE(read);
    CHECK(read.error().key == "error.picture_not_read");
}

TEST_CASE("a comparison tells how far apart pictures are and where it begins") {
    const Image a = gradient_image(8, 8);
    Image b = a;
    b.rgba[(3 * 8 + 5) * 4 + 1] ^= 2;
    CHECK(compare_images(a, b, 2).same());
    const ImageDifference difference = compare_images(a, b, 1);
    CHECK_FALSE(difference.same());
    CHECK(difference.pixels_beyond == 1);
    CHECK(difference.first_x == 5);
    CHECK(difference.first_y == 3);
    CHECK_FALSE(compare_images(a, gradient_image(8, 9), 255).same());
}
