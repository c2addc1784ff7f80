// One run of training as the window knows it: what was chosen, what happened so far, what was kept. Read and
// changed by the window's thread alone; the trainer's is on the other side of the channel.
#pragma once

#include "app/live/run_channel.h"
#include "app/live/run_worker.h"
#include "app/live/training_settings.h"
#include "engine/io/folder_transaction.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace headlight {

struct Run {
    struct Origin { // of a run that goes on from a checkpoint of another
        std::string run;
        Index step = 0;
        bool operator==(const Origin&) const = default;
    };

    std::string name;    // "copy 1", until somebody gives it another; distinct
    Index number = 0;    // distinct too, and its own for good; 0: not yet given
    Index colour = -1;   // likewise, among those that are there; −1: not yet given
    bool hidden = false; // its curves are not drawn
    TrainingSettings settings;
    std::optional<Origin> origin;
    Index first_step = 0; // before its own first

    std::shared_ptr<const RunModel> model; // none until it is prepared
    std::vector<StepPoint> steps;          // of first_step + 1, first_step + 2, …: not one is missing
    std::vector<Judgement> judged;         // of the held-out pairs, by step
    std::vector<JudgedExample> examples;   // of about now; see LiveTraining::ask_for_examples
    Index step_of_examples = -1;
    std::vector<KeptCheckpoint> kept; // the timeline, by step
    Index kept_bytes = 0;
    std::optional<Snapshot> newest; // weights
    double silent_units = -1;       // of the last judgement; −1: not known, or there are none

    bool training = false;
    std::optional<Pause> pause; // the last
    std::optional<Error> error; // why it failed
    double seconds = 0;         // of training, pauses not counted
    Index saved = 0;            // the last step that a file of the person's own has

    Index step() const { return first_step + Index(steps.size()); }
    double steps_per_second() const; // of the last few seconds of training; 0: not known yet
    // Until a goal is reached: steps by the pace, exact match by how it rose lately (steps_to_exact). Nothing
    // when there is no goal, or no telling.
    std::optional<double> seconds_to_goal() const;
    bool has_reached_goal() const;
    const Judgement* best() const; // of the lowest held-out loss, the first of them; nullptr: none yet
    void rename(std::string other);
    void hide(bool on);
    bool is_saved() const { return is_remembered || step() <= std::max(saved, first_step); }

    // --- for LiveTraining
    std::shared_ptr<RunChannel> channel;
    std::optional<RunPlan> plan;                // until it is prepared
    unsigned long order = 0;                    // the last that was given
    Index last_ordered = 0;                     // the step at which the order is fulfilled; 0: none
    bool is_remembered = false;                 // on disk as it is
    bool is_newest_remembered = false;          // but for some of its timeline
    std::string remembered_as;                  // its folder there; empty: none yet
    FolderStamp remembered_files;               // as this window read or wrote them last
    std::vector<std::pair<double, Index>> pace; // seconds and steps lately

    // Takes what the trainer has told since the last time. True when there was anything.
    bool take_news();
};

} // namespace headlight
