#include "engine/base/background.h"

#include "engine/base/lasting.h"
#include "engine/base/stopwatch.h"
#include "engine/base/threads.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace headlight {

struct BackgroundWork::State {
    std::function<Portion()> portion;
    const ThreadAllowance allowance{1};
    // With a thread.
    std::mutex mutex;
    std::condition_variable wake;
    bool is_woken = false;
    std::optional<std::thread> thread;
    std::atomic<bool> has_ended = false; // its last act
    // Without.
    Portion last = Portion::more;
    bool is_at_work = false;

    static std::vector<State*>& waiting() { // for their turn
        static std::vector<State*>& all = lasting(std::vector<State*>());
        return all;
    }

    void work() {
        for (;;) {
            const Portion done = portion();
            if (done == Portion::ended) break;
            if (done == Portion::more) continue;
            std::unique_lock lock(mutex);
            wake.wait(lock, [this] { return is_woken; });
            is_woken = false;
        }
        has_ended = true;
    }

    bool can_step() const { return !is_at_work && last == Portion::more; }

    void step() {
        is_at_work = true;
        last = Portion::more; // a wake while it is at work counts
        is_woken = false;
        const Portion done = portion();
        last = is_woken && done == Portion::waits ? Portion::more : done;
        is_at_work = false;
    }
};

BackgroundWork::BackgroundWork(std::function<Portion()> portion) : state_(std::make_unique<State>()) {
    state_->portion = std::move(portion);
    if (state_->allowance.granted() > 0) {
        state_->thread.emplace([state = state_.get()] { state->work(); });
        has_begun(*state_->thread);
    } else {
        State::waiting().push_back(state_.get());
    }
}

BackgroundWork::~BackgroundWork() {
    join();
    if (!state_->thread) std::erase(State::waiting(), state_.get());
}

void BackgroundWork::wake() {
    if (!state_->thread) {
        state_->is_woken = true;
        if (state_->last == Portion::waits) state_->last = Portion::more;
        return;
    }
    {
        const std::lock_guard lock(state_->mutex);
        state_->is_woken = true;
    }
    state_->wake.notify_one();
}

void BackgroundWork::join() {
    if (!state_->thread) {
        while (state_->can_step()) state_->step();
    } else {
        headlight::join(*state_->thread, [this] { return state_->has_ended.load(); });
    }
}

void BackgroundWork::help(double seconds) {
    if (state_->thread) return;
    for (const Stopwatch watch; state_->can_step() && watch.seconds() < seconds;) state_->step();
}

bool advance_background(double seconds) {
    static std::size_t turn = 0;
    bool has_worked = false;
    const Stopwatch watch;
    do {
        auto& all = BackgroundWork::State::waiting();
        std::size_t looked_at = 0;
        while (looked_at < all.size() && !all[++turn % all.size()]->can_step()) ++looked_at;
        if (looked_at >= all.size()) break;
        all[turn % all.size()]->step();
        has_worked = true;
    } while (watch.seconds() < seconds);
    return has_worked;
}

void wait_a_moment() {
    constexpr double moment = 0.001; // seconds
    if (advance_background(moment)) return;
    std::this_thread::sleep_for(std::chrono::duration<double>(moment));
}

} // namespace headlight
