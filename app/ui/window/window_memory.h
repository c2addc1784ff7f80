// What a window remembers from one time to the next, and how one begins with it: the same for a window of the
// desktop and for a page.
#pragma once

#include "app/session/settings.h"
#include "app/ui/window/host.h"
#include "app/ui/window/programs.h"

#include <filesystem>
#include <string>

namespace headlight {

// The model of that name or folder, or else the first that opens.
void open_model_or_any(Session& session, const std::string& wanted);

class WindowMemory {
public:
    explicit WindowMemory(std::filesystem::path file);

    const Settings& before() const { return before_; }
    // Before there is a window: language, look, model and sentence. Error: the model that was asked for by
    // name does not open.
    Result<Done> begin(Session& session, const WindowRequest& request) const;
    // Once there is one: how far somebody is; the front door for who is new. Error: the lesson that was asked
    // for.
    Result<Done> begin(Session& session, Host& host, const WindowRequest& request) const;
    // Written when it changed: a window may be killed.
    void keep(const Session& session, Host& host, int width, int height, bool maximized);

private:
    const std::filesystem::path file_;
    const Settings before_;
    Settings kept_;
};

} // namespace headlight
