// For somebody who sees the window for the first time: three things to do, each ticked off when it is done.
// Once all are, they are gone for good.
#pragma once

#include "app/canvas/canvas.h"
#include "app/ui/base/screen_rect.h"

namespace headlight {

class FirstSteps {
public:
    // From the top of a column; returns the height that it took, 0 once all is done or where there is no
    // room.
    float draw(const ScreenRect& rect, const Session& session, const Canvas& canvas);

    bool done() const { return stepped_ && zoomed_ && asked_; }
    void skip() { stepped_ = zoomed_ = asked_ = true; }

private:
    bool stepped_ = false, zoomed_ = false, asked_ = false;
    Index step_ = -1;
};

} // namespace headlight
