#include "app/platform/gl_framebuffer.h"

#include "app/platform/gl.h"

#include <algorithm>

namespace headlight {

GlFramebuffer::~GlFramebuffer() {
    if (framebuffer_) glDeleteFramebuffers(1, &framebuffer_);
    if (colours_) glDeleteRenderbuffers(1, &colours_);
}

void GlFramebuffer::bind(int width, int height) {
    if (!framebuffer_) {
        glGenFramebuffers(1, &framebuffer_);
        glGenRenderbuffers(1, &colours_);
    }
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
    if (width != width_ || height != height_) {
        glBindRenderbuffer(GL_RENDERBUFFER, colours_);
        glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, width, height);
        glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, colours_);
        width_ = width;
        height_ = height;
        check_gl("the off-screen picture");
    }
    glViewport(0, 0, width, height);
}

Image GlFramebuffer::read() const {
    Image image{width_, height_, std::vector<std::uint8_t>(std::size_t(width_) * height_ * 4)};
    glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer_);
    glPixelStorei(GL_PACK_ALIGNMENT, 4);
    glReadPixels(0, 0, width_, height_, GL_RGBA, GL_UNSIGNED_BYTE, image.rgba.data());
    const std::size_t row = std::size_t(width_) * 4; // GL's first row is the lowest
    for (int y = 0; y < height_ / 2; ++y)
        std::swap_ranges(image.rgba.begin() + std::ptrdiff_t(row * y),
                         image.rgba.begin() + std::ptrdiff_t(row * (y + 1)),
                         image.rgba.end() - std::ptrdiff_t(row * (y + 1)));
    return image;
}

} // namespace headlight
