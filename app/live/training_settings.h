// What a person chooses before training: task, sizes, optimizer, where the weights begin and when to stop.
// Every choice has a name ("d_model") and is written as text, so that the panel, the commands and a saved run
// speak of it alike.
#pragma once

#include "app/live/timeline.h"
#include "engine/base/result.h"
#include "engine/model/config.h"
#include "engine/train/training_state.h"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

enum class StartFrom { random, model }; // new weights, or those of the model on the screen

struct TrainingSettings {
    std::string task = "copy";   // of task_names(), or own_pairs (engine/train/training_state.h)
    std::filesystem::path pairs; // the file, of own pairs, or of labelled lines or a text of one's own
    TokenizerKind unit = TokenizerKind::words; // by which a text of one's own is cut
    Index distance = usual_distance;           // of a task of memory (engine/task/tasks.h)
    std::optional<Architecture> model;         // of recurrent networks; none: the task's own Transformer
    ModelConfig sizes;                         // the vocabularies and max_length are the task's
    TrainingOptions options;
    StartFrom start = StartFrom::random;
    double goal_exact = 0.99; // share of held-out pairs that end the training; 0: no such goal
    Index goal_steps = 0;     // steps in all that end it; 0: no such goal
    double megabytes = double(Timeline::default_budget >> 20); // of checkpoints that are kept of it

    bool operator==(const TrainingSettings&) const = default;
    // Own pairs are meant, and no file of them was chosen yet.
    bool lacks_file() const { return task == own_pairs && pairs.empty(); }
    Index timeline_budget() const { return Index(megabytes * double(Index(1) << 20)); } // bytes
};

// Whether training on with one is training on with the other: when to stop, on how many threads and how many
// checkpoints are kept is no part of it.
bool is_same_run(TrainingSettings one, const TrainingSettings& other);

// By the recipe of the task (engine/train/recipes.h), on all threads of the machine. A text of one's own is
// never said by heart: it has no goal.
TrainingSettings settings_for(const std::string& task, const std::filesystem::path& pairs = {});
// What training.json says of them; steps are yet to be taken.
TrainingState state_of(const TrainingSettings& settings);

// "d_model", "heads", …, in the order in which a panel shows them.
const std::vector<std::string>& setting_names();
// What it is now, as text; HEADLIGHT_CHECKs the name.
std::string setting(const TrainingSettings& settings, std::string_view name);
// The settings with one of them changed. Errors: no such name, no such value, or a combination that makes no
// model: the reason says which values would.
Result<TrainingSettings> with_setting(TrainingSettings settings, std::string_view name,
                                      const std::string& value);
// The same without looking at the others, for those who set several and then check_settings.
Result<Done> set_alone(TrainingSettings& settings, std::string_view name, const std::string& value);
// Whether they make a model and a training at all.
Result<Done> check_settings(const TrainingSettings& settings);

// Values to offer for it, each possible together with the others as they are now. Of a number they are the
// usual ones; any other in the range may be typed.
std::vector<std::string> choices(const TrainingSettings& settings, std::string_view name);
struct SettingRange {
    double least = 0, most = 0;
    bool whole = false;
};
// Of a number; nothing (least == most) of a choice of words.
SettingRange range_of(std::string_view name);
// False of when to stop, on how many threads, and how many checkpoints are kept.
bool learning_depends_on(std::string_view name);
// True when only a new model can follow it: it cannot be changed for one that exists.
bool is_size(std::string_view name);

} // namespace headlight
