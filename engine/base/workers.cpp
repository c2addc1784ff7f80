#include "engine/base/workers.h"

#include <algorithm>
#include <exception>
#include <utility>

namespace headlight {

Workers::Workers(int threads) {
    for (int i = 1; i < threads; ++i) helpers_.emplace_back([this] { work(); });
}

Workers::~Workers() {
    {
        const std::lock_guard lock(mutex_);
        ending_ = true;
    }
    start_.notify_all();
    for (std::thread& helper : helpers_) helper.join();
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

void Workers::work() {
    unsigned long seen = 0;
    for (;;) {
        {
            std::unique_lock lock(mutex_);
            start_.wait(lock, [&] { return ending_ || round_ != seen; });
            if (ending_) return;
            seen = round_;
        }
        take_pieces();
        {
            const std::lock_guard lock(mutex_);
            --busy_;
        }
        done_.notify_one();
    }
}

void Workers::run_pieces(Index count, const void* job, Call call) {
    {
        const std::lock_guard lock(mutex_);
        job_ = job;
        call_ = call;
        count_ = count;
        next_ = 0;
        busy_ = int(helpers_.size());
        failure_ = nullptr;
        ++round_;
    }
    start_.notify_all();
    take_pieces();
    std::unique_lock lock(mutex_);
    done_.wait(lock, [&] { return busy_ == 0; });
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

} // namespace headlight
