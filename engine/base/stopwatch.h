// Seconds on the wall since it was made; or seconds that the calling thread has worked since, however many
// others share the machine with it.
#pragma once

#include <chrono>
#include <ctime>

namespace headlight {

class Stopwatch {
public:
    double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

private:
    using Clock = std::chrono::steady_clock;
    Clock::time_point start_ = Clock::now();
};

class ThreadStopwatch {
public:
    double seconds() const { return now() - start_; }

private:
    static double now() {
        timespec time{};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
        return double(time.tv_sec) + double(time.tv_nsec) * 1e-9;
    }
    double start_ = now();
};

} // namespace headlight
