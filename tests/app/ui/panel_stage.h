// One panel alone, without a screen: drawn frame by frame, clicked on by the names of its parts.
#pragma once

#include "app/platform/offscreen.h"
#include "app/session/session.h"
#include "app/ui/base/ui.h"
#include "app/ui/values/value_view.h"

#include <functional>
#include <memory>
#include <string>

namespace headlight {

class PanelStage {
public:
    using Draw = std::function<void(const ScreenRect& rect, Session& session, CommandSink& commands)>;
    PanelStage(const std::string& model, int width, int height, Draw draw);

    Session& session() { return *session_; }
    const View& view() const { return session_->view(); }
    const Question& question() const { return session_->question(); }
    WidgetRegistry& names() { return ui_->widgets(); }
    Offscreen& display() { return *display_; }

    // Commands of the session, a line each; then a few frames.
    void run(const std::string& lines);
    void frame(int count = 3);
    void click(const std::string& name);
    void hover(const std::string& name);
    void turn_wheel(float steps_up);

private:
    std::unique_ptr<Session> session_;
    std::unique_ptr<Offscreen> display_;
    std::unique_ptr<Ui> ui_;
    Draw draw_;
};

} // namespace headlight
