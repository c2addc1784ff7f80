// Hours of training with the window open, measured. Only when asked: HEADLIGHT_SOAK says for how many
// seconds.
#include "engine/train/training_run.h"
#include "tests/app/session/training/small_training.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <thread>

#include <unistd.h>

using namespace headlight;

namespace {

using Time = std::chrono::steady_clock;

double seconds_since(Time::time_point start) {
    return std::chrono::duration<double>(Time::now() - start).count();
}

// Of all threads: what other programs do meanwhile is not counted.
double cpu_seconds() { return double(std::clock()) / CLOCKS_PER_SEC; }

double resident_megabytes() {
    long pages = 0, resident = 0;
    std::ifstream("/proc/self/statm") >> pages >> resident;
    return double(resident) * double(sysconf(_SC_PAGESIZE)) / double(1 << 20);
}

double median(std::vector<double> numbers) {
    std::nth_element(numbers.begin(), numbers.begin() + std::ptrdiff_t(numbers.size() / 2), numbers.end());
    return numbers[numbers.size() / 2];
}

// Steps of the same training in the terminal for a second of the processor's work.
double plain_pace(const TrainingSettings& settings, double seconds) {
    TrainingState state;
    state.task = settings.task;
    state.options = settings.options;
    auto task = make_task(settings.task, shipped_assets.string());
    REQUIRE(task);
    auto run = TrainingRun::begin(*std::move(task), settings.sizes, 0, state);
    REQUIRE(run);
    std::atomic<bool> stop = false;
    std::thread clock([&] {
        std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
        stop = true;
    });
    const double start = cpu_seconds();
    (*run)->run({}, stop, [](const TrainingRecord&) {});
    const double pace = double((*run)->steps()) / (cpu_seconds() - start);
    clock.join();
    return pace;
}

} // namespace

TEST_CASE("training beside the window keeps its pace, the frames theirs, and memory is bounded") {
    const char* asked = std::getenv("HEADLIGHT_SOAK");
    if (!asked) return;
    const double seconds = std::atof(asked);
    Result<Strings> strings = Strings::load(shipped_assets);
    REQUIRE(strings);
    Session session(shipped_assets, *std::move(strings));
    REQUIRE(session.execute("model translate-en-pt"));
    REQUIRE(session.execute("train task en-pt"));
    REQUIRE(session.execute("train set goal 0"));
    const double plain = plain_pace(session.training().training.settings(), std::min(60.0, seconds / 4));
    REQUIRE(session.execute("train start"));
    std::vector<double> early, late; // milliseconds of a frame's session work
    double early_memory = 0;
    const double cpu_start = cpu_seconds();
    const auto start = Time::now();
    for (double now = 0; now < seconds; now = seconds_since(start)) { // sixty frames a second
        const auto frame = Time::now();
        session.advance(1.0 / 60);
        const double work = seconds_since(frame);
        (now < seconds / 4 ? early : late).push_back(1000 * work);
        if (now < seconds / 4) early_memory = resident_megabytes();
        std::this_thread::sleep_for(std::chrono::duration<double>(std::max(0.0, 1.0 / 60 - work)));
    }
    const Run& run = *session.training().training.run();
    const double pace = double(run.step()) / (cpu_seconds() - cpu_start);
    MESSAGE("steps for a second of the processor: in the terminal " << plain << ", beside the window " << pace
                                                                    << " (" << 100 * pace / plain << " %)");
    MESSAGE("a frame's work, median ms: " << median(early) << " in the first quarter, " << median(late)
                                          << " after it");
    MESSAGE("resident MB: " << early_memory << " after the first quarter, " << resident_megabytes()
                            << " in the end; timeline "
                            << session.training().training.timeline_bytes() / (1 << 20) << " MB of "
                            << run.kept.size() << " moments up to step " << run.step());
    CHECK(pace > 0.85 * plain);
    CHECK(resident_megabytes() < early_memory + 300);
}
