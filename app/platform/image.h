// Pictures in memory, as PNG files, and compared with one another.
#pragma once

#include "engine/base/result.h"

#include <cstdint>
#include <string>
#include <vector>

namespace headlight {

struct Image {
    int width = 0, height = 0;
    std::vector<std::uint8_t> rgba; // height × width × 4, the top row first

    const std::uint8_t* pixel(int x, int y) const { return &rgba[(std::size_t(y) * width + x) * 4]; }
};

// The bytes of a PNG file.
std::string png_bytes(const Image& image);

// Whole or not at all: nobody ever reads half a picture (engine/io/file.h).
Result<Done> write_png(const std::string& path, const Image& image);

// Fails with error.picture_not_read {path, reason}.
Result<Image> read_png(const std::string& path);

struct ImageDifference {
    bool same_size = true;
    int largest = 0;        // of 255, over every pixel and channel
    long pixels_beyond = 0; // pixels with a channel further apart than the tolerance
    int first_x = -1, first_y = -1;

    bool same() const { return same_size && pixels_beyond == 0; }
};

ImageDifference compare_images(const Image& a, const Image& b, int tolerance);

} // namespace headlight
