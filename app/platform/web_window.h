// The program's window where it is a page: a canvas with WebGL 2. The page's script (app/web/page.js) tells
// what a person did and asks for frames; between them the browser has the processor.
#pragma once

#include "app/platform/display.h"

#include <memory>
#include <string>

namespace headlight {

class WebWindow : public Display {
public:
    // The canvas with the id "canvas". Fails with error.no_opengl {reason} where WebGL 2 is missing.
    static Result<std::unique_ptr<WebWindow>> open(int width, int height, float pixels_per_dot);
    ~WebWindow() override;

    // In pixels of the screen, which are the interface's units: text is drawn for them.
    void set_size(int width, int height, float pixels_per_dot);
    // Whether a frame is to be drawn now; asked once before each picture of the screen.
    bool wants_frame();

    bool begin_frame() override;
    void end_frame() override;
    void resize(int, int) override {} // the browser's window is the person's
    void fill_screen(bool fill) override;
    bool fills_screen() const override;
    float scale() const override { return pixels_per_dot_; }
    void request_frames(int count) override;
    void request_frame_within(double seconds) override;
    void wake() override;

    void drop(std::vector<std::string> files);
    // Pixels that a step of the wheel scrolls what is under the pointer; 0: it does not scroll.
    float scroll_step() const;
    // What Ctrl+V finds: the browser tells it beside the key.
    void set_pasted(std::string text) { pasted_ = std::move(text); }

private:
    void show_cursor();
    WebWindow(int context, int width, int height, float pixels_per_dot);

    int context_ = 0;
    int page_width_ = 0, page_height_ = 0;
    float pixels_per_dot_ = 1;
    double last_time_ = 0; // seconds, as now()
    int frames_wanted_ = 3;
    double next_frame_ = 1e300; // now() of the frame that comes by itself
    std::string pasted_;
    int cursor_ = -1;
    std::vector<std::string> dropped_files_;
};

} // namespace headlight
