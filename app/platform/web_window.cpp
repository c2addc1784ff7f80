#include "app/platform/web_window.h"

#include "app/platform/gl.h"
#include "app/platform/imgui_compat.h"

#include <emscripten.h>
#include <emscripten/html5.h>
#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace headlight {
namespace {

constexpr int frames_after_event = 3;   // hover, then what it opens, then its final place
constexpr double caret_interval = 0.25; // a text field's caret blinks
constexpr float longest_step = 0.1f;    // seconds: after a sleep nothing shall leap

double now() { return emscripten_get_now() / 1000; }

} // namespace

// clang-format off
EM_JS(void, headlight_set_canvas_size, (int width, int height), {
    const canvas = document.getElementById("canvas");
    canvas.width = width;
    canvas.height = height;
});
EM_JS(void, headlight_set_cursor, (int shape), {
    const shapes = ["default", "text", "move", "ns-resize", "ew-resize", "nesw-resize", "nwse-resize", "pointer",
                    "not-allowed"];
    document.getElementById("canvas").style.cursor = shape < 0 ? "none" : shapes[shape] || "default";
});
EM_JS(void, headlight_fill_screen, (int fill), {
    const done = fill ? document.documentElement.requestFullscreen() : document.exitFullscreen();
    done.catch(() => {}); // the person may have left it by then
});
EM_JS(int, headlight_fills_screen, (), { return document.fullscreenElement ? 1 : 0; });
EM_JS(void, headlight_place_text_field, (int x, int y), {
    const field = document.getElementById("typing");
    const dots = window.devicePixelRatio || 1;
    field.style.left = x / dots + "px"; // it lies in the same box as the canvas
    field.style.top = y / dots + "px";
});
EM_JS(void, headlight_copy, (const char* text), { Module.headlight.copy(UTF8ToString(text)); });
// clang-format on

Result<std::unique_ptr<WebWindow>> WebWindow::open(int width, int height, float pixels_per_dot) {
    EmscriptenWebGLContextAttributes wanted;
    emscripten_webgl_init_context_attributes(&wanted);
    wanted.majorVersion = 2;
    wanted.alpha = wanted.depth = wanted.stencil = wanted.antialias = EM_FALSE;
    // What was drawn stays until something else is: most pictures of the screen want no new frame.
    wanted.preserveDrawingBuffer = EM_TRUE;
    const EMSCRIPTEN_WEBGL_CONTEXT_HANDLE context = emscripten_webgl_create_context("#canvas", &wanted);
    if (context <= 0) return Error{"error.no_opengl", {"WebGL 2"}};
    emscripten_webgl_make_context_current(context);
    std::unique_ptr<WebWindow> window(new WebWindow(int(context), width, height, pixels_per_dot));
    if (const auto started = window->start_interface(); !started) return started.error();
    ImGui::GetIO().BackendFlags |= ImGuiBackendFlags_HasMouseCursors;
    // The windows of input methods come up where the text field of the page is.
    ImGui::GetIO().ImeSetInputScreenPosFn = [](int x, int y) { headlight_place_text_field(x, y); };
    set_clipboard(
        window.get(), [](void* data) { return static_cast<WebWindow*>(data)->pasted_.c_str(); },
        [](void* data, const char* text) {
            static_cast<WebWindow*>(data)->pasted_ = text;
            headlight_copy(text);
        });
    return window;
}

WebWindow::WebWindow(int context, int width, int height, float pixels_per_dot)
    : context_(context), last_time_(now()) {
    set_size(width, height, pixels_per_dot);
}

WebWindow::~WebWindow() {
    stop_interface(); // while the context still lives
    emscripten_webgl_destroy_context(context_);
}

void WebWindow::set_size(int width, int height, float pixels_per_dot) {
    if (width == page_width_ && height == page_height_ && pixels_per_dot == pixels_per_dot_) return;
    page_width_ = std::max(width, 1);
    page_height_ = std::max(height, 1);
    pixels_per_dot_ = pixels_per_dot;
    headlight_set_canvas_size(page_width_, page_height_);
    request_frames(frames_after_event);
}

bool WebWindow::wants_frame() {
    if (!input().empty() || !dropped_files_.empty()) request_frames(frames_after_event);
    if (ImGui::GetIO().WantTextInput) request_frame_within(caret_interval);
    if (now() >= next_frame_) request_frames(1);
    return frames_wanted_ > 0;
}

bool WebWindow::begin_frame() {
    next_frame_ = 1e300;
    frames_wanted_ = std::max(frames_wanted_ - 1, 0);
    if (!dropped_files_.empty()) {
        const auto files = std::exchange(dropped_files_, {});
        if (on_files_dropped) on_files_dropped(files);
    }
    const double time = now();
    const float seconds = std::clamp(float(time - last_time_), 1e-4f, longest_step);
    last_time_ = time;
    start_frame(page_width_, page_height_, 1, seconds);
    return true;
}

void WebWindow::end_frame() {
    finish_frame();
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glViewport(0, 0, width_, height_);
    draw_frame();
    show_cursor();
}

void WebWindow::show_cursor() {
    const int shape = ImGui::GetMouseCursor();
    if (shape == cursor_) return;
    cursor_ = shape;
    headlight_set_cursor(shape);
}

void WebWindow::fill_screen(bool fill) {
    if (fill == fills_screen()) return;
    headlight_fill_screen(fill);
    request_frames(frames_after_event);
}

bool WebWindow::fills_screen() const { return headlight_fills_screen() != 0; }

void WebWindow::request_frames(int count) { frames_wanted_ = std::max(frames_wanted_, count); }

void WebWindow::request_frame_within(double seconds) { next_frame_ = std::min(next_frame_, now() + seconds); }

void WebWindow::wake() { request_frames(frames_after_event); }

float WebWindow::scroll_step() const {
    const ImGuiWindow* window = ImGui::GetCurrentContext()->HoveredWindow;
    if (!window || window->ScrollMax.y <= 0 || (window->Flags & ImGuiWindowFlags_NoScrollWithMouse)) return 0;
    return std::floor(
        std::min(5 * window->CalcFontSize(), window->InnerRect.GetHeight() * 0.67f)); // as ImGui does
}

void WebWindow::drop(std::vector<std::string> files) { dropped_files_ = std::move(files); }

std::vector<std::string> window_libraries() {
    return {"Dear ImGui " + std::string(ImGui::GetVersion()),
            "Emscripten " + std::to_string(__EMSCRIPTEN_major__) + "." + std::to_string(__EMSCRIPTEN_minor__)
                + "." + std::to_string(__EMSCRIPTEN_tiny__)};
}

} // namespace headlight
