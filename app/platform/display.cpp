#include "app/platform/display.h"

#include "app/platform/gl.h"
#include "app/platform/imgui_compat.h"
#include "engine/base/check.h"

#include <imgui.h>
#include <imgui_impl_opengl3.h>

#include <cmath>
#include <string_view>
#include <utility>

namespace headlight {

namespace {

// By the names of the rasterisers that are programs.
bool is_a_program(std::string_view renderer) {
    for (const std::string_view name : {"llvmpipe", "softpipe", "swrast", "SwiftShader"})
        if (renderer.find(name) != renderer.npos) return true;
    return false;
}

// Bytes of a picture whose memory serves the next one: that of a large screen. What a script takes once may
// have eight times as many.
constexpr std::size_t largest_kept = std::size_t(4) * 3840 * 2160;

std::string gl_text(GLenum name) {
    const GLubyte* text = glGetString(name);
    return text == nullptr ? "?" : reinterpret_cast<const char*>(text);
}

} // namespace

Display::~Display() { stop_interface(); }

Result<Done> Display::start_interface() {
    demand_memory();
    context_ = ImGui::CreateContext();
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr; // what is remembered between runs is the session's affair
    io.LogFilename = nullptr;
    io.ConfigFlags |= ImGuiConfigFlags_NavEnableKeyboard;
    io.ConfigWindowsMoveFromTitleBarOnly = true;
    map_keys();
    use_stb_truetype(*io.Fonts);
    const Result<Done> started = start_drawing();
    if (!started) return started;
    graphics_ = {gl_text(GL_VENDOR), renderer_name(), gl_text(GL_VERSION)};
    draws_by_processor_ = is_a_program(graphics_.renderer);
    return started;
}

Result<Done> Display::start_drawing() {
#ifdef __EMSCRIPTEN__
    const char* const language = "#version 300 es";
#else
    const char* const language = "#version 330 core";
#endif
    if (!ImGui_ImplOpenGL3_Init(language)) // it looks for OpenGL's functions by itself
        return Error{"error.no_opengl", {"libGL.so.1"}};
    auto renderer = HeatmapRenderer::create();
    if (!renderer) return renderer.error();
    heatmaps_ = std::move(*renderer);
    picture_ = std::make_unique<GlFramebuffer>();
    check_gl("starting the interface");
    return Done{};
}

void Display::lose_graphics() {
    picture_.reset();
    heatmaps_.reset();
    if (ImGui::GetIO().BackendRendererUserData) ImGui_ImplOpenGL3_Shutdown();
}

Result<Done> Display::restore_graphics() {
    while (glGetError() != GL_NO_ERROR) {
    } // that it was lost
    return start_drawing();
}

void Display::stop_interface() {
    if (!context_) return;
    lose_graphics();
    ImGui::DestroyContext(context_);
    context_ = nullptr;
}

void Display::set_background(float red, float green, float blue) {
    background_[0] = red, background_[1] = green, background_[2] = blue;
}

void Display::start_frame(int width, int height, float pixels_per_unit, float seconds) {
    feed_input(input_.next_frame());
    begin_imgui_frame(width, height, pixels_per_unit, seconds);
}

void Display::begin_frame_apart(int width, int height) {
    if (!apart_) {
        const ImVec2 pointer = take_pointer_away();
        apart_ = Apart{width_, height_, pixels_per_unit_, {pointer.x, pointer.y}};
    }
    begin_imgui_frame(width, height, 1, 1e-5f);
}

void Display::go_on_after_frames_apart() {
    if (!apart_) return;
    width_ = apart_->width;
    height_ = apart_->height;
    pixels_per_unit_ = apart_->pixels_per_unit;
    put_pointer_back({apart_->pointer[0], apart_->pointer[1]});
    apart_.reset();
}

void Display::begin_imgui_frame(int width, int height, float pixels_per_unit, float seconds) {
    width_ = width;
    height_ = height;
    pixels_per_unit_ = pixels_per_unit;
    ImGuiIO& io = ImGui::GetIO();
    io.DisplaySize = {float(width), float(height)};
    io.DisplayFramebufferScale = {pixels_per_unit, pixels_per_unit};
    io.DeltaTime = seconds;
    heatmaps_->begin_frame();
    ImGui_ImplOpenGL3_NewFrame();
    ImGui::NewFrame();
}

void Display::finish_frame() { ImGui::Render(); }

void Display::draw_frame() {
    glClearColor(background_[0], background_[1], background_[2], 1);
    glClear(GL_COLOR_BUFFER_BIT);
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

Image Display::capture() {
    HEADLIGHT_CHECK(ImGui::GetDrawData(), "a picture is taken behind end_frame, before the next begin_frame");
    const auto pixels = [this](int units) { return int(std::lround(float(units) * pixels_per_unit_)); };
    picture_->bind(pixels(width_), pixels(height_));
    draw_frame();
    Image image = picture_->read();
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    if (image.rgba.size() > largest_kept) picture_ = std::make_unique<GlFramebuffer>();
    return image;
}

} // namespace headlight
