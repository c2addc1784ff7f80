// What the program remembers of training from one time to the next: a folder with a folder for each run.
#pragma once

#include "app/session/training/run.h"

#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace headlight {

class Memory {
public:
    struct Remembered {
        std::vector<std::unique_ptr<Run>> runs; // in the order in which they were, paused
        std::vector<Error> errors;              // of folders that cannot be read; they stay as they are
    };

    // Begins to read, beside the window.
    Memory(std::filesystem::path folder, std::size_t most_runs, Index timeline_budget);
    ~Memory(); // gives up what is not yet read
    Memory(const Memory&) = delete;
    Memory& operator=(const Memory&) = delete;

    bool is_reading() const { return !is_taken_; } // or has read what nobody has taken yet
    // Once, when all is read.
    std::optional<Remembered> take();
    std::optional<Remembered> wait(); // until it is
    // Best effort: these runs and no others are remembered from now on. What did not change is not written
    // again.
    void write(const std::vector<std::unique_ptr<Run>>& runs);

private:
    void read(std::size_t most_runs, Index timeline_budget);

    const std::filesystem::path folder_;
    std::mutex mutex_;
    std::optional<Remembered> remembered_;
    bool is_taken_ = false;               // the window's thread alone asks
    std::vector<std::string> unreadable_; // folders that are left alone
    std::thread thread_;
};

// $XDG_DATA_HOME/headlight/training, or ~/.local/share/headlight/training; empty without a home.
std::filesystem::path training_folder();

} // namespace headlight
