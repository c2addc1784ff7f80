#include "engine/base/threads.h"

#include "engine/base/stopwatch.h"
#include "engine/base/threads.h"

#include <algorithm>
#include <exception>
#include <utility>

namespace headlight {

Workers::Workers(int threads) : allowance_(threads - 1) {
    for (int i = 0; i < allowance_.granted(); ++i) has_begun(helpers_.emplace_back([this] { work(); }));
}

Workers::~Workers() {
    {
        const std::lock_guard lock(mutex_);
        busy_ = int(helpers_.size());
        ending_ = true;
    }
    start_.notify_all();
    for (std::thread& helper : helpers_) join(helper, [this] { return busy_ == 0; });
}

void Workers::take_pieces() {
    for (Index i = next_.fetch_add(1); i < count_; i = next_.fetch_add(1)) {
        try {
            call_(job_, i);
        } catch (...) {
            const std::lock_guard lock(mutex_);
            if (!failure_) failure_ = std::current_exception();
        }
    }
}

// Jobs come one upon the other while a pass is computed: whoever waits looks out for as long before it
// sleeps, because to be woken takes as long as a small job. Others who need the processor have it. Who may
// not sleep looks out until the end.
template <class Condition>
void Workers::wait_for(std::condition_variable& signal, const Condition& condition) {
    constexpr double look_out = 200e-6; // seconds
    for (const Stopwatch watch; watch.seconds() < look_out || !may_sleep(); std::this_thread::yield())
        if (condition()) return;
    std::unique_lock lock(mutex_);
    signal.wait(lock, condition);
}

void Workers::work() {
    unsigned long seen = 0;
    for (;;) {
        wait_for(start_, [&] { return ending_ || round_ != seen; });
        if (ending_) break;
        ++seen; // a round ends only when all have done with it
        take_pieces();
        if (--busy_ > 0) continue;
        { const std::lock_guard lock(mutex_); }
        done_.notify_one();
    }
    --busy_;
}

void Workers::run_pieces(Index count, const void* job, Call call) {
    job_ = job;
    call_ = call;
    count_ = count;
    next_ = 0;
    busy_ = int(helpers_.size());
    failure_ = nullptr;
    {
        const std::lock_guard lock(mutex_);
        ++round_;
    }
    start_.notify_all();
    take_pieces();
    wait_for(done_, [&] { return busy_ == 0; });
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

} // namespace headlight
