// The room of heads: all of them, or one large, and beside it what they do, measured.
#pragma once

#include "app/ui/changes/changes_parts.h"
#include "app/ui/rooms/heads/heads_data.h"
#include "app/ui/rooms/heads/pair_data.h"
#include "app/ui/values/panel.h"
#include "app/ui/widgets/heatmap.h"

#include <string>

namespace headlight {

// What the room keeps between frames, in Ui::memory.
struct HeadsMemory {
    HeadsData data;
    std::vector<Real> shown; // the numbers of the large map, transposed or not
    std::string shown_key;
    PairData pair;
    std::string second;                    // as it is being typed
    std::optional<std::string> second_was; // the session's, when it last was another
    std::optional<MatrixCell> pair_cell;   // under the pointer: places among the pairs of queries and keys
    std::string batch_typed;               // into the field of the batch's next sentence
};

void heads_room(const ScreenRect& body, const Session& session, CommandSink& commands);

} // namespace headlight
