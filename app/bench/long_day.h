// A long day at the window: somebody types, steps, opens rooms, changes, trains, scrubs, reads lessons,
// saves, and resizes, hour after hour. What a round costs at the end of the day is what it cost in the
// morning: frames, memory, descriptors, threads and files are told after each. Measured, never asserted.
#pragma once

#include "app/bench/measuring.h"
#include "app/session/session.h"

#include <filesystem>
#include <functional>

namespace headlight {

// The same things with every shipped model.
struct Round {
    double minutes = 0; // since the beginning, when it ended
    long commands = 0;
    Percentiles frame; // of this thread's work, drawing included where the processor draws
    Holdings held;     // when it ended
    long files = 0;    // that the window keeps between its starts
    double files_megabytes = 0;
};

// The window keeps there what it would keep at home: sessions, settings, runs. Lasts at least one round.
// Errors: no display; a command of the day that failed.
Result<Done> live_long_day(Session& session, const std::filesystem::path& folder, double seconds,
                           const std::function<void(const Round&)>& tell);

} // namespace headlight
