#pragma once

#include "engine/model/config.h"
#include "engine/train/trainer.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

// What to train with when nobody says otherwise: one table a person can read, by task and by preset.

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

// How fast training would be with more threads than this machine has: from what one thread does in a step,
// and which of it others can do beside it.

struct ScaleModel {
    double serial = 0;          // seconds of a step that no thread shares (Amdahl 1967)
    double shared = 0;          // by any number: batches are made, gradients summed, weights updated
    std::vector<double> shards; // seconds of each; a shard is computed by one thread
    double streamed_bytes = 0;  // that summing and updating read and write; they are read from memory
    double bandwidth = 0;       // of memory, bytes a second, all threads of this machine together

    // Of a step. Shards are taken in their order, each by the thread that is free first.
    double seconds(int threads) const;
};

// Takes steps of a trainer with one thread for so many seconds.
ScaleModel measure_scale(Trainer& trainer, double seconds);

// What a training run holds, in bytes: weights, Adam's two moments and a gradient for each shard, 4 bytes a
// parameter; and the values and gradients of each shard's pass, which follow from the batch.
struct TrainingMemory {
    double parameters = 0, moments = 0, shard_gradients = 0, passes = 0;
    double all() const { return parameters + moments + shard_gradients + passes; }
};
TrainingMemory memory_of(const Trainer& trainer); // after a step

} // namespace headlight
