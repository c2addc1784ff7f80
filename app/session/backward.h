// The backward pass as a person sees it: whether gradients are shown in the place of values.
#pragma once

namespace headlight {

struct Backward {
    bool on = false;
    double label_smoothing = 0; // ε of the loss: of the wanted distribution, so much is spread over all words
};

} // namespace headlight
