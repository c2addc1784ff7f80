// What the training room's panels remember from frame to frame: texts that are being typed, curves thinned to
// what a plot can show. Everything else is the session's.
#pragma once

#include "app/ui/panels/training/curve_store.h"

#include <string>

namespace headlight {

struct TrainingBoard {
    CurveStore curves;
    std::string pairs_file;     // being typed
    bool asks_for_file = false; // the field for it is open
    std::string setting;        // being typed, in the list that is open
};

} // namespace headlight
