#pragma once

#include "app/platform/web_window.h"
#include "app/session/session.h"
#include "app/ui/window/window_store.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace headlight {

// The program as a page: one session on one canvas, called by the browser between its own affairs.

struct PageSize {
    int width = 1280, height = 800; // pixels of the screen
    float pixels_per_dot = 1;       // 1: 96 dots per inch
};

class Page {
public:
    // `language` is spoken unless another was chosen before; `address` is a link (link.h), empty: none.
    static Result<std::unique_ptr<Page>> open(const std::string& language, const std::string& address,
                                              const PageSize& size);

    WebWindow& window() { return *window_; }
    Session& session() { return session_; }
    // Before each picture of the screen: draws a frame if something has changed, and works on what goes on in
    // the background for what is left of so many seconds. True when it drew.
    bool frame(double seconds);

    // What is wrong with it is told in the window.
    void follow(const std::string& address);
    Result<Done> execute(const std::string& line);
    std::string link() const;  // link_of
    std::string place() const; // another one is a step of the browser's back and forward
    std::string text() const;  // window_text

    // A shipped model whose weights have not been fetched yet, and that somebody asked for since the last time;
    // empty: none. Once its files are there, what was asked for is done.
    std::string take_wanted_model();
    void model_came();

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
    struct Awaiting {
        enum What { line, link } what = line;
        std::string text;
    };
    std::string wanted_;
    std::optional<Awaiting> awaiting_;
    double drawing_ = 0.01; // seconds that a frame has taken lately
    bool has_graphics_ = true;
    std::unique_ptr<WebWindow> window_;
    std::unique_ptr<Ui> ui_;
    std::unique_ptr<Host> host_;
};

} // namespace headlight
