// The whole window without a screen: commands and input go in, frames and state come out.
#pragma once

#include "app/platform/offscreen.h"
#include "app/session/session.h"
#include "app/ui/base/ui.h"
#include "app/ui/window/host.h"

#include <memory>
#include <optional>
#include <string>

namespace headlight {

class Stage {
public:
    // As it opens for a person, with the shipped model of that name, "" for none.
    explicit Stage(const std::string& model = "translate-en-pt", int width = 1280, int height = 800);

    Session& session() { return *session_; }
    const View& view() const { return session_->view(); }
    const Question& question() const { return session_->question(); }
    Offscreen& display() { return *display_; }
    WidgetRegistry& names() { return ui_->widgets(); }

    // Script lines, each settled as a script settles; the error's sentence, or "" when all went well.
    std::string run(const std::string& lines);
    void frame(int count = 1);

    // The cell under the pointer, which the asking panel answers.
    const std::optional<NamedCell>& pointed() { return host_->canvas().pointed; }
    Host& host() { return *host_; }
    Canvas& canvas() { return host_->canvas().canvas(); }

private:
    std::unique_ptr<Session> session_;
    std::unique_ptr<Offscreen> display_;
    std::unique_ptr<Ui> ui_;
    std::unique_ptr<Host> host_;
};

// The same with a canvas that jumps from place to place.
struct CanvasStage : Stage {
    explicit CanvasStage(const std::string& model = "translate-en-pt", int width = 1280, int height = 800)
        : Stage(model, width, height) {
        run("animation off");
    }
};

} // namespace headlight
