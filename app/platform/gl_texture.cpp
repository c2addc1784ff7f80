#include "app/platform/gl_texture.h"

#include "app/platform/gl.h"

#include <utility>

namespace headlight {

GlTexture::GlTexture(GlTexture&& other) noexcept
    : name_(std::exchange(other.name_, 0)),
      width_(other.width_),
      height_(other.height_),
      bytes_(std::exchange(other.bytes_, 0)) {}

GlTexture& GlTexture::operator=(GlTexture&& other) noexcept {
    std::swap(name_, other.name_);
    std::swap(width_, other.width_);
    std::swap(height_, other.height_);
    std::swap(bytes_, other.bytes_);
    return *this;
}

GlTexture::~GlTexture() {
    if (name_) glDeleteTextures(1, &name_);
}

void GlTexture::create() {
    if (!name_) glGenTextures(1, &name_);
    glBindTexture(GL_TEXTURE_2D, name_);
}

void GlTexture::upload_floats(const float* values, int width, int height, std::ptrdiff_t stride) {
    create();
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, GLint(stride));
    if (width == width_ && height == height_)
        glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, width, height, GL_RED, GL_FLOAT, values);
    else
        glTexImage2D(GL_TEXTURE_2D, 0, GL_R32F, width, height, 0, GL_RED, GL_FLOAT, values);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
    width_ = width;
    height_ = height;
    bytes_ = std::size_t(width) * std::size_t(height) * sizeof(float);
}

void GlTexture::upload_colours(const std::uint8_t* rgba, int width, int height) {
    create();
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, rgba);
    bytes_ = std::size_t(width) * std::size_t(height) * 4;
}

void GlTexture::bind(int unit) const {
    glActiveTexture(GLenum(GL_TEXTURE0 + unit));
    glBindTexture(GL_TEXTURE_2D, name_);
}

} // namespace headlight
