#include "app/cli/training_reports.h"

#include "engine/base/stopwatch.h"
#include "engine/inspect/cost.h"
#include "engine/inspect/formulas.h"
#include "engine/inspect/statistics.h"
#include "engine/train/recipes.h"

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <thread>

namespace headlight {

namespace {

template <class Work>
double rate_of(const Work& work, double seconds) {
    const Stopwatch watch;
    double elapsed = 0;
    int times = 0;
    do {
        work();
        ++times;
        elapsed = watch.seconds();
    } while (elapsed < seconds);
    return times / elapsed;
}
template <class... Values>
void print(Terminal& terminal, const char* format, Values... values) {
    char line[200];
    std::snprintf(line, sizeof line, format, values...);
    terminal.print(line);
}

} // namespace

// Half of the time steps and the products alone take turns, so that a busy minute slows both; in the
// other half every operation is timed.
void report_operations(Terminal& terminal, Trainer& trainer, double seconds) {
    std::vector<BareProducts> products;
    for (Index i = 0; i < trainer.shards(); ++i) products.emplace_back(trainer.graph(i));
    const auto alone = [&] {
        trainer.workers().run(Index(products.size()), [&](Index i) { products[std::size_t(i)].run(); });
    };
    alone();
    constexpr int turns = 5;
    std::vector<double> rates, bare_rates, shares;
    for (int turn = 0; turn < turns; ++turn) {
        rates.push_back(rate_of([&] { trainer.step(); }, seconds / (4 * turns)));
        bare_rates.push_back(rate_of(alone, seconds / (4 * turns)));
        shares.push_back(rates.back() / bare_rates.back());
    }

    trainer.time_operations();
    const Stopwatch watch;
    Index steps = 0;
    do {
        trainer.step();
        ++steps;
    } while (watch.seconds() < seconds / 2);
    OperationCosts costs;
    for (Index i = 0; i < trainer.shards(); ++i) costs.add(trainer.graph(i), trainer.operation_times(i));

    const double threads = trainer.workers().threads();
    const double per_step = 1e3 / double(steps); // milliseconds
    print(terminal, "%-18s %10s %10s %9s %9s %9s %9s\n", "operation", "forward ms", "back ms", "MFLOP",
          "GFLOP/s", "MB", "GB/s");
    for (const OperationCost& cost : costs.dearest_first()) {
        const double flops = cost.forward.floating_point_operations + cost.backward.floating_point_operations;
        const double bytes = cost.forward.bytes + cost.backward.bytes;
        const double of_a_step = cost.seconds() / double(steps);
        print(terminal, "%-18s %10.3f %10.3f %9.2f %9.2f %9.3f %9.2f", std::string(cost.operation).c_str(),
              cost.forward.seconds * per_step, cost.backward.seconds * per_step, flops * 1e-6,
              flops / of_a_step * 1e-9, bytes * 1e-6, bytes / of_a_step * 1e-9);
    }
    const StepTimes& times = trainer.times();
    for (const auto& [name, wall] :
         {std::pair{"(batches)", times.batches}, std::pair{"(passes)", times.passes},
          std::pair{"(sums)", times.sums}, std::pair{"(Adam)", times.updates}})
        print(terminal, "%-18s %10.3f", name, wall * threads * per_step);
    print(terminal, "steps/s=%.2f products-alone/s=%.2f share=%.3f", median(rates), median(bare_rates),
          median(shares));
}

void report_scale(Terminal& terminal, const std::function<std::unique_ptr<Trainer>(int threads)>& make,
                  double resident, double seconds) {
    const int most = std::max(1, int(std::thread::hardware_concurrency()));
    const std::unique_ptr<Trainer> alone = make(1);
    alone->step(); // memory is allocated
    const ScaleModel model = measure_scale(*alone, seconds / 3);
    print(terminal,
          "serial_ms=%.3f shared_ms=%.3f shards=%td shards_ms=%.3f longest_ms=%.3f streamed_MB=%.1f "
          "memory_GB/s=%.1f",
          1e3 * model.serial, 1e3 * model.shared, Index(model.shards.size()),
          1e3 * std::accumulate(model.shards.begin(), model.shards.end(), 0.0),
          1e3 * *std::max_element(model.shards.begin(), model.shards.end()), model.streamed_bytes * 1e-6,
          model.bandwidth * 1e-9);
    for (const int threads : {1, 2, 4, 8, 16}) {
        const double expected = 1 / model.seconds(threads);
        if (threads > most) {
            print(terminal, "threads=%d expected_steps/s=%.2f", threads, expected);
            continue;
        }
        const std::unique_ptr<Trainer> trainer = make(threads);
        trainer->step();
        print(terminal, "threads=%d expected_steps/s=%.2f measured_steps/s=%.2f", threads, expected,
              rate_of([&] { trainer->step(); }, seconds / 3));
    }
    const TrainingMemory memory = memory_of(*alone);
    print(terminal, "memory_MB=%.1f parameters=%.1f moments=%.1f gradients=%.1f passes=%.1f resident_MB=%.1f",
          memory.all() * 1e-6, memory.parameters * 1e-6, memory.moments * 1e-6, memory.shard_gradients * 1e-6,
          memory.passes * 1e-6, resident * double(1 << 20) * 1e-6);
}

} // namespace headlight
