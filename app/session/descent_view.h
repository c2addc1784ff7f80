// How gradient descent is looked at: what plays, and whether it is that of a weight of the model.
#pragma once

#include "app/session/asking.h"

#include <optional>

namespace headlight {

// Steps that go on by themselves.
struct DescentPlaying {
    bool on = false;
    bool is_film = false; // the way that was walked is shown once more, from its beginning
    double steps_a_second = 4;
    double clock = 0; // steps that are due, the last of them in part
};

// Of so many a second, the time that is left over in `clock`.
Index steps_due(double& clock, double seconds, double steps_a_second);

struct DescentView {
    DescentPlaying playing;
    Index point = 0;                   // whose chain of links is followed
    bool adds_second = false;          // of which kind the points are that are added
    std::optional<NamedCell> of_model; // a weight of the model takes the place of the points' weights
};

} // namespace headlight
