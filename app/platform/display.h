// Where a frame goes: a window on the screen (window.h) or a picture without any display (offscreen.h).
// The same interface code runs in both, and so do its tests.
#pragma once

#include "app/platform/gl_framebuffer.h"
#include "app/platform/heatmap_renderer.h"
#include "app/platform/input.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

struct ImGuiContext;

namespace headlight {

// Who draws, in OpenGL's own words.
struct Graphics {
    std::string vendor, renderer, version;
};

// The libraries behind a window: "Dear ImGui 1.89.2", "GLFW 3.3.8 X11 …".
std::vector<std::string> window_libraries();

class Display {
public:
    Display(const Display&) = delete;
    Display& operator=(const Display&) = delete;
    virtual ~Display();

    // Takes the input that waits, and starts a frame. False when there shall be no further frame.
    virtual bool begin_frame() = 0;

    // Draws what the frame laid out, and shows it.
    virtual void end_frame() = 0;

    // In the interface's units, which are pixels except on screens that scale windows themselves.
    virtual void resize(int width, int height) = 0;
    // All of the screen, or back to where the window was. A display without a screen stays as it is.
    virtual void fill_screen(bool) {}
    virtual bool fills_screen() const { return false; }
    int width() const { return width_; }
    int height() const { return height_; }

    // How much larger than at 96 dots per inch things should be drawn, in the interface's units.
    virtual float scale() const = 0;

    // A window sleeps while nothing happens: asks for so many more frames (for something that moves).
    virtual void request_frames(int count) = 0;

    // One frame after so many seconds, if none comes before: for something that is looked at now and then.
    virtual void request_frame_within(double seconds) = 0;

    // From any thread: something has changed, draw again.
    virtual void wake() = 0;

    // Events that wait for the next frames; scripts push theirs here.
    InputQueue& input() { return input_; }

    // What the last frame looked like; between end_frame and the next begin_frame.
    Image capture();

    // Frames of any size that are laid out and shown to nobody, for pictures of them (capture). Time stands
    // still, input waits and the pointer is elsewhere, until the window's own frames go on.
    void begin_frame_apart(int width, int height);
    void end_frame_apart() { finish_frame(); }
    void go_on_after_frames_apart();

    // No graphics card: what is drawn is drawn by the processor.
    bool draws_by_processor() const { return draws_by_processor_; }
    const Graphics& graphics() const { return graphics_; }

    // The graphics card was taken away: until they are restored there is no frame. Once it is there again,
    // with nothing of what lay on it, that is made anew: through Ui::restore_graphics, which has the colours.
    void lose_graphics();
    Result<Done> restore_graphics();

    HeatmapRenderer& heatmaps() { return *heatmaps_; }
    void set_background(float red, float green, float blue);

    // Called at the start of a frame with the files that were dropped on the window.
    std::function<void(std::vector<std::string>)> on_files_dropped;
    // Called a few times a second while nobody sees the window, so that no frame begins.
    std::function<void()> on_rest;

protected:
    Display() = default;

    // Dear ImGui with its GL back end, for the GL context that is current; and the end of it.
    Result<Done> start_interface();
    void stop_interface();

    void start_frame(int width, int height, float pixels_per_unit, float seconds);
    void finish_frame(); // lays out only
    void draw_frame();   // into the framebuffer that is bound

    int width_ = 0, height_ = 0;
    float pixels_per_unit_ = 1;

private:
    ImGuiContext* context_ = nullptr;
    bool draws_by_processor_ = false;
    Graphics graphics_;
    std::unique_ptr<HeatmapRenderer> heatmaps_;
    std::unique_ptr<GlFramebuffer> picture_;
    InputQueue input_;
    float background_[3] = {1, 1, 1};
    struct Apart { // what goes on after frames apart
        int width, height;
        float pixels_per_unit, pointer[2];
    };
    std::optional<Apart> apart_;

    Result<Done> start_drawing();
    void begin_imgui_frame(int width, int height, float pixels_per_unit, float seconds);
};

} // namespace headlight
