// Training beside the window: what the window takes from the trainer, and whether hours of it cost more than
// its first minutes. Measured, never asserted.
#pragma once

#include "app/bench/measuring.h"
#include "app/session/session.h"

#include <string>

namespace headlight {

struct Pace {
    Index steps = 0;
    double seconds = 0;     // on the wall
    double cpu_seconds = 0; // of all threads of the program

    double a_second() const { return double(steps) / seconds; }
    // What stays comparable when other programs take their share of the machine.
    double a_cpu_second() const { return double(steps) / cpu_seconds; }
};

struct LivePace {
    Pace terminal;  // the trainer alone, as `headlight train` runs it
    Pace minimised; // in the session, while the window is away
    Pace watching;  // while the window shows the newest weights, and nothing else moves
    Pace animating; // while sixty frames a second move over the canvas and the sentence is computed anew
    Percentiles early_frame, late_frame; // of the first and of the last quarter of the rounds
    double early_megabytes = 0, late_megabytes = 0;
    Index step = 0, moments = 0; // reached; kept by the time machine
    double timeline_megabytes = 0;
};

// A new run of the task in the session, in rounds of a few seconds, each with all four paces, so that they
// share whatever else the machine does. Without `drawn` frames are laid out to their draw lists and one in
// sixty is drawn: rasterising belongs to a graphics card, and without one to the processor that trains.
// Errors: no display; no such task.
Result<LivePace> measure_live_training(Session& session, const std::string& task, double seconds, bool drawn);

} // namespace headlight
