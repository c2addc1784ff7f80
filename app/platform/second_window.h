// A plain window on another screen than the program's own: it shows a picture, and what is pressed in it is
// heard by the first.
#pragma once

#include "app/platform/window.h"

namespace headlight {

class SecondWindow {
public:
    explicit SecondWindow(Window& first) : first_(first) {}
    ~SecondWindow() { close(); }
    SecondWindow(const SecondWindow&) = delete;
    SecondWindow& operator=(const SecondWindow&) = delete;

    // A screen on which the first window does not stand.
    bool has_screen() const;
    // Opens where it is not. False where it cannot be, or somebody has closed it.
    bool open(const std::string& title);
    void close();
    bool is_open() const { return window_ != nullptr; }
    bool is_closed_by_hand() const;
    int width() const { return width_; }
    int height() const { return height_; }
    void show(const Image& picture); // of its size

private:
    Window& first_;
    GLFWwindow* window_ = nullptr;
    int width_ = 0, height_ = 0;
    unsigned texture_ = 0, framebuffer_ = 0; // of its own context
};

} // namespace headlight
