// The program's three ways to run the interface: in a window, from a script without a display, and measured.
#pragma once

#include "app/session/session.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace headlight {

struct WindowRequest {
    std::string model;  // folder or name of a shipped one; empty: as last time, or the translation model
    std::string text;   // the sentence; empty: as last time, or the model's first example
    std::string script; // commands to run once the window is open
};

// Until the window is closed. What the person chose is remembered for the next time.
Result<Done> open_window(Session& session, const WindowRequest& request);

// Runs a script with no display and writes the pictures that it asks for. The same script gives the same
// pictures everywhere: nothing that was remembered takes part.
Result<Done> render_script(Session& session, const std::string& script);

struct Percentiles {
    double median = 0, p90 = 0, p99 = 0, most = 0; // milliseconds
    long count = 0;
};
struct FrameTimes {
    Percentiles frame;     // one frame's CPU time: layout and draw lists, without the rasteriser
    Percentiles key_press; // from a key press to every matrix recomputed and laid out again
};
Result<FrameTimes> measure_frames(Session& session, double seconds);

} // namespace headlight
