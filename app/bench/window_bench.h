#pragma once

#include "app/bench/measuring.h"
#include "app/session/session.h"

#include <filesystem>
#include <functional>
#include <string>

namespace headlight {

// How long a frame takes: measured, never asserted.

struct FrameTimes {
    std::string model;
    long cards = 0, cells = 0; // of the canvas
    Percentiles frame;         // one frame's CPU time: layout and draw lists, without the rasteriser
    Percentiles film;          // likewise of the film, from beginning to end
    Percentiles key_press;     // from a key press to every matrix recomputed and laid out again
};

// Frames of a camera that never rests, over the network of the session's model: all of it, then nearer to one
// value after the other until its numbers can be read, along it, and out again; and letters that are typed.
Result<FrameTimes> measure_frames(Session& session, double seconds);

// Opens a model of random weights in the session: 6 + 6 layers, d_model 512, 8 heads, and 32 tokens a side.
Result<Done> open_large_model(Session& session);

// How long it takes until a window shows its first picture.

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

// Training beside the window: what the window takes from the trainer, and whether hours of it cost more than
// its first minutes. Measured, never asserted.

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

// A long day at the window: somebody types, steps, opens rooms, changes, trains, scrubs, reads lessons,
// saves, and resizes, hour after hour. What a round costs at the end of the day is what it cost in the
// morning: frames, memory, descriptors, threads and files are told after each. Measured, never asserted.

// The same things with every shipped model.
struct Round {
    double minutes = 0; // since the beginning, when it ended
    long commands = 0;
    Percentiles frame; // of this thread's work, drawing included where the processor draws
    Holdings held;     // when it ended
    long files = 0;    // that the window keeps between its starts
    double files_megabytes = 0;
};

// The window keeps there what it would keep at home: sessions, settings, runs. Lasts at least one round.
// Errors: no display; a command of the day that failed.
Result<Done> live_long_day(Session& session, const std::filesystem::path& folder, double seconds,
                           const std::function<void(const Round&)>& tell);

} // namespace headlight
