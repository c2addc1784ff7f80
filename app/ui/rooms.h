// What the rooms of the window keep between frames, beside the canvas.
#pragma once

#include "app/ui/panels/changes/changes_panel.h"
#include "app/ui/panels/heads/heads_room.h"
#include "app/ui/panels/training/training_board.h"

namespace headlight {

struct Rooms {
    ChangesView changes;
    HeadsRoom heads;
    TrainingBoard training;
};

} // namespace headlight
