#include "app/live/timeline.h"

#include "engine/tensor/random.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

using namespace headlight;

namespace {

constexpr std::size_t weights = 100;

Checkpoint checkpoint(Index step, bool whole) {
    Checkpoint checkpoint;
    checkpoint.step = step;
    checkpoint.weights = std::make_shared<Reals>(weights, Real(step));
    if (whole)
        checkpoint.optimizer = std::make_shared<OptimizerMoments>(
            OptimizerMoments{Reals(weights, Real(1)), Reals(weights, Real(2))});
    return checkpoint;
}

// As the trainer fills it: what is wanted, and the newest whole.
void train(Timeline& timeline, Index from, Index to) {
    for (Index step = from; step < to; ++step)
        if (timeline.wants(step)) timeline.add(checkpoint(step, timeline.wants_optimizer(step)));
    timeline.add(checkpoint(to, true));
}

std::vector<Index> steps(const Timeline& timeline) {
    std::vector<Index> all;
    for (const Checkpoint& kept : timeline.checkpoints()) all.push_back(kept.step);
    return all;
}

} // namespace

TEST_CASE("as long as there is room every step is kept") {
    Timeline timeline;
    train(timeline, 0, 300);
    CHECK(timeline.checkpoints().size() == 301);
}

TEST_CASE("whatever happens, memory is bounded, order is kept, and first and newest stay") {
    Random random(11);
    for (int trial = 0; trial < 60; ++trial) {
        const Index first = trial % 3 == 0 ? 0 : random.below(5000);
        const Index whole = checkpoint(0, true).bytes();
        const Index budget = whole * (3 + random.below(60));
        Timeline timeline(first, budget);
        Index step = first;
        timeline.add(checkpoint(step, true));
        for (int stretch = 0; stretch < 8; ++stretch) { // pauses come at any step
            const Index to = step + 1 + random.below(Index(10) << random.below(10));
            train(timeline, step + 1, to);
            step = to;
            if (random.below(4) == 0) timeline.set_budget(budget);
            CAPTURE(trial);
            CAPTURE(step);
            CHECK(timeline.bytes() <= budget);
            Index bytes = 0;
            for (const Checkpoint& kept : timeline.checkpoints()) bytes += kept.bytes();
            CHECK(bytes == timeline.bytes());
            CHECK(timeline.checkpoints().front().step == first);
            CHECK(timeline.checkpoints().back().step == step);
            CHECK(timeline.checkpoints().front().optimizer);
            CHECK(timeline.checkpoints().back().optimizer);
            const std::vector<Index> all = steps(timeline);
            CHECK(std::is_sorted(all.begin(), all.end()));
            CHECK(std::set(all.begin(), all.end()).size() == all.size());
            for (const Checkpoint& kept : timeline.checkpoints()) CHECK((*kept.weights)[0] == Real(kept.step));
        }
    }
}

TEST_CASE("what stays is dense at first, and thins by powers of two") {
    const Index last = 100'000;
    Timeline timeline(0, checkpoint(0, true).bytes() * 60);
    timeline.add(checkpoint(0, true));
    train(timeline, 1, last);
    const std::vector<Index> all = steps(timeline);
    REQUIRE(all.size() > 40);
    Index stride = 1;
    for (std::size_t i = 1; i + 1 < all.size(); ++i) { // the newest stands wherever it is
        const Index gap = all[i] - all[i - 1];
        CHECK((gap & (gap - 1)) == 0);
        CHECK(gap >= stride);
        CHECK(gap <= 2 * stride);
        stride = gap;
    }
    CHECK(all[1] == 1);
    CHECK(std::count_if(timeline.checkpoints().begin(), timeline.checkpoints().end(),
                        [](const Checkpoint& kept) { return kept.optimizer != nullptr; })
          >= std::ptrdiff_t(all.size() / 10));
}

TEST_CASE("as many moments stay as there is room for, to a factor") {
    for (const Index last : {100, 1000, 10'000, 100'000}) {
        Timeline timeline(0, checkpoint(0, false).bytes() * 100);
        timeline.add(checkpoint(0, true));
        train(timeline, 1, last);
        CHECK(timeline.checkpoints().size() >= 30);
    }
}

TEST_CASE("the nearest moment is the nearest") {
    Timeline timeline(0, checkpoint(0, true).bytes() * 12);
    timeline.add(checkpoint(0, true));
    train(timeline, 1, 1000);
    const std::vector<Index> all = steps(timeline);
    for (Index step = -5; step < 1010; ++step) {
        const Index found = all[std::size_t(timeline.nearest(step))];
        for (const Index other : all) CHECK(std::abs(found - step) <= std::abs(other - step));
    }
    CHECK(Timeline().nearest(3) == -1);
}

TEST_CASE("one goes on from the last whole moment before") {
    Timeline timeline;
    train(timeline, 0, 100);
    for (Index step = 0; step < 100; ++step) {
        const Checkpoint* whole = timeline.last_with_optimizer(step);
        REQUIRE(whole);
        CHECK(whole->step <= step);
        CHECK(whole->step > step - 8);
    }
}

TEST_CASE("the best moment and pinned ones stay however little memory there is, until they need not") {
    Timeline timeline(0, checkpoint(0, true).bytes() * 12);
    timeline.add(checkpoint(0, true));
    train(timeline, 1, 37);
    timeline.set_best(37);
    timeline.pin(37);
    train(timeline, 38, 1001);
    timeline.pin(1001);
    timeline.set_best(1001);
    train(timeline, 1002, 100'000);
    CHECK(timeline.has(37));
    CHECK(timeline.has(1001));
    CHECK(timeline.last_with_optimizer(40)->step == 37); // whole, as it was pinned
    timeline.set_budget(0);
    CHECK(steps(timeline) == std::vector<Index>{0, 37, 1001, 100'000});
    timeline.unpin(37);
    timeline.unpin(1001); // still the best
    CHECK(steps(timeline) == std::vector<Index>{0, 1001, 100'000});
    timeline.set_best(100'000);
    CHECK(steps(timeline) == std::vector<Index>{0, 100'000});
}
