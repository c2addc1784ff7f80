#pragma once

#include "app/platform/web_window.h"
#include "app/session/session.h"
#include "app/ui/window/window_store.h"

#include <memory>
#include <string>
#include <vector>

namespace headlight {

// What the canvas says of the present step and of the number that is held, as text: for screen readers, and
// to be copied.

// Lines: where the story stands and what is said there; the held number's heading, value and arithmetic.
std::string mirrored_text(const Session& session);

// The program as a page: one session on one canvas, called by the browser between its own affairs.

struct PageSize {
    int width = 1280, height = 800; // pixels of the screen
    float pixels_per_dot = 1;       // 1: 96 dots per inch
};

class Page {
public:
    // `language` is spoken unless another was chosen before; `link` is what an address carries, empty:
    // nothing.
    static Result<std::unique_ptr<Page>> open(const std::string& language, const std::string& link,
                                              const PageSize& size);

    WebWindow& window() { return *window_; }
    Session& session() { return session_; }
    // Before each picture of the screen: draws a frame if something has changed, and works on what goes on in
    // the background for what is left of so many seconds. True when it drew.
    bool frame(double seconds);

    // Commands of a link, a line each; after an Error all is as it was.
    Result<Done> follow(const std::string& link);
    // What an address carries: the session's commands, a line each.
    std::string link() const;
    void keep_settings();
    // What it shows, in a few words.
    std::string title() const;

    // The browser has taken the graphics away: nothing is drawn, and what works in the background goes on,
    // until they are there again.
    void lose_graphics();
    Result<Done> restore_graphics();

private:
    Page(std::filesystem::path assets, Strings strings);

    Session session_;
    WindowStore memory_;
    double drawing_ = 0.01; // seconds that a frame has taken lately
    bool has_graphics_ = true;
    std::unique_ptr<WebWindow> window_;
    std::unique_ptr<Ui> ui_;
    std::unique_ptr<Host> host_;
};

} // namespace headlight
