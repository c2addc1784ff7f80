#include "app/platform/window.h"

#include "app/platform/gl.h"
#include "app/platform/imgui_compat.h"

#include <imgui.h>

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

namespace headlight {
namespace {

constexpr int title_bar = 32; // about as high as those of window managers are

constexpr int frames_after_event = 3;    // hover, then what it opens, then its final place
constexpr double caret_interval = 0.25;  // a text field's caret blinks
constexpr double resting_interval = 0.2; // what goes on is to be remembered within a second
constexpr float longest_step = 0.1f;     // seconds: after a sleep nothing shall leap

struct GlfwFailure {
    int code = 0;
    std::string description;
};

GlfwFailure& last_failure() {
    static GlfwFailure failure;
    return failure;
}

Error window_error() {
    const GlfwFailure& failure = last_failure();
    constexpr int no_platform = 0x0001000E; // GLFW 3.4
    const bool no_display = failure.code == GLFW_PLATFORM_ERROR || failure.code == no_platform;
    const bool no_opengl = failure.code == GLFW_API_UNAVAILABLE || failure.code == GLFW_VERSION_UNAVAILABLE
                           || failure.code == GLFW_FORMAT_UNAVAILABLE;
    return {no_display  ? "error.no_display"
            : no_opengl ? "error.no_opengl"
                        : "error.window_failed",
            {failure.description}};
}

// A key's own name where the keyboard in use has one ("ctrl+z" is the key labelled Z), else its place.
Key key_from_glfw(int key, int scancode) {
    if (key >= GLFW_KEY_APOSTROPHE && key <= GLFW_KEY_GRAVE_ACCENT) {
        const char* name = glfwGetKeyName(key, scancode);
        if (name && std::strlen(name) == 1 && key_of_character(name[0]) != Key::none)
            return key_of_character(name[0]);
        return key_of_character(char(key));
    }
    if (key >= GLFW_KEY_F1 && key <= GLFW_KEY_F12) return Key(int(Key::f1) + key - GLFW_KEY_F1);
    if (key >= GLFW_KEY_LEFT_SHIFT && key <= GLFW_KEY_RIGHT_SUPER) {
        constexpr Key modifiers[] = {Key::left_shift,  Key::left_ctrl,  Key::left_alt,  Key::left_super,
                                     Key::right_shift, Key::right_ctrl, Key::right_alt, Key::right_super};
        return modifiers[key - GLFW_KEY_LEFT_SHIFT];
    }
    if (key >= GLFW_KEY_KP_0 && key <= GLFW_KEY_KP_9) return Key(int(Key::digit_0) + key - GLFW_KEY_KP_0);
    switch (key) {
    case GLFW_KEY_TAB:
        return Key::tab;
    case GLFW_KEY_LEFT:
        return Key::left;
    case GLFW_KEY_RIGHT:
        return Key::right;
    case GLFW_KEY_UP:
        return Key::up;
    case GLFW_KEY_DOWN:
        return Key::down;
    case GLFW_KEY_PAGE_UP:
        return Key::page_up;
    case GLFW_KEY_PAGE_DOWN:
        return Key::page_down;
    case GLFW_KEY_HOME:
        return Key::home;
    case GLFW_KEY_END:
        return Key::end;
    case GLFW_KEY_INSERT:
        return Key::insert;
    case GLFW_KEY_DELETE:
        return Key::delete_forward;
    case GLFW_KEY_BACKSPACE:
        return Key::backspace;
    case GLFW_KEY_SPACE:
        return Key::space;
    case GLFW_KEY_ENTER:
        return Key::enter;
    case GLFW_KEY_ESCAPE:
        return Key::escape;
    case GLFW_KEY_KP_ENTER:
        return Key::keypad_enter;
    case GLFW_KEY_KP_SUBTRACT:
        return Key::minus;
    case GLFW_KEY_KP_DIVIDE:
        return Key::slash;
    case GLFW_KEY_KP_DECIMAL:
        return Key::period;
    default:
        return Key::none;
    }
}

struct Area {
    int x, y, width, height;
};

// The screen that shows most of the window: the projector, when it was dragged there.
GLFWmonitor* monitor_under(const Area& window) {
    int count = 0;
    GLFWmonitor** monitors = glfwGetMonitors(&count);
    GLFWmonitor* best = glfwGetPrimaryMonitor();
    long most = 0;
    for (int i = 0; i < count; ++i) {
        const GLFWvidmode* mode = glfwGetVideoMode(monitors[i]);
        if (!mode) continue;
        int x = 0, y = 0;
        glfwGetMonitorPos(monitors[i], &x, &y);
        const long wide = std::min(window.x + window.width, x + mode->width) - std::max(window.x, x);
        const long high = std::min(window.y + window.height, y + mode->height) - std::max(window.y, y);
        if (wide <= 0 || high <= 0 || wide * high <= most) continue;
        most = wide * high;
        best = monitors[i];
    }
    return best;
}

std::string utf8(unsigned character) {
    if (character < 0x80) return {char(character)};
    if (character < 0x800) return {char(0xC0 | character >> 6), char(0x80 | (character & 0x3F))};
    if (character < 0x10000)
        return {char(0xE0 | character >> 12), char(0x80 | (character >> 6 & 0x3F)),
                char(0x80 | (character & 0x3F))};
    return {char(0xF0 | character >> 18), char(0x80 | (character >> 12 & 0x3F)),
            char(0x80 | (character >> 6 & 0x3F)), char(0x80 | (character & 0x3F))};
}

} // namespace

struct Window::Callbacks {
    static Window& of(GLFWwindow* window) {
        auto& self = *static_cast<Window*>(glfwGetWindowUserPointer(window));
        self.request_frames(frames_after_event);
        return self;
    }
    static void push(GLFWwindow* window, InputEvent event) { of(window).input().push(std::move(event)); }

    static void key(GLFWwindow* window, int key, int scancode, int action, int) {
        const Key ours = key_from_glfw(key, scancode);
        if (action == GLFW_REPEAT || ours == Key::none) return; // Dear ImGui repeats by itself
        InputEvent event;
        event.kind = InputEvent::Kind::key;
        event.key = ours;
        event.down = action == GLFW_PRESS;
        push(window, std::move(event));
    }
    static void character(GLFWwindow* window, unsigned character) {
        InputEvent event;
        event.kind = InputEvent::Kind::text;
        event.text = utf8(character);
        push(window, std::move(event));
    }
    static void cursor(GLFWwindow* window, double x, double y) {
        of(window).input().move_mouse(float(x), float(y));
    }
    static void enter(GLFWwindow* window, int inside) {
        if (!inside) of(window).input().move_mouse(-1e6f, -1e6f);
    }
    static void button(GLFWwindow* window, int button, int action, int) {
        InputQueue& queue = of(window).input();
        if (action == GLFW_PRESS)
            queue.press_mouse(button);
        else
            queue.release_mouse(button);
    }
    static void scroll(GLFWwindow* window, double x, double y) {
        of(window).input().turn_wheel(float(y), float(x));
    }
    static void focus(GLFWwindow* window, int has_focus) {
        InputEvent event;
        event.kind = InputEvent::Kind::focus_lost;
        if (has_focus)
            of(window);
        else
            push(window, std::move(event));
    }
    static void drop(GLFWwindow* window, int count, const char** paths) {
        of(window).dropped_files_.assign(paths, paths + count);
    }
    static void changed(GLFWwindow* window, int, int) { of(window); }
    static void refresh(GLFWwindow* window) { of(window); }
};

std::vector<std::string> window_libraries() {
    return {"Dear ImGui " + std::string(ImGui::GetVersion()), "GLFW " + std::string(glfwGetVersionString())};
}

Result<std::unique_ptr<Window>> Window::open(const WindowOptions& options) {
    glfwSetErrorCallback([](int code, const char* description) { last_failure() = {code, description}; });
    if (!glfwInit()) return window_error();
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
    glfwWindowHint(GLFW_MAXIMIZED, options.maximized ? GLFW_TRUE : GLFW_FALSE);
    glfwWindowHint(GLFW_VISIBLE, options.visible ? GLFW_TRUE : GLFW_FALSE);
    // A lecturer who clicks on another screen leaves this one to the class.
    glfwWindowHint(GLFW_AUTO_ICONIFY, GLFW_FALSE);
    glfwWindowHintString(GLFW_X11_CLASS_NAME, "headlight");
    // Never larger than what the screen has free beside panels and the window's own frame.
    int width = options.width, height = options.height;
    if (GLFWmonitor* monitor = glfwGetPrimaryMonitor()) {
        int x = 0, y = 0, free_width = 0, free_height = 0;
        glfwGetMonitorWorkarea(monitor, &x, &y, &free_width, &free_height);
        if (free_width > 0) width = std::min(width, free_width);
        if (free_height > title_bar) height = std::min(height, free_height - title_bar);
    }
    GLFWwindow* handle = glfwCreateWindow(width, height, options.title.c_str(), nullptr, nullptr);
    if (!handle) {
        glfwTerminate();
        return window_error();
    }
    std::unique_ptr<Window> window(new Window(handle));
    glfwMakeContextCurrent(handle);
    glfwSwapInterval(1);
    if (!gladLoadGL(GLADloadfunc(glfwGetProcAddress))) return Error{"error.no_opengl", {"gladLoadGL"}};
    if (const auto started = window->start_interface(); !started) return started.error();

    glfwSetWindowUserPointer(handle, window.get());
    glfwSetKeyCallback(handle, Callbacks::key);
    glfwSetCharCallback(handle, Callbacks::character);
    glfwSetCursorPosCallback(handle, Callbacks::cursor);
    glfwSetCursorEnterCallback(handle, Callbacks::enter);
    glfwSetMouseButtonCallback(handle, Callbacks::button);
    glfwSetScrollCallback(handle, Callbacks::scroll);
    glfwSetWindowFocusCallback(handle, Callbacks::focus);
    glfwSetDropCallback(handle, Callbacks::drop);
    glfwSetFramebufferSizeCallback(handle, Callbacks::changed);
    glfwSetWindowRefreshCallback(handle, Callbacks::refresh);

    ImGui::GetIO().BackendFlags |= ImGuiBackendFlags_HasMouseCursors;
    set_clipboard(
        handle, [](void* data) { return glfwGetClipboardString(static_cast<GLFWwindow*>(data)); },
        [](void* data, const char* text) { glfwSetClipboardString(static_cast<GLFWwindow*>(data), text); });
    constexpr std::pair<ImGuiMouseCursor, int> shapes[] = {{ImGuiMouseCursor_Arrow, GLFW_ARROW_CURSOR},
                                                           {ImGuiMouseCursor_TextInput, GLFW_IBEAM_CURSOR},
                                                           {ImGuiMouseCursor_ResizeNS, GLFW_VRESIZE_CURSOR},
                                                           {ImGuiMouseCursor_ResizeEW, GLFW_HRESIZE_CURSOR},
                                                           {ImGuiMouseCursor_Hand, GLFW_HAND_CURSOR}};
    for (const auto& [shape, glfw_shape] : shapes)
        window->cursors_[shape] = glfwCreateStandardCursor(glfw_shape);
    window->last_time_ = glfwGetTime();
    return window;
}

Window::~Window() {
    stop_interface(); // while the context still lives
    for (void* cursor : cursors_)
        if (cursor) glfwDestroyCursor(static_cast<GLFWcursor*>(cursor));
    glfwDestroyWindow(window_);
    glfwTerminate();
}

void Window::wait_for_something() {
    glfwPollEvents();
    // Nobody sees a minimised window, and its swaps wait for no screen: it would only take from the trainer.
    while (glfwGetWindowAttrib(window_, GLFW_ICONIFIED) && !glfwWindowShouldClose(window_)) {
        glfwWaitEventsTimeout(resting_interval);
        if (on_rest) on_rest();
    }
    const auto asleep = [this] {
        return frames_wanted_ == 0 && input().empty() && !woken_ && !glfwWindowShouldClose(window_);
    };
    while (asleep()) {
        const bool has_caret = ImGui::GetIO().WantTextInput;
        const double left = next_frame_ - glfwGetTime(), longest = has_caret ? caret_interval : 60;
        if (left > 0) glfwWaitEventsTimeout(std::min(left, longest));
        if (has_caret || left <= 0 || glfwGetTime() >= next_frame_) request_frames(1);
    }
    next_frame_ = never;
    if (woken_.exchange(false)) request_frames(frames_after_event);
    frames_wanted_ = std::max(frames_wanted_ - 1, 0);
}

bool Window::begin_frame() {
    wait_for_something();
    has_left_ = false;
    if (glfwWindowShouldClose(window_)) return false;
    if (!dropped_files_.empty()) {
        const auto files = std::exchange(dropped_files_, {});
        if (on_files_dropped) on_files_dropped(files);
    }
    int width = 0, height = 0, pixel_width = 0, pixel_height = 0;
    glfwGetWindowSize(window_, &width, &height);
    glfwGetFramebufferSize(window_, &pixel_width, &pixel_height);
    const float pixels_per_unit = width > 0 ? float(pixel_width) / float(width) : 1;
    const double now = glfwGetTime();
    const float seconds = std::clamp(float(now - last_time_), 1e-4f, longest_step);
    last_time_ = now;
    show_cursor();
    start_frame(width, height, pixels_per_unit, seconds);
    return true;
}

void Window::show_cursor() {
    const int shape = ImGui::GetMouseCursor();
    if (ImGui::GetFrameCount() == 0 || shape < 0 || shape >= int(std::size(cursors_))) return;
    glfwSetCursor(window_, static_cast<GLFWcursor*>(cursors_[shape] ? cursors_[shape] : cursors_[0]));
}

void Window::end_frame() {
    finish_frame();
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glViewport(0, 0, int(std::lround(float(width_) * pixels_per_unit_)),
               int(std::lround(float(height_) * pixels_per_unit_)));
    draw_frame();
    glfwSwapBuffers(window_);
}

void Window::resize(int width, int height) { glfwSetWindowSize(window_, width, height); }

float Window::scale() const {
    float x = 1, y = 1;
    glfwGetWindowContentScale(window_, &x, &y);
    return std::max(x / pixels_per_unit_, 0.5f);
}

void Window::request_frames(int count) { frames_wanted_ = std::max(frames_wanted_, count); }

void Window::request_frame_within(double seconds) {
    next_frame_ = std::min(next_frame_, glfwGetTime() + seconds);
}

void Window::wake() {
    woken_ = true;
    glfwPostEmptyEvent();
}

void Window::close() {
    glfwSetWindowShouldClose(window_, GLFW_TRUE);
    wake();
}

void Window::hear_keys_of(GLFWwindow* other) {
    glfwSetWindowUserPointer(other, this);
    glfwSetKeyCallback(other, Callbacks::key);
    glfwSetCharCallback(other, Callbacks::character);
    glfwSetWindowRefreshCallback(other, Callbacks::refresh);
    glfwSetWindowCloseCallback(other, Callbacks::refresh);
}

bool Window::maximized() const {
    return fills_screen() ? before_.maximized : glfwGetWindowAttrib(window_, GLFW_MAXIMIZED) != 0;
}

bool Window::fills_screen() const { return glfwGetWindowMonitor(window_) != nullptr; }

void Window::fill_screen(bool fill) {
    if (fill == fills_screen()) return;
    if (fill) {
        Place place;
        place.maximized = maximized();
        glfwGetWindowPos(window_, &place.x, &place.y); // Wayland does not tell, and does not need it
        glfwGetWindowSize(window_, &place.width, &place.height);
        GLFWmonitor* monitor = monitor_under({place.x, place.y, place.width, place.height});
        const GLFWvidmode* mode = monitor ? glfwGetVideoMode(monitor) : nullptr;
        if (!mode) return;
        before_ = place;
        glfwSetWindowMonitor(window_, monitor, 0, 0, mode->width, mode->height, mode->refreshRate);
    } else {
        glfwSetWindowMonitor(window_, nullptr, before_.x, before_.y, before_.width, before_.height,
                             GLFW_DONT_CARE);
        if (before_.maximized) glfwMaximizeWindow(window_);
        has_left_ = true;
    }
    glfwSwapInterval(1); // some drivers forget it
    request_frames(frames_after_event);
}

} // namespace headlight
