#include "app/platform/image.h"

#include "engine/io/file.h"

#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#define STBI_ONLY_PNG
#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#include <stb_image.h>
#include <stb_image_write.h>
#pragma GCC diagnostic pop

#include <algorithm>
#include <cstdlib>

namespace headlight {

std::string png_bytes(const Image& image) {
    std::string bytes;
    const auto append = [](void* out, void* data, int size) {
        static_cast<std::string*>(out)->append(static_cast<const char*>(data), std::size_t(size));
    };
    stbi_write_png_to_func(append, &bytes, image.width, image.height, 4, image.rgba.data(), image.width * 4);
    return bytes;
}

Result<Done> write_png(const std::string& path, const Image& image) {
    return write_file_atomically(path, png_bytes(image));
}

Result<Image> read_png(const std::string& path) {
    Image image;
    int channels = 0;
    std::uint8_t* pixels = stbi_load(path.c_str(), &image.width, &image.height, &channels, 4);
    if (!pixels) return Error{"error.picture_not_read", {path, stbi_failure_reason()}};
    image.rgba.assign(pixels, pixels + std::size_t(image.width) * image.height * 4);
    stbi_image_free(pixels);
    return image;
}

ImageDifference compare_images(const Image& a, const Image& b, int tolerance) {
    ImageDifference difference;
    difference.same_size = a.width == b.width && a.height == b.height;
    if (!difference.same_size) return difference;
    for (int y = 0; y < a.height; ++y)
        for (int x = 0; x < a.width; ++x) {
            int apart = 0;
            for (int channel = 0; channel < 4; ++channel)
                apart = std::max(apart, std::abs(a.pixel(x, y)[channel] - b.pixel(x, y)[channel]));
            difference.largest = std::max(difference.largest, apart);
            if (apart <= tolerance) continue;
            if (difference.pixels_beyond++ == 0) {
                difference.first_x = x;
                difference.first_y = y;
            }
        }
    return difference;
}

} // namespace headlight
