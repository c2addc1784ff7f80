#include "engine/train/scale.h"

#include "engine/base/stopwatch.h"

#include <algorithm>
#include <numeric>
#include <set>

namespace headlight {

namespace {

// Reads more than any cache holds, with as many threads as there are.
double measured_bandwidth() {
    Workers workers(int(std::max(1u, std::thread::hardware_concurrency())));
    constexpr Index pieces = 64, each = Index(1) << 20; // Reals: 256 MB
    const std::vector<Real> numbers(std::size_t(pieces * each), Real(1));
    std::vector<Real> sums(std::size_t(pieces), 0);
    double best = 0;
    for (int turn = 0; turn < 3; ++turn) {
        const Stopwatch watch;
        workers.run(pieces, [&](Index i) {
            constexpr Index side_by_side = 16;
            Real sum[side_by_side] = {};
            const Real* from = numbers.data() + i * each;
            for (Index at = 0; at < each; at += side_by_side)
                for (Index k = 0; k < side_by_side; ++k) sum[k] += from[at + k];
            sums[std::size_t(i)] = std::accumulate(sum, sum + side_by_side, Real(0));
        });
        best = std::max(best, double(numbers.size() * sizeof(Real)) / watch.seconds());
    }
    return sums.front() > 0 ? best : 0; // the sums are read, so that they are not left out
}

} // namespace

double ScaleModel::seconds(int threads) const {
    std::vector<double> free_at(std::size_t(std::max(threads, 1)), 0);
    for (const double shard : shards) *std::min_element(free_at.begin(), free_at.end()) += shard;
    const double passes = *std::max_element(free_at.begin(), free_at.end());
    const double streamed = bandwidth > 0 ? streamed_bytes / bandwidth : 0;
    return serial + passes + std::max(shared / double(free_at.size()), std::min(streamed, shared));
}

ScaleModel measure_scale(Trainer& trainer, double seconds) {
    trainer.time_operations();
    const Stopwatch watch;
    double steps = 0;
    do {
        trainer.step();
        ++steps;
    } while (watch.seconds() < seconds);
    const double all = watch.seconds();

    const StepTimes& times = trainer.times();
    ScaleModel model;
    model.shared = (times.batches + times.sums + times.updates) / steps;
    double in_shards = 0;
    for (Index i = 0; i < trainer.shards(); ++i) {
        const NodeTimes& of = trainer.operation_times(i);
        const double shard = std::accumulate(of.forward.begin(), of.forward.end(), 0.0)
                             + std::accumulate(of.backward.begin(), of.backward.end(), 0.0);
        in_shards += shard;
        model.shards.push_back(shard);
    }
    // What lies between the operations is of the shards too, each in its proportion.
    for (double& shard : model.shards) shard *= times.passes / in_shards / steps;
    model.serial = std::max(0.0, all / steps - model.shared - times.passes / steps);
    // The sum reads each shard's gradient and writes one; Adam reads that, and reads and writes the weights
    // and two moments.
    const double numbers = double(trainer.parameter_count());
    model.streamed_bytes = numbers * double(sizeof(Real)) * (double(trainer.shards()) + 1 + 1 + 6);
    model.bandwidth = measured_bandwidth();
    return model;
}

TrainingMemory memory_of(const Trainer& trainer) {
    const double vector = double(trainer.parameter_count()) * double(sizeof(Real));
    TrainingMemory memory{vector, 2 * vector, double(trainer.shards()) * vector, 0};
    double numbers = 0;
    for (Index i = 0; i < trainer.shards(); ++i) {
        std::set<const Real*> gradients; // which take turns in the same memory (Graph::spare_memory)
        for (const Node& node : trainer.graph(i).nodes()) {
            if (node.is_view()) continue;
            numbers += double(node.value.size() + node.saved.size());
            if (gradients.insert(node.grad.data()).second) numbers += double(node.grad.size());
        }
    }
    memory.passes = numbers * double(sizeof(Real));
    return memory;
}

} // namespace headlight
