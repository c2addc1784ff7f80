#include "engine/base/threads.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <stdexcept>
#include <string>

using namespace headlight;

TEST_CASE("workers do every piece once, whatever the numbers of threads and pieces") {
    for (const int threads : {0, 1, 2, 3, 8}) {
        Workers workers(threads);
        CHECK(workers.threads() == std::max(threads, 1));
        for (const Index count : {0, 1, 2, 7, 100}) {
            std::vector<int> done(std::size_t(count), 0); // each piece its own place: no race to count
            workers.run(count, [&](Index i) { ++done[std::size_t(i)]; });
            CHECK(done == std::vector<int>(std::size_t(count), 1));
        }
    }
}

TEST_CASE("workers stand many short jobs one after another") {
    Workers workers(3);
    Index total = 0;
    for (Index round = 0; round < 3000; ++round) {
        Index parts[5] = {};
        workers.run(round % 6, [&](Index i) { parts[i] = i + round; });
        for (Index i = 0; i < round % 6; ++i) total += parts[i] == i + round;
    }
    CHECK(total == 3000 / 6 * (0 + 1 + 2 + 3 + 4 + 5));
}

TEST_CASE("an exception of a piece reaches the caller after all pieces have ended, and work goes on") {
    for (const int threads : {1, 3}) {
        Workers workers(threads);
        for (int round = 0; round < 50; ++round) {
            std::vector<int> done(20, 0);
            const auto job = [&](Index i) {
                done[std::size_t(i)] = 1;
                if (i == 7) throw std::runtime_error("piece 7");
            };
            CHECK_THROWS_WITH_AS(workers.run(20, job), "piece 7", std::runtime_error);
            CHECK(done == std::vector<int>(20, 1));
            CHECK_NOTHROW(workers.run(20, [&](Index i) { done[std::size_t(i)] = 2; }));
            CHECK(done == std::vector<int>(20, 2));
        }
    }
}

TEST_CASE("of many exceptions one is thrown") {
    Workers workers(4);
    CHECK_THROWS_AS(workers.run(50, [](Index i) { throw std::runtime_error(std::to_string(i)); }),
                    std::runtime_error);
    CHECK_NOTHROW(workers.run(50, [](Index) {}));
}

TEST_CASE("workers without work end") {
    for (int i = 0; i < 20; ++i) Workers workers(4);
}
