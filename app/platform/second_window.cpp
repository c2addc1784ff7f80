#include "app/platform/second_window.h"

#include "app/platform/gl.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <algorithm>
#include <utility>

namespace headlight {

namespace {

// The first screen that shows none of the window's middle.
GLFWmonitor* other_screen(GLFWwindow* window) {
    int x = 0, y = 0, width = 0, height = 0, count = 0;
    glfwGetWindowPos(window, &x, &y);
    glfwGetWindowSize(window, &width, &height);
    x += width / 2, y += height / 2;
    GLFWmonitor** screens = glfwGetMonitors(&count);
    if (GLFWmonitor* filled = glfwGetWindowMonitor(window)) {
        GLFWmonitor** other =
            std::find_if(screens, screens + count, [&](GLFWmonitor* s) { return s != filled; });
        return other == screens + count ? nullptr : *other;
    }
    if (count < 2) return nullptr;
    for (int i = 0; i < count; ++i) {
        int left = 0, top = 0, wide = 0, high = 0;
        glfwGetMonitorWorkarea(screens[i], &left, &top, &wide, &high);
        const bool holds = x >= left && x < left + wide && y >= top && y < top + high;
        if (!holds && wide > 0) return screens[i];
    }
    return nullptr;
}

// The first window's context is current again when this ends.
struct Current {
    explicit Current(GLFWwindow* window) : before(glfwGetCurrentContext()) { glfwMakeContextCurrent(window); }
    ~Current() { glfwMakeContextCurrent(before); }
    GLFWwindow* before;
};

} // namespace

bool SecondWindow::has_screen() const { return other_screen(first_.handle()) != nullptr; }

bool SecondWindow::open(const std::string& title) {
    if (window_) return true;
    GLFWmonitor* screen = other_screen(first_.handle());
    if (!screen) return false;
    int x = 0, y = 0, wide = 0, high = 0;
    glfwGetMonitorWorkarea(screen, &x, &y, &wide, &high);
    width_ = std::clamp(wide * 2 / 3, 320, 1100);
    height_ = std::clamp(high * 2 / 3, 240, 800);
    glfwWindowHint(GLFW_MAXIMIZED, GLFW_FALSE);
    glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);
    glfwWindowHint(GLFW_RESIZABLE, GLFW_FALSE);
    glfwWindowHint(GLFW_FOCUS_ON_SHOW, GLFW_FALSE); // a remote control is heard by the first
    window_ = glfwCreateWindow(width_, height_, title.c_str(), nullptr, first_.handle());
    glfwWindowHint(GLFW_RESIZABLE, GLFW_TRUE);
    if (!window_) return false;
    glfwSetWindowPos(window_, x + (wide - width_) / 2, y + (high - height_) / 2);
    first_.hear_keys_of(window_);
    const Current current(window_);
    glfwSwapInterval(0); // it waits for no other screen
    glGenTextures(1, &texture_);
    glGenFramebuffers(1, &framebuffer_);
    glfwShowWindow(window_);
    return true;
}

void SecondWindow::close() {
    if (!window_) return;
    {
        const Current current(window_);
        glDeleteFramebuffers(1, &framebuffer_);
        glDeleteTextures(1, &texture_);
    }
    glfwDestroyWindow(std::exchange(window_, nullptr));
}

bool SecondWindow::is_closed_by_hand() const { return window_ && glfwWindowShouldClose(window_); }

void SecondWindow::show(const Image& picture) {
    if (!window_) return;
    const Current current(window_);
    glBindTexture(GL_TEXTURE_2D, texture_);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, picture.width, picture.height, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                 picture.rgba.data());
    glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer_);
    glFramebufferTexture2D(GL_READ_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture_, 0);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
    int wide = 0, high = 0;
    glfwGetFramebufferSize(window_, &wide, &high);
    // Pictures begin at the top, OpenGL at the foot.
    glBlitFramebuffer(0, 0, picture.width, picture.height, 0, high, wide, 0, GL_COLOR_BUFFER_BIT, GL_LINEAR);
    glfwSwapBuffers(window_);
}

} // namespace headlight
