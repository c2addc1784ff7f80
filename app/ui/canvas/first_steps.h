// For somebody who sees the window for the first time: three things to do, each ticked off when it is done,
// by hand or by the command that the hand sends. What a lesson sets up was done by nobody.
// Once all are, they are gone for good.
#pragma once

#include "app/session/session.h"
#include "app/ui/base/screen_rect.h"

#include <string_view>

namespace headlight {

class FirstSteps {
public:
    // From the top of a column; returns the height that it took, 0 once all is done or where there is no
    // room.
    float draw(const ScreenRect& rect, const Session& session, float most) const;

    void did(std::string_view command);
    void moved_camera() { moved_ = true; } // with the wheel, or dragging

    bool has_stepped() const { return stepped_; }
    bool has_moved() const { return moved_; }
    bool has_asked() const { return asked_; }
    bool done() const { return stepped_ && moved_ && asked_; }
    void skip() { stepped_ = moved_ = asked_ = true; }

private:
    bool stepped_ = false, moved_ = false, asked_ = false;
};

} // namespace headlight
