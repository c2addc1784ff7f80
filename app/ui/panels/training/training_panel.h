// The right column of the training room: the run and its controls, and one of the pages below them.
#pragma once

#include "app/session/asking.h"
#include "app/ui/panels/panel.h"
#include "app/ui/panels/training/training_board.h"

namespace headlight {

void training_panel(const ScreenRect& rect, const Session& session, CommandSink& commands,
                    TrainingBoard& board);

} // namespace headlight
