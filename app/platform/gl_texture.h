// A two-dimensional GL texture that frees itself.
#pragma once

#include <cstddef>
#include <cstdint>

namespace headlight {

class GlTexture {
public:
    GlTexture() = default;
    GlTexture(GlTexture&& other) noexcept;
    GlTexture& operator=(GlTexture&& other) noexcept;
    ~GlTexture();

    // One float a texel, nearest sampling: the numbers arrive in the shader as they are.
    // Rows lie `stride` floats apart.
    void upload_floats(const float* values, int width, int height, std::ptrdiff_t stride);

    // Colours, four bytes a texel, sampled linearly and held at the edges.
    void upload_colours(const std::uint8_t* rgba, int width, int height);

    void bind(int unit) const;
    std::size_t bytes() const { return bytes_; }

private:
    void create();

    unsigned name_ = 0;
    int width_ = 0, height_ = 0; // of the floats in it
    std::size_t bytes_ = 0;
};

} // namespace headlight
