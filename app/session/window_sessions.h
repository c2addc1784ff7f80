#pragma once

#include "engine/base/result.h"
#include "engine/io/folder_transaction.h"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace headlight {

// What a window shows, as a session file (Session::as_commands), for the next start: also when the window was
// killed. Several windows share the folder, and none writes over what another one does.
//
//     N/now.headlight   of window N, as long as it lives: whoever lives holds the lock of its folder
//     last.headlight        of the window that was closed last
//     stopped.headlight     that could not be brought back

class WindowSessions {
public:
    // Empty folder: nothing is remembered.
    explicit WindowSessions(std::filesystem::path folder) : folder_(std::move(folder)) {}

    struct Found {
        std::string lines;
        std::filesystem::path file; // where they were, for errors
        // The program ended in the middle of bringing this session back: it would do so again.
        bool ended_at_start = false;
    };
    // At the start, once. What is brought back: the latest session of a window that was killed; else that of
    // the window that was closed last, unless another one is open. `afresh`: nothing is.
    std::optional<Found> begin(bool afresh);
    // What was found is brought back, and a picture of it was seen.
    void has_begun() const;
    // It cannot be brought back: it stays in a file, which a person may open.
    std::filesystem::path set_aside(const Found& found) const;

    // From any thread, one at a time.
    Result<Done> write(const std::string& lines) const;
    // The window closes.
    Result<Done> close(const std::string& lines);

private:
    std::filesystem::path own_file() const { return own_ / "now.headlight"; }
    std::filesystem::path mark_of_start() const { return own_ / "starting"; }

    std::filesystem::path folder_, own_; // of this window
    std::optional<FolderLock> lock_;
};

// $XDG_DATA_HOME/headlight/windows, or ~/.local/share/headlight/windows; empty without a home.
std::filesystem::path windows_folder();

} // namespace headlight
