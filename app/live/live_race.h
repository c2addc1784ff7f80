// A race beside the window: a lane for each model, all of them side by side on as many threads as the machine
// has. Who has done least works next, so that no lane runs ahead because it was first. The threads own what
// they train; the window reads immutable news.
#pragma once

#include "engine/base/background.h"
#include "engine/train/race.h"

#include <atomic>
#include <condition_variable>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace headlight {

// What a lane is at.
struct LaneNews {
    std::string model;
    std::optional<RaceEntry> entry;          // that is being trained, or was last; none: not begun
    std::vector<RaceCheckpoint> checkpoints; // of that training so far
    Index step = 0;                          // of that training; 0: it has ended
    Index done = 0, entries = 0;             // trainings of this lane
};

// A model that has run, with its weights: the best of its kind at its distance.
struct TrainedRacer {
    RaceEntry entry;
    double accuracy = 0;
    std::shared_ptr<const ModelFiles> files;
};

struct RaceNews {
    Race race;
    std::vector<LaneNews> lanes;
    std::vector<TrainedRacer> trained;
    bool is_going = false;
    std::optional<Error> error; // a lane that could not go on; it ended the race
    unsigned long version = 0;  // another with everything new

    bool is_over() const { return race.done() == race.entries(); }
};

class LiveRace {
public:
    // Rests at first. `before`: what is done already, with the models that were kept of it.
    LiveRace(RacePlan plan, std::filesystem::path assets, int threads);
    LiveRace(Race before, std::vector<TrainedRacer> trained, std::filesystem::path assets, int threads);
    ~LiveRace(); // after the steps that are being made
    LiveRace(const LiveRace&) = delete;
    LiveRace& operator=(const LiveRace&) = delete;

    void go();
    void stop();           // after the steps that are being made; what was begun rests as it is
    bool is_going() const; // and there is something left to do
    // The same as before as long as nothing happened.
    std::shared_ptr<const RaceNews> news() const;
    bool wait(double seconds) const; // until it is over; false when it is not

private:
    struct Lane {
        LaneNews news;
        std::unique_ptr<RaceTraining> training;
        bool is_busy = false, is_over = false;
    };

    void begin_lanes(int threads);
    Portion work();
    void wake_all();
    Lane* next_lane();
    void train(Lane& lane, std::unique_lock<std::mutex>& lock);
    void finish(Lane& lane, const RaceResult& result);
    bool is_over() const;

    const std::filesystem::path assets_;
    mutable std::mutex mutex_;
    mutable std::condition_variable ended_;
    Race race_;
    std::vector<TrainedRacer> trained_;
    std::vector<std::unique_ptr<Lane>> lanes_;
    std::optional<Error> error_;
    bool going_ = false, ending_ = false;
    unsigned long version_ = 1;
    mutable std::shared_ptr<const RaceNews> news_;
    std::vector<std::unique_ptr<BackgroundWork>>
        workers_; // the last: everything they touch is there before them
};

// --- kept from one time to the next: a folder with race.jsonl and a model folder for each trained racer
// ------

// Of the models those alone that trainings brought from number `from` on.
Result<Done> write_live_race(const std::filesystem::path& folder, const RaceNews& news, Index from = 0);
struct KeptRace {
    Race race;
    std::vector<TrainedRacer> trained;
};
// Models that cannot be read are left out. Nothing when there is no race.
Result<std::optional<KeptRace>> read_live_race(const std::filesystem::path& folder);

} // namespace headlight
