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
    std::string lesson; // file, or name of a shipped one
};

// Until the window is closed. What the person chose is remembered for the next time.
Result<Done> open_window(Session& session, const WindowRequest& request);

// Runs a script with no display and writes the pictures that it asks for. The same script gives the same
// pictures everywhere: nothing that was remembered takes part.
Result<Done> render_script(Session& session, const std::string& script);

} // namespace headlight
