// The whole window without a screen: commands and input go in, frames and state come out.
#pragma once

#include "app/platform/offscreen.h"
#include "app/session/session.h"
#include "app/ui/base/ui.h"
#include "app/ui/window/host.h"

#include <memory>
#include <string>

namespace headlight {

class Stage {
public:
    // With the shipped model of that name, "" for none, and one step filling the window.
    explicit Stage(const std::string& model = "translate-en-pt", int width = 1280, int height = 800);

    Session& session() { return *session_; }
    const SessionState& state() const { return session_->state(); }
    Offscreen& display() { return *display_; }
    WidgetRegistry& names() { return ui_->widgets(); }

    // Script lines, each settled as a script settles; the error's sentence, or "" when all went well.
    std::string run(const std::string& lines);
    void frame(int count = 1);

    Canvas& canvas() { return host_->canvas().canvas(); }

private:
    std::unique_ptr<Session> session_;
    std::unique_ptr<Offscreen> display_;
    std::unique_ptr<Ui> ui_;
    std::unique_ptr<Host> host_;
};

// The same with the canvas, which jumps from place to place.
struct CanvasStage : Stage {
    explicit CanvasStage(const std::string& model = "translate-en-pt", int width = 1280, int height = 800)
        : Stage(model, width, height) {
        run("view canvas\nanimation off");
    }
};

} // namespace headlight
