// A display that nobody sees: an OpenGL context without window system (EGL, surfaceless) that draws into a
// picture of any size. Time passes at 60 frames a second whatever the machine does, and input comes from
// scripts alone, so that the same script gives the same picture everywhere. A frame of which no picture is
// taken is laid out and not drawn.
#pragma once

#include "app/platform/display.h"

#include <memory>

namespace headlight {

struct OffscreenOptions {
    int width = 1280, height = 800;
    float scale = 1;    // as if the screen had 96 dots per inch times this
    bool draws = false; // every frame, as a window does; else only the pictures that are taken
};

class Offscreen : public Display {
public:
    // Fails with error.no_offscreen {step, reason}.
    static Result<std::unique_ptr<Offscreen>> open(const OffscreenOptions& options = {});
    ~Offscreen() override;

    bool begin_frame() override;
    void end_frame() override;
    void resize(int width, int height) override;
    float scale() const override { return scale_; }
    void request_frames(int) override {}
    void request_frame_within(double) override {}
    void wake() override {}

private:
    struct Context; // of the system: offscreen_egl.cpp, offscreen_glfw.cpp
    static Result<std::shared_ptr<Context>> open_context();
    Offscreen(std::shared_ptr<Context> context, const OffscreenOptions& options);

    std::shared_ptr<Context> gl_; // whose kind its maker alone knows
    std::unique_ptr<GlFramebuffer> target_;
    float scale_ = 1;
    bool draws_ = false;
};

} // namespace headlight
