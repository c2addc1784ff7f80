// The backward pass as a person sees it: whether gradients are shown in the place of values, and how far the
// walk from the loss back has come.
#pragma once

#include "engine/tensor/real.h"

namespace headlight {

struct Backward {
    bool on = false;
    Index step = 0;             // place in the backward story
    double label_smoothing = 0; // ε of the loss: of the wanted distribution, so much is spread over all words
};

} // namespace headlight
