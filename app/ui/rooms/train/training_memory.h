// What the training room's panels remember from frame to frame: texts that are being typed, curves thinned to
// what a plot can show. Everything else is the session's.
#pragma once

#include "app/live/run_findings.h"
#include "app/session/training/over_time.h"
#include "app/session/training/training_desk.h"
#include "app/session/training/wanted_words.h"
#include "app/ui/rooms/train/curve_store.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace headlight {

struct TrainingMemory {
    CurveStore curves;
    // At many moments: one head, one word's probability, the number that is held.
    std::optional<OverTime> head, word, held;
    unsigned long head_version = 0; // rises with every number in it
    std::optional<DeskPage> page;   // of the frame before
    std::string pairs_file;         // being typed
    std::optional<std::string> name; // being typed, in the place of the run's
    std::string setting;            // being typed, in the list that is open
    std::string target;             // being typed: what a sentence should become
    WantedWords wanted;
    std::vector<RunFinding> signs; // of the run of this name, as it was
    std::pair<std::string, std::vector<double>> of_signs;
};

} // namespace headlight
