// Random numbers that are the same on every machine and for every number of threads: a generator is made from
// a seed and the names of what it is for (step, shard, …), never shared between threads.
#pragma once

#include "engine/tensor/real.h"

#include <cstdint>
#include <initializer_list>

namespace headlight {

// SplitMix64 (Steele, Lea & Flood 2014): one 64-bit state, full period.
class Random {
public:
    explicit Random(std::uint64_t seed) : state_(seed) {}
    // A stream of its own for each list of numbers: Random({seed, step, shard}).
    Random(std::initializer_list<std::uint64_t> names);

    std::uint64_t next();
    double uniform(); // [0, 1)
    double uniform(double low, double high) { return low + (high - low) * uniform(); }
    Index below(Index n); // 0 … n−1; n > 0
    double normal();      // mean 0, deviation 1

private:
    std::uint64_t state_;
};

} // namespace headlight
