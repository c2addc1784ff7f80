// How fast training would be with more threads than this machine has: from what one thread does in a step,
// and which of it others can do beside it.
#pragma once

#include "engine/train/trainer.h"

#include <vector>

namespace headlight {

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
