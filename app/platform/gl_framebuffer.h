// An RGBA8 picture to draw into, off any screen. What is drawn here is the same bit for bit in a window's
// context and without a display.
#pragma once

#include "app/platform/image.h"

namespace headlight {

class GlFramebuffer {
public:
    GlFramebuffer() = default;
    GlFramebuffer(const GlFramebuffer&) = delete;
    GlFramebuffer& operator=(const GlFramebuffer&) = delete;
    ~GlFramebuffer();

    // Makes it the target of drawing, at this size.
    void bind(int width, int height);
    Image read() const;

private:
    unsigned framebuffer_ = 0, colours_ = 0;
    int width_ = 0, height_ = 0;
};

} // namespace headlight
