// How long it takes until a window shows its first picture.
#pragma once

#include "app/bench/measuring.h"
#include "app/session/session.h"

#include <filesystem>

namespace headlight {

struct OpeningTimes {      // of a window of 1280 × 800
    Percentiles model;     // strings, the model folder, and the first sentence computed
    Percentiles graphics;  // an OpenGL context and our programs in it
    Percentiles interface; // type and colours
    Percentiles picture;   // the first frame laid out and drawn
    Percentiles whole;
};

// So often, one after the other, by the clock on the wall: without a display, drawn by whatever draws there.
// The model is one that ships, or a folder.
Result<OpeningTimes> measure_opening(const std::filesystem::path& assets, const Strings& strings,
                                     const std::string& model, int times);

} // namespace headlight
