#include "app/session/window_sessions.h"
#include "engine/io/file.h"
#include "engine/io/folder_transaction.h"
#include "engine/io/system.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace headlight {

namespace fs = std::filesystem;

namespace {

constexpr const char* last_file = "last.headlight";
constexpr std::size_t most_abandoned = 8; // of windows that were killed, and that nobody asked for again

struct Abandoned {
    fs::path folder;
    FolderLock lock;
    fs::file_time_type time;
};

fs::file_time_type time_of(const fs::path& file) {
    std::error_code none;
    const auto time = fs::last_write_time(file, none);
    return none ? fs::file_time_type::min() : time;
}

} // namespace

std::optional<WindowSessions::Found> WindowSessions::begin(bool afresh) {
    if (folder_.empty()) return std::nullopt;
    std::error_code ignored;
    fs::create_directories(folder_, ignored);
    std::vector<Abandoned> abandoned;
    bool is_alone = true;
    for (const auto& [number, name] : numbered_folders(folder_))
        if (Result<FolderLock> lock = FolderLock::take(folder_ / name, 0))
            abandoned.push_back(
                {folder_ / name, *std::move(lock), time_of(folder_ / name / "now.headlight")});
        else
            is_alone = false;
    std::sort(abandoned.begin(), abandoned.end(),
              [](const Abandoned& a, const Abandoned& b) { return a.time > b.time; });
    for (; abandoned.size() > most_abandoned; abandoned.pop_back())
        fs::remove_all(abandoned.back().folder, ignored);

    std::optional<Found> found;
    if (!afresh && !abandoned.empty()) {
        own_ = abandoned.front().folder;
        lock_ = std::move(abandoned.front().lock);
        if (Result<std::string> lines = read_file(own_file(), longest_session))
            found = Found{*std::move(lines), own_file(), fs::exists(mark_of_start(), ignored)};
        if (found && found->ended_at_start) has_begun();
    } else {
        own_ = claim_numbered_folder(folder_);
        if (Result<FolderLock> lock = FolderLock::take(own_, 0)) lock_ = *std::move(lock);
    }
    if (!afresh && !found && is_alone)
        if (Result<std::string> lines = read_file(folder_ / last_file, longest_session)) {
            (void)write(*lines); // a window that is killed from here on is found again by this
            found = Found{*std::move(lines), folder_ / last_file};
        }
    if (found && !found->ended_at_start) (void)write_file_atomically(mark_of_start(), "");
    return found;
}

void WindowSessions::has_begun() const {
    std::error_code ignored;
    if (!own_.empty()) fs::remove(mark_of_start(), ignored);
}

fs::path WindowSessions::set_aside(const Found& found) const {
    std::error_code ignored;
    fs::path file = folder_ / "stopped.headlight";
    // What was set aside before may not have been looked at yet.
    for (int n = 2; fs::exists(file, ignored); ++n)
        file = folder_ / ("stopped-" + std::to_string(n) + ".headlight");
    (void)write_file_atomically(file, found.lines);
    return file;
}

Result<Done> WindowSessions::write(const std::string& lines) const {
    if (own_.empty()) return Done{};
    std::error_code ignored;
    fs::create_directories(own_, ignored); // somebody may have cleared up
    return write_file_atomically(own_file(), lines);
}

Result<Done> WindowSessions::close(const std::string& lines) {
    if (own_.empty()) return Done{};
    const Result<Done> written = write_file_atomically(folder_ / last_file, lines);
    std::error_code ignored;
    if (written) fs::remove_all(own_, ignored);
    lock_.reset();
    own_.clear();
    return written;
}

fs::path windows_folder() {
    const fs::path folder = data_folder();
    return folder.empty() ? folder : folder / "windows";
}

} // namespace headlight
