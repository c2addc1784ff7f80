#include "app/session/training/memory.h"

#include "app/session/training/run_folder.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <set>
#include <utility>

namespace headlight {

namespace fs = std::filesystem;

namespace {

// Folders are called 1, 2, 3, …: the order of the runs.
std::vector<std::pair<Index, std::string>> numbered_folders(const fs::path& folder) {
    std::vector<std::pair<Index, std::string>> numbered;
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(folder, ignored)) {
        const std::string name = entry.path().filename().string();
        Index number = 0;
        const auto [end, fault] = std::from_chars(name.data(), name.data() + name.size(), number);
        if (fault == std::errc() && end == name.data() + name.size() && entry.is_directory(ignored))
            numbered.emplace_back(number, name);
    }
    std::sort(numbered.begin(), numbered.end());
    return numbered;
}

} // namespace

Memory::Memory(fs::path folder, std::size_t most_runs, Index timeline_budget)
    : folder_(std::move(folder)),
      thread_([this, most_runs, timeline_budget] { read(most_runs, timeline_budget); }) {}

Memory::~Memory() {
    if (thread_.joinable()) thread_.join();
}

void Memory::read(std::size_t most_runs, Index timeline_budget) {
    Remembered remembered;
    std::vector<std::string> unreadable;
    for (const auto& [number, name] : numbered_folders(folder_)) {
        std::error_code ignored;
        if (!fs::exists(folder_ / name / "run.json", ignored)) continue; // cut short: never was a run
        if (remembered.runs.size() >= most_runs) {
            unreadable.push_back(name);
            continue;
        }
        Result<std::unique_ptr<Run>> run = read_run(folder_ / name, timeline_budget);
        if (!run) {
            remembered.errors.push_back(run.error());
            unreadable.push_back(name);
            continue;
        }
        (*run)->remembered_as = name;
        (*run)->is_remembered = true;
        remembered.runs.push_back(*std::move(run));
    }
    const std::lock_guard lock(mutex_);
    remembered_ = std::move(remembered);
    unreadable_ = std::move(unreadable);
}

std::optional<Memory::Remembered> Memory::take() {
    const std::lock_guard lock(mutex_);
    is_taken_ = is_taken_ || remembered_;
    return std::exchange(remembered_, std::nullopt);
}

std::optional<Memory::Remembered> Memory::wait() {
    if (thread_.joinable()) thread_.join();
    return take();
}

void Memory::write(const std::vector<std::unique_ptr<Run>>& runs) {
    std::error_code ignored;
    std::set<std::string> wanted(unreadable_.begin(), unreadable_.end());
    Index largest = 0;
    for (const auto& [number, name] : numbered_folders(folder_)) largest = std::max(largest, number);
    for (const auto& run : runs)
        if (!run->remembered_as.empty()) wanted.insert(run->remembered_as);
    for (const auto& [number, name] : numbered_folders(folder_))
        if (!wanted.contains(name)) fs::remove_all(folder_ / name, ignored);
    for (const auto& run : runs) {
        if (run->is_remembered || !run->model || run->steps.empty()) continue;
        if (run->remembered_as.empty()) run->remembered_as = std::to_string(++largest);
        run->is_remembered = bool(write_run(folder_ / run->remembered_as, *run));
    }
}

fs::path training_folder() {
    const char* data = std::getenv("XDG_DATA_HOME");
    const char* home = std::getenv("HOME");
    if (data && *data) return fs::path(data) / "headlight" / "training";
    if (home && *home) return fs::path(home) / ".local" / "share" / "headlight" / "training";
    return {};
}

} // namespace headlight
