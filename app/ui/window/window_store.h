// What a window remembers from one time to the next, and how one begins with it: the same for a window of the
// desktop and for a page.
#pragma once

#include "app/session/settings.h"
#include "app/session/window_sessions.h"
#include "app/ui/window/host.h"
#include "engine/base/background.h"
#include "engine/base/stopwatch.h"

#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

namespace headlight {

// The model of that name or folder, or else the first that opens.
void open_model_or_any(Session& session, const std::string& wanted);

class WindowStore {
public:
    // `sessions`: what a window shows is remembered there, too; empty: not at all.
    explicit WindowStore(std::filesystem::path settings, std::filesystem::path sessions = {});
    ~WindowStore(); // what is left is written

    const Settings& before() const { return before_; }
    // Before there is a window: language, look, and what was shown when one was closed or killed, or what was
    // asked for. Error: the model that was asked for by name does not open.
    Result<Done> begin(Session& session, const WindowRequest& request);
    // Once there is one: how far somebody is; the welcome for who is new. Error: the lesson that was asked
    // for.
    Result<Done> begin(Session& session, Host& host, const WindowRequest& request) const;

    // To be called after every frame: what changed is written, beside the window, within half a second. False
    // when it is too early to look: then there is to be a frame after seconds_between_looks.
    bool keep(Session& session, Host& host, int width, int height, bool maximized);
    static constexpr double seconds_between_looks = 0.25;
    // At once, and waits until it is written.
    void keep_now(Session& session, Host& host, int width, int height, bool maximized);
    // The window closes: what it showed is found again when the next one begins.
    void close(Session& session, Host& host, int width, int height, bool maximized);

private:
    struct State {
        Settings settings;
        std::string session; // lines
        bool operator==(const State&) const = default;
    };
    bool bring_back(Session& session);
    void tell_what_was_found(Session& session);
    State state_of(const Session& session, Host& host, int width, int height, bool maximized) const;
    void hand_over(State state);
    void tell_trouble(Session& session);
    void end_writing();
    Portion write_portion();

    const std::filesystem::path file_;
    const Settings before_;
    WindowSessions sessions_;
    bool has_found_ = false, has_told_ = false, was_seen_ = false;
    bool has_ended_at_start_ = false; // the last one: nothing that it opened is opened again
    State kept_;                      // as it was handed over last
    Stopwatch since_look_;
    bool has_looked_ = false;

    std::mutex mutex_;
    std::optional<State> to_write_;  // the latest; earlier ones that were not written are gone
    std::optional<Error> disk_full_; // told once: what a person does from here on would be lost
    bool has_told_disk_full_ = false;
    bool ends_ = false;
    Settings written_; // by the writer alone
    std::unique_ptr<BackgroundWork> writer_;
};

} // namespace headlight
