// The program's window: GLFW, an OpenGL 3.3 core context, Dear ImGui. Sleeps while nothing happens.
#pragma once

#include "app/platform/display.h"

#include <atomic>
#include <memory>
#include <string>

struct GLFWwindow;

namespace headlight {

struct WindowOptions {
    std::string title = "Headlight";
    int width = 1280, height = 800;
    bool maximized = false;
    bool visible = true; // else it is opened to see whether it can be
};

class Window : public Display {
public:
    // Fails with error.no_display {reason} where there is no X11 or Wayland, error.no_opengl {reason} where
    // OpenGL 3.3 is missing, error.window_failed {reason} for anything else.
    static Result<std::unique_ptr<Window>> open(const WindowOptions& options = {});
    ~Window() override;

    bool begin_frame() override;
    void end_frame() override;
    void resize(int width, int height) override;
    void fill_screen(bool fill) override;
    bool fills_screen() const override;
    float scale() const override;
    void request_frames(int count) override;
    void request_frame_within(double seconds) override;
    void wake() override;

    void close(); // from any thread
    // For a second window beside it, whose keys are its own.
    GLFWwindow* handle() const { return window_; }
    void hear_keys_of(GLFWwindow* other);
    bool maximized() const;
    // As it is, or as it will be again when it fills the screen no more: what is worth remembering.
    int own_width() const { return fills_screen() || has_left_ ? before_.width : width(); }
    int own_height() const { return fills_screen() || has_left_ ? before_.height : height(); }

private:
    static constexpr double never = 1e300;
    struct Callbacks; // GLFW's, which know the window by its user pointer
    explicit Window(GLFWwindow* window) : window_(window) {}
    void wait_for_something();
    void show_cursor();

    GLFWwindow* window_ = nullptr;
    void* cursors_[9] = {};
    double last_time_ = 0;
    int frames_wanted_ = 3;
    double next_frame_ = never; // glfwGetTime() of the frame that comes by itself
    std::atomic<bool> woken_ = false;
    struct Place {
        int x = 0, y = 0, width = 0, height = 0;
        bool maximized = false;
    } before_;              // it filled the screen
    bool has_left_ = false; // the screen in this frame, which is still as large
    std::vector<std::string> dropped_files_;
};

} // namespace headlight
