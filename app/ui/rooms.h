// What the rooms of the window keep between frames, beside the canvas.
#pragma once

#include "app/ui/panels/changes/changes_panel.h"
#include "app/ui/panels/heads/heads_room.h"

namespace headlight {

struct Rooms {
    ChangesView changes;
    HeadsRoom heads;
};

} // namespace headlight
