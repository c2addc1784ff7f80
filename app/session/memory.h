// The room of memory: races that ship with the program, a race of one's own, and what those who ran make of a
// sentence.
#pragma once

#include "app/live/live_race.h"
#include "app/session/loaded_model.h"
#include "app/session/page_views.h"
#include "engine/inspect/forgetting.h"
#include "engine/io/folder_transaction.h"

#include <atomic>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace headlight {

class CommandRegistry;
class Session;
struct View;

// A race in assets/races, and its racers' folders beside it: races/recall.jsonl, races/recall/lstm-10.
struct ReadyRace {
    Race race;
    std::vector<TrainedRacer> trained; // as far as they ship; their files are read when they are asked
};

// One racer's answer to the sentence.
struct RacerAnswer {
    RaceEntry entry;
    double accuracy = 0; // of its training
    std::shared_ptr<const ModelFiles> files;
    std::filesystem::path folder; // empty: of one's own race
    Forgetting forgetting;
    std::optional<HeldFact> held;  // of a recurrent network
    std::vector<std::string> read; // labels of what it was fed
    Index fact = 0, fact_end = 0;  // its rows that differ between the two facts: first, and one past the last
    bool has_room = true;          // else nothing above was computed but `read`
};

struct RacerAnswers {
    AskedRacers asked;        // as it was answered: `trained` is a distance that there is
    SentencePair pair, other; // `other`: with another fact
    std::vector<RacerAnswer> racers;
    unsigned long version = 0;

    const RacerAnswer* of(std::string_view model) const; // null: it is not there
};

class Memory {
public:
    explicit Memory(std::filesystem::path assets);
    ~Memory(); // keeps the race that is there
    Memory(const Memory&) = delete;
    Memory& operator=(const Memory&) = delete;

    // --- races
    // Reads it, once. What cannot be read is trouble.
    void look_for_ready(const std::string& task);
    bool has_ready(const std::string& task) const { return shipped_.contains(task); }
    // Null when none ships of that task, or it was not looked for.
    const ReadyRace* ready(const std::string& task) const;
    const RaceNews* own() const { return news_.get(); } // null: there is none
    // A race by this plan begins, or, when the one that is there has the same, it goes on. Error: a plan that
    // cannot be; another race is there (error.race_is_there).
    Result<Done> start(const RacePlan& plan);
    void stop();
    void forget(); // the race that is there, and what was kept of it
    bool is_going() const;
    bool wait(double seconds);

    // A race of one's own is kept in this folder, and what was kept of one is there again, resting. Each
    // window keeps its own, FOLDER/N/race, and finds that of one that is gone.
    void remember_in(const std::filesystem::path& folder);
    // To be called again and again. True when there is something new.
    bool advance();
    std::optional<Error> take_trouble() { return std::exchange(trouble_, {}); }

    // --- what they make of a sentence
    // Computed when it was not; null when nobody has run.
    const RacerAnswers* answers(const AskedRacers& asked);
    const RacerAnswers* answers() const { return answers_ ? &*answers_ : nullptr; } // the last
    // The race that is looked at; null when there is none.
    const Race* race(const AskedRacers& asked) const;
    // Distances at which there are trained racers, ascending.
    std::vector<Index> trained_distances(const AskedRacers& asked) const;

private:
    std::vector<TrainedRacer> trained(const AskedRacers& asked) const; // of all distances
    RacerAnswer answer_of(const TrainedRacer& racer, const SentencePair& pair,
                          const SentencePair& other) const;
    const Task& task_of(const std::string& name, Index distance);
    void keep();

    const std::filesystem::path assets_;
    std::filesystem::path folder_;
    std::optional<FolderLock> lock_;                        // that the folder's is this window's
    std::set<std::string> shipped_;                         // tasks of which there is a race
    std::map<std::string, std::optional<ReadyRace>> ready_; // by task, once looked for
    std::unique_ptr<LiveRace> live_;
    std::shared_ptr<const RaceNews> news_;
    struct Keeping { // of the race, beside the window
        std::atomic<bool> is_over = false;
        Result<Done> result = Done{};
        std::unique_ptr<BackgroundWork> work; // the last: what it touches is there before it
    };
    std::unique_ptr<Keeping> keeping_;
    Index kept_ = 0; // trainings of `news_` that are on disk
    std::optional<Error> trouble_;

    std::unique_ptr<Task> task_;
    std::pair<std::string, Index> task_is_;
    std::optional<RacerAnswers> answers_;
    unsigned long answered_race_ = 0; // the version of the own race's news then
    unsigned long answer_versions_ = 0;
};

// The folder of a racer that ships: assets/races/TASK/MODEL-DISTANCE.
std::filesystem::path racer_folder(const std::filesystem::path& assets, const std::string& task,
                                   const RaceEntry& entry);
// What an own racer is as a model to be opened, with examples of its task.
std::shared_ptr<LoadedModel> model_of_racer(const RacerAnswer& racer, const RacerAnswers& answers);

// race …
void add_race_commands(CommandRegistry& commands, Session& session, Memory& memory, View& all);

} // namespace headlight
