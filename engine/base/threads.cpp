#include "engine/base/threads.h"

#include "engine/base/stopwatch.h"

#include <algorithm>
#include <deque>
#include <mutex>

namespace headlight {

namespace {

// A thread that has ended may begin anew a little later: its page hears of the end between two frames.
constexpr double rest = 0.5; // seconds

struct Allowed {
    std::mutex mutex;
    bool pretends_none = false;
#ifdef __EMSCRIPTEN__
    std::optional<int> left = 0; // nothing: any number
#else
    std::optional<int> left;
#endif
    struct Resting {
        int threads;
        Stopwatch since;
    };
    std::deque<Resting> resting;

    void take_rested() {
        for (; !resting.empty() && resting.front().since.seconds() >= rest; resting.pop_front())
            *left += resting.front().threads;
    }
};

Allowed& allowed() {
    static Allowed& all = *new Allowed; // see lasting.h
    return all;
}

bool is_page_without() {
#if defined(__EMSCRIPTEN__) && !defined(__EMSCRIPTEN_PTHREADS__)
    return true;
#else
    return false;
#endif
}

} // namespace

bool has_threads() { return !is_page_without() && !allowed().pretends_none; }

void pretend_no_threads(bool pretend) { allowed().pretends_none = pretend; }

void allow_threads(std::optional<int> most) {
    const std::lock_guard lock(allowed().mutex);
    allowed().left = is_page_without() ? 0 : most;
    allowed().resting.clear();
}

ThreadAllowance::ThreadAllowance(int wanted) : granted_(has_threads() ? std::max(0, wanted) : 0) {
    Allowed& all = allowed();
    const std::lock_guard lock(all.mutex);
    if (!all.left) return;
    all.take_rested();
    granted_ = std::min(granted_, *all.left);
    *all.left -= granted_;
}

ThreadAllowance::~ThreadAllowance() {
    Allowed& all = allowed();
    const std::lock_guard lock(all.mutex);
    if (all.left && granted_ > 0) all.resting.push_back({granted_, {}});
}

} // namespace headlight
