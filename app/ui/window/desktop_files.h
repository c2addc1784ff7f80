// Lets the desktop's own chooser do what `choose` asks for, where there is one: between frames, which it
// never keeps waiting. When it does not come up the window's own takes its place.
#pragma once

#include "app/platform/desktop_chooser.h"
#include "app/session/session.h"

#include <optional>

namespace headlight {

class DesktopFiles {
public:
    explicit DesktopFiles(Session& session) : session_(session) {}

    void use(std::optional<DesktopChooser> chooser) { chooser_ = std::move(chooser); }
    // Before a frame. True while somebody chooses there: look again soon.
    bool tend();

private:
    void begin(const Choosing& choosing);
    void finish(const Choosing& choosing, std::filesystem::path chosen);

    Session& session_;
    std::optional<DesktopChooser> chooser_;
    std::optional<Choosing> asked_;
};

} // namespace headlight
