// The program as a page: one session on one canvas, called by the browser between its own affairs.
#pragma once

#include "app/platform/web_window.h"
#include "app/ui/window/window_memory.h"

#include <memory>
#include <string>
#include <vector>

namespace headlight {

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

    // Commands of a link, a line each. The first Error; what came before it was done.
    Result<Done> follow(const std::string& link);
    // What an address carries: the session's commands, a line each.
    std::string link() const;
    void keep_settings();

private:
    Page(std::filesystem::path assets, Strings strings);

    Session session_;
    WindowMemory memory_;
    double drawing_ = 0.01; // seconds that a frame has taken lately
    std::unique_ptr<WebWindow> window_;
    std::unique_ptr<Ui> ui_;
    std::unique_ptr<Host> host_;
};

} // namespace headlight
