// What to train with when nobody says otherwise: one table a person can read, by task and by preset.
#pragma once

#include "engine/model/config.h"
#include "engine/train/trainer.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

struct Recipe {
    ModelConfig sizes; // the vocabularies and max_length are the task's
    TrainingOptions training;
    Index steps = 0;      // optimizer steps of a whole run
    bool to_zero = false; // the learning rate falls along a line, to nothing at the end (Schedule::last)
};

// By the names of tasks (engine/task/task.h); every other name: the recipe of own sentence pairs.
Recipe recipe_for(std::string_view task);

// Sizes by which speed is compared: batch × length, one vocabulary for both sides. `train --preset` takes the
// sizes of the model from it, `bench train` everything.
struct Preset {
    ModelConfig sizes;
    Index batch_size = 0, length = 0; // sequences of a step, tokens of each
};

const std::vector<std::string>& preset_names(); // "tiny", "small", "paper", "gru"
std::optional<Preset> find_preset(std::string_view name);

} // namespace headlight
