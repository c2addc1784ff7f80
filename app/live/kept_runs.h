// What the program remembers of training from one time to the next: a folder with a folder for each run.
// Several windows may share it: each changes and removes only what it read or wrote itself and finds as it
// left it; what two of them went on with stays twice.
#pragma once

#include "app/live/run.h"
#include "app/live/run_folder.h"
#include "engine/base/background.h"
#include "engine/base/stopwatch.h"

#include <atomic>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace headlight {

class KeptRuns {
public:
    using Runs = std::vector<std::unique_ptr<Run>>;
    struct Remembered {
        Runs runs;                 // in the order in which they were, paused
        std::vector<Error> errors; // of folders that cannot be read; they stay as they are
    };

    // Begins to read, beside the window. What is trained meanwhile can be kept already.
    KeptRuns(std::filesystem::path folder, std::size_t most_runs);
    ~KeptRuns(); // gives up what is not yet read
    KeptRuns(const KeptRuns&) = delete;
    KeptRuns& operator=(const KeptRuns&) = delete;

    bool is_reading() const { return !is_taken_; } // or has read what nobody has taken yet
    // Once, when all is read.
    std::optional<Remembered> take();
    std::optional<Remembered> wait(); // until it is

    // To be called again and again: a run that changed is written, beside the window, one at a time; runs
    // that are there no more are forgotten. Returns at once. The Error of the last writing, once.
    //
    // A window that is killed loses no more of a training than a second, or five times as long as it takes to
    // write the newest weights, or as long as it takes to write all, where that is more. Only of its timeline
    // more may be missing: all of it is written as often as that takes no more than a tenth of the time.
    std::optional<Error> keep(const Runs& runs);
    // Whether `keep` has something to do, now or soon.
    bool is_behind(const Runs& runs) const;
    // A run may go and come back: its folder stays until the last time. Empty: it has none yet.
    void spare(const std::string& folder) { spared_.insert(folder); }
    // The last time: waits, and writes all that changed. The Errors of runs that could not be written.
    std::vector<Error> write(const Runs& runs);

private:
    enum class Extent { newest, all };
    struct Written { // by the thread beside the window
        std::string name;
        FolderStamp files;
        Extent extent = Extent::all;
        double seconds = 0; // that it took
        std::optional<Error> error;
    };

    void read(const std::vector<std::pair<Index, std::string>>& found, std::size_t most_runs);
    Written write_one(std::string name, const FolderStamp& files, const RunRecord& record,
                      Extent extent) const;
    bool is_due(const Run& run) const;
    std::optional<Error> settle(const Runs& runs); // what the thread has done, when it has
    std::optional<Error> take_over(Run* run, Written written);
    void forget_others(const Runs& runs);

    const std::filesystem::path folder_;
    std::mutex mutex_;
    std::optional<Remembered> remembered_;
    bool is_taken_ = false; // the window's thread alone asks
    std::unique_ptr<BackgroundWork> reader_;

    std::map<std::string, FolderStamp> own_; // folders that this window read or wrote, as it left them
    std::set<std::string> spared_;           // of them: of runs that may come back
    std::unique_ptr<BackgroundWork> writer_; // while it writes
    std::atomic<bool> has_written_ = false;
    Written written_;                             // the writer's, until has_written_
    std::shared_ptr<const RunChannel> at_writer_; // of the run that is being written: it may go meanwhile
    std::shared_ptr<RunChannel> asked_;           // of a run in training, for a whole checkpoint
    Stopwatch since_writing_, since_all_;
    double rest_ = 0, rest_of_all_ = 0; // seconds until something, until all of a run is written
};

// $XDG_DATA_HOME/headlight/training, or ~/.local/share/headlight/training; empty without a home.
std::filesystem::path training_folder();

} // namespace headlight
