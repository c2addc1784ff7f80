#include "app/platform/offscreen.h"

#include "app/platform/gl.h"

namespace headlight {

Result<std::unique_ptr<Offscreen>> Offscreen::open(const OffscreenOptions& options) {
    auto context = open_context();
    if (!context) return context.error();
    std::unique_ptr<Offscreen> display(new Offscreen(*std::move(context), options));
    if (const auto started = display->start_interface(); !started) return started.error();
    return display;
}

Offscreen::Offscreen(std::shared_ptr<Context> context, const OffscreenOptions& options)
    : gl_(std::move(context)),
      target_(std::make_unique<GlFramebuffer>()),
      scale_(options.scale),
      draws_(options.draws) {
    resize(options.width, options.height);
}

Offscreen::~Offscreen() {
    stop_interface(); // while the context still lives
    target_.reset();
}

void Offscreen::resize(int width, int height) {
    width_ = width;
    height_ = height;
}

bool Offscreen::begin_frame() {
    start_frame(width_, height_, 1, 1.0f / 60.0f);
    return true;
}

void Offscreen::end_frame() {
    finish_frame();
    if (!draws_) return;
    target_->bind(width_, height_);
    draw_frame();
    glFinish(); // as a window waits when it shows the picture: else frames pile up, and their memory
}

} // namespace headlight
