// How long a frame takes: measured, never asserted.
#pragma once

#include "app/bench/measuring.h"
#include "app/session/session.h"

#include <string>

namespace headlight {

struct FrameTimes {
    std::string model;
    long cards = 0, cells = 0; // of the canvas
    Percentiles frame;         // one frame's CPU time: layout and draw lists, without the rasteriser
    Percentiles key_press;     // from a key press to every matrix recomputed and laid out again
};

// Frames of a camera that never rests, over the network of the session's model: all of it, then nearer to one
// value after the other until its numbers can be read, along it, and out again; and letters that are typed.
Result<FrameTimes> measure_frames(Session& session, double seconds);

// Opens a model of random weights in the session: 6 + 6 layers, d_model 512, 8 heads, and 32 tokens a side.
Result<Done> open_large_model(Session& session);

} // namespace headlight
