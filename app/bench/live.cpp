#include "app/bench/window_bench.h"

#include "app/platform/offscreen.h"
#include "app/session/training/training_view.h"
#include "app/ui/window/host.h"
#include "app/ui/window/main_view.h"
#include "engine/base/stopwatch.h"
#include "engine/train/training_run.h"

#include <imgui.h>

#include <algorithm>
#include <thread>

namespace headlight {

namespace {

constexpr double round_seconds = 16;

Result<std::unique_ptr<TrainingRun>> terminal_run(const TrainingSettings& settings,
                                                  const std::filesystem::path& assets) {
    Result<std::unique_ptr<Task>> task = make_task(settings.task, assets.string());
    if (!task) return task.error();
    TrainingState state;
    state.task = settings.task;
    state.options = settings.options;
    return TrainingRun::begin(*std::move(task), settings.sizes, 0, state);
}

// Adds what `work` did in so many seconds.
template <class Work>
void measure(Pace& pace, double seconds, Work work) {
    const Stopwatch watch;
    const double cpu = process_cpu_seconds();
    pace.steps += work(after(seconds));
    pace.seconds += watch.seconds();
    pace.cpu_seconds += process_cpu_seconds() - cpu;
}

Index train_until(TrainingRun& run, WallTime end) {
    std::atomic<bool> stop = false;
    std::thread clock([&] {
        std::this_thread::sleep_until(end);
        stop = true;
    });
    const Index before = run.steps();
    run.run({}, stop, [](const TrainingRecord&) {});
    clock.join();
    return run.steps() - before;
}

// The window with its trainer, driven by the clock instead of a person.
class MeasuredWindow {
public:
    MeasuredWindow(Display& display, Ui& ui, Session& session, bool drawn)
        : session_(session), ui_(ui), host_(display, ui, session), drawn_(drawn) {}

    Index minimised_until(WallTime end) {
        return train([&] { std::this_thread::sleep_until(end); });
    }

    // As often as a window draws that only waits for news of its trainer (Host::frame).
    Index watching_until(WallTime end) {
        return train([&] { draw_until(end, drawn_ ? seconds_between_news(ui_.display()) : 0.04, false); });
    }

    Index animating_until(WallTime end) {
        return train([&] { draw_until(end, 1.0 / 60, true); });
    }

    std::vector<double> frames; // seconds of this thread's work

private:
    template <class Wait>
    Index train(Wait wait) {
        const LiveTraining& training = session_.training().training;
        const Index before = training.run() ? training.run()->step() : 0;
        (void)session_.execute("train start");
        wait();
        (void)session_.execute("train pause");
        (void)session_.execute("train wait 60");
        return training.run()->step() - before;
    }

    void draw_until(WallTime end, double seconds, bool moving) {
        const auto interval = std::chrono::microseconds(long(1e6 * seconds));
        auto next = std::chrono::steady_clock::now();
        while (next < end) {
            std::this_thread::sleep_until(next);
            frame(seconds, moving);
            next = std::max(next + interval, std::chrono::steady_clock::now());
        }
    }

    void frame(double seconds, bool moving) {
        const double start = thread_cpu_seconds();
        session_.advance(seconds);
        Canvas& canvas = host_.canvas().canvas();
        if (moving && !canvas.layout().cards.empty()) move_camera(canvas, long(frames.size()));
        ui_.begin_frame();
        main_view(session_, host_.canvas(), host_.lessons());
        ImGui::Render();
        frames.push_back(thread_cpu_seconds() - start);
        if (drawn_ || frames.size() % 60 == 0) ui_.end_frame();
    }

    Session& session_;
    Ui& ui_;
    Host host_;
    const bool drawn_;
};

LivePace measure_rounds(Session& session, MeasuredWindow& window, TrainingRun& alone, double seconds) {
    const int rounds = std::max(4, int(seconds / round_seconds));
    const double share = seconds / rounds;
    const auto terminal = [&](WallTime end) { return train_until(alone, end); };
    const auto minimised = [&](WallTime end) { return window.minimised_until(end); };
    const auto watching = [&](WallTime end) { return window.watching_until(end); };
    const auto animating = [&](WallTime end) { return window.animating_until(end); };
    Pace warm_up; // memory is allocated, caches are filled
    measure(warm_up, share / 8, terminal);
    measure(warm_up, share / 8, animating);
    window.frames.clear();

    LivePace result;
    for (int round = 0; round < rounds; ++round) {
        measure(result.terminal, share / 4, terminal);
        measure(result.minimised, share / 8, minimised);
        measure(result.watching, share / 4, watching);
        measure(result.animating, 3 * share / 8, animating);
        result.late_megabytes = resident_megabytes();
        if (round < std::max(1, rounds / 4)) result.early_megabytes = result.late_megabytes;
    }
    const auto quarter = std::ptrdiff_t(window.frames.size() / 4);
    result.early_frame = percentiles_of({window.frames.begin(), window.frames.begin() + quarter});
    result.late_frame = percentiles_of({window.frames.end() - quarter, window.frames.end()});
    const LiveTraining& training = session.training().training;
    result.step = training.run()->step();
    result.moments = Index(training.run()->kept.size());
    result.timeline_megabytes = double(training.run()->kept_bytes) / double(1 << 20);
    return result;
}

} // namespace

Result<LivePace> measure_live_training(Session& session, const std::string& task, double seconds,
                                       bool drawn) {
    auto display = Offscreen::open({.width = 1280, .height = 800, .draws = true});
    if (!display) return display.error();
    auto ui = Ui::create(**display, {.dark = true});
    if (!ui) return ui.error();
    MeasuredWindow window(**display, **ui, session, drawn);
    for (const std::string& line : {"train task " + task, std::string("train set goal 0"),
                                    std::string("room train"), std::string("desk curves")})
        if (const Result<Done> done = session.execute(line); !done) return done.error();
    auto alone = terminal_run(session.training().training.settings(), session.assets());
    if (!alone) return alone.error();
    return measure_rounds(session, window, **alone, seconds);
}

} // namespace headlight
