// What the rooms of the window keep between frames, beside the canvas.
#pragma once

#include "app/ui/changes/changes_parts.h"
#include "app/ui/rooms/heads/heads_room.h"
#include "app/ui/rooms/train/training_board.h"

namespace headlight {

struct Rooms {
    ChangesView changes;
    HeadsRoom heads;
    TrainingBoard training;
};

} // namespace headlight
