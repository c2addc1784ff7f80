// A field that goes to any value by its name or path, with what it finds below it while one types.
#pragma once

#include "app/canvas/canvas.h"
#include "app/ui/values/panel.h"

#include <string>

namespace headlight {

class CanvasSearch {
public:
    void draw(const ScreenRect& field, const Session& session, const Canvas& canvas, CommandSink& commands);
    void focus() { focus_ = true; } // the keyboard, in the next frame
    // It is being typed into, or was asked for: then it stands there whatever the room.
    bool is_used() const { return focus_ || open_ || active_; }
    // A list is open below the field: what lies behind it is not pointed at.
    bool covers(ImVec2 point) const { return list_.contains(point); }

private:
    std::string text_;
    bool focus_ = false, open_ = false, active_ = false;
    int chosen_ = 0; // of what was found: the arrow keys move it
    ScreenRect list_;
};

} // namespace headlight
