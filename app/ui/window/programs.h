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
    std::string
        file; // session, lesson, model folder or its config.json, run: as if it was dropped on the window

    // Nothing was asked for: the window goes on where the last one was.
    bool is_plain() const {
        return model.empty() && text.empty() && script.empty() && lesson.empty() && file.empty();
    }
};

// Until the window is closed. What the person chose is remembered for the next time.
Result<Done> open_window(Session& session, const WindowRequest& request);

// Runs a script with no display and writes the pictures that it asks for. The same script gives the same
// pictures everywhere: nothing that was remembered takes part.
Result<Done> render_script(Session& session, const std::string& script);

struct ExportLines {
    std::vector<std::string> lines;
    std::string script; // of the window, comes first; empty: none
    int width = 1440, height = 900;
    bool draws = true; // else no display is opened where no script wants one
};

// Commands of a session that was told what to open, as in a window of that size.
Result<Done> export_lines(Session& session, const ExportLines& request);

} // namespace headlight
