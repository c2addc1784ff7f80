#pragma once

#include "app/live/cost_measuring.h"
#include "app/session/asking.h"
#include "engine/inspect/counted.h"
#include "engine/tensor/real.h"
#include "engine/train/race.h"

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

// How one looks at what layers cost.

class CommandRegistry;
struct Inquiries;
struct LayerSize;
struct View;

// Measured on this machine; or counted for the sizes of models that people know.
enum class CostsPage { measured, paper };
constexpr std::string_view costs_page_names[] = {"measured", "paper"};

// Of one sequence through one layer: seconds of a forward pass, of forward and backward, bytes of the values
// of a forward pass, multiplications of it.
enum class CostQuantity { forward, training, bytes, multiplications };
constexpr std::string_view cost_quantity_names[] = {"forward", "training", "bytes", "multiplications"};

constexpr CostPart all_cost_parts[] = {CostPart::attention, CostPart::feed_forward, CostPart::rnn,
                                       CostPart::lstm, CostPart::gru};

struct CostsView {
    CostsPage page = CostsPage::measured;
    CostQuantity quantity = CostQuantity::forward;
    bool over_width = false; // at one length; else over length, at one width
    std::array<bool, std::size(all_cost_parts)> parts = {true, true, true, false, false}; // that are shown
    bool has_lines = true; // those that grow as N and N² do
    Index context = 1024;  // tokens, on paper
    std::size_t model = 0; // of counted_models()

    bool shows(CostPart part) const { return parts[std::size_t(part)]; }
    bool operator==(const CostsView&) const = default;
};

constexpr Index shortest_context = 8, longest_context = 131'072;

// Where a curve has its points: lengths 8 … 2,048 at the width of `size`, or widths 16 … 512 at its length.
std::vector<CostOrder> cost_places(CostPart part, const LayerSize& size, bool over_width);
double quantity_of(const CostPoint& point, CostQuantity quantity);

// costs …
void add_costs_commands(CommandRegistry& commands, Inquiries& inquiries, View& view,
                        CostMeasuring& measuring);

// How gradient descent is looked at: what plays, and whether it is that of a weight of the model.

// Steps that go on by themselves.
struct DescentPlaying {
    bool on = false;
    bool is_film = false; // the way that was walked is shown once more, from its beginning
    double steps_a_second = 4;
    double clock = 0; // steps that are due, the last of them in part
};

// Of so many a second, the time that is left over in `clock`.
Index steps_due(double& clock, double seconds, double steps_a_second);

struct DescentView {
    DescentPlaying playing;
    Index point = 0;                   // whose chain of links is followed
    bool adds_second = false;          // of which kind the points are that are added
    std::optional<NamedCell> of_model; // a weight of the model takes the place of the points' weights
};

// How one looks at an answer while it is said.

class CommandRegistry;
struct Inquiries;
struct View;

// Word by word with what might have been said instead, the beams' tree, forced beside free, and what it
// costs.
enum class GenerationPage { words, beams, lanes, cost };
constexpr std::string_view generation_page_names[] = {"words", "beams", "lanes", "cost"};

struct GenerationView {
    GenerationPage page = GenerationPage::words;
    bool playing = false;
    double clock = 0; // seconds since the last pass
    bool operator==(const GenerationView&) const = default;
};
constexpr double seconds_a_pass = 0.9;

// say …
void add_generation_commands(CommandRegistry& commands, Inquiries& inquiries, View& view,
                             const std::filesystem::path& assets);

// How one looks at the race over a distance, and what is asked of those who ran.

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

// Which times of the values are looked at.

class CommandRegistry;
struct Inquiries;
struct View;

// Of what the times are: a pass forward and back, or one of them.
enum class ProfilePart { both, forward, backward };
constexpr std::string_view profile_part_names[] = {"both", "forward", "backward"};

struct ProfileView {
    bool on = false;
    ProfilePart part = ProfilePart::both;
    bool operator==(const ProfileView&) const = default;
};

// Whether times are looked at: then they are measured.
bool is_profiled(const View& view);

// profile …
void add_profile_commands(CommandRegistry& commands, Inquiries& inquiries, View& view);

// What a person sets of the page of norms.

// The batch without the longer sentence, with it, and what that changed.
enum class NormsShown { without, with, change };
constexpr std::string_view norms_shown_names[] = {"without", "with", "change"};

// Both norms of the same vectors, or two models trained with one and with the other.
enum class NormsWhat { vectors, trained };
constexpr std::string_view norms_what_names[] = {"vectors", "trained"};
constexpr std::string_view norms_task_names[] = {"copy", "reverse", "recall"};

struct NormsSetting {
    NormsWhat page = NormsWhat::vectors;
    NormsShown shown = NormsShown::without;
    std::string longer; // the sentence that comes into the batch; empty: one that is longer than the others
    Index feature = 0;  // the first that is shown
    std::string task = "reverse"; // of those that are trained, one of norms_task_names
    Index steps = 800;
    Index held_out = 0; // which sentence is looked at afterwards
    bool operator==(const NormsSetting&) const = default;
};

// What of the padded batch is looked at.

class CommandRegistry;
struct Inquiries;
struct View;

struct BatchView {
    std::optional<Index> sample; // none: the first that is padded
    std::string attention;       // "decoder.0.cross_attn"; empty: the first
    Index head = 0;
    std::optional<Index> query; // row of the attention; none: the word that looks most at <pad>
    bool operator==(const BatchView&) const = default;
};

constexpr Index largest_batch = 6; // sentences

// batch …
void add_batch_commands(CommandRegistry& commands, Inquiries& inquiries, View& view);

} // namespace headlight
