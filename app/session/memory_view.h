// How one looks at the race over a distance, and what is asked of those who ran.
#pragma once

#include "engine/train/race.h"

#include <string>
#include <string_view>

namespace headlight {

// Who remembers how far; what of the loss reaches back how far; which cells held the answer how long.
enum class MemoryPage { race, forgetting, cells };
constexpr std::string_view memory_page_names[] = {"race", "forgetting", "cells"};

// What is drawn over the distance.
enum class RaceChart { accuracy, steps, seconds, pace };
constexpr std::string_view race_chart_names[] = {"accuracy", "steps", "seconds", "pace"};

// Of whom: of the race that ships with the program, or of one's own.
struct AskedRacers {
    std::string task = "recall";
    bool own = false;
    Index trained = 10; // the distance that they were trained at, or the nearest to it
    // And what: a held-out sentence of the task.
    Index distance = 10, sentence = 0;
    bool operator==(const AskedRacers&) const = default;
};

constexpr Index longest_asked = 100; // words between fact and question

struct MemoryView {
    MemoryPage page = MemoryPage::race;
    RaceChart chart = RaceChart::accuracy;
    AskedRacers asked;
    std::string model = "lstm"; // whose cells
    RacePlan plan{.distances = {5, 10, 20},
                  .models = {"rnn", "lstm", "transformer-1"},
                  .rates = {0.01, 0.03}}; // of the next race of one's own
};

} // namespace headlight
