#pragma once

#include "engine/base/index.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace headlight {

// How many threads there may be beside the calling one: any number on a desktop; in a page none, or, where
// the browser lets a page share memory with its workers, as many as the page has started beforehand.

// Whether there are threads. A test may say that there are none; while no work is there.
bool has_threads();
void pretend_no_threads(bool pretend);

// From now on there are at most so many at once, as a page says when it begins; nothing: any number.
void allow_threads(std::optional<int> most);

// The right to some threads, held until they have ended and been joined.
class ThreadAllowance {
public:
    explicit ThreadAllowance(int wanted);
    ~ThreadAllowance();
    ThreadAllowance(const ThreadAllowance&) = delete;
    ThreadAllowance& operator=(const ThreadAllowance&) = delete;

    int granted() const { return granted_; } // 0 … wanted

private:
    int granted_;
};

// Waiting for a thread's end, also where the one that waits must not sleep.

// Whether the calling thread may sleep until another one wakes it. A page's own may not: the browser counts
// on it, and what others have of it, files and new threads, they have from it.
bool may_sleep();

// Right after a thread was begun by the one that will join it.
inline void has_begun(std::thread& thread) {
    if (!may_sleep()) thread.detach();
}

// Joins a thread of which `has_ended()` becomes true by its last act.
template <class HasEnded>
void join(std::thread& thread, const HasEnded& has_ended) {
    if (thread.joinable()) return thread.join();
    // Each such moment serves what other threads ask of the page.
    while (!has_ended()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

// Threads that work through numbered pieces of one job, and wait between jobs. Which thread takes which piece
// is left to chance; results must depend on the piece alone.

class Workers {
public:
    // The calling thread is one of them; at least 1. As many of them as there may be.
    explicit Workers(int threads);
    ~Workers();
    Workers(const Workers&) = delete;
    Workers& operator=(const Workers&) = delete;

    int threads() const { return int(helpers_.size()) + 1; }

    // Calls piece(0) … piece(count − 1), each once, and returns when all are done. Allocates nothing.
    // An exception of a piece is thrown here, after all have ended.
    template <class Piece>
    void run(Index count, const Piece& piece) {
        run_pieces(count, &piece, [](const void* job, Index i) { (*static_cast<const Piece*>(job))(i); });
    }

private:
    using Call = void (*)(const void*, Index);
    void run_pieces(Index count, const void* job, Call call);
    void work();
    void take_pieces();
    template <class Condition>
    void wait_for(std::condition_variable& signal, const Condition& condition);

    ThreadAllowance allowance_;
    std::mutex mutex_;
    std::condition_variable start_, done_;
    std::vector<std::thread> helpers_;
    const void* job_ = nullptr;
    Call call_ = nullptr;
    Index count_ = 0;
    std::atomic<Index> next_{0};
    std::atomic<unsigned long> round_ = 0; // jobs started so far: what a helper waits for
    std::atomic<int> busy_ = 0;            // helpers that have not done with the present job
    std::atomic<bool> ending_ = false;
    std::exception_ptr failure_;
};

} // namespace headlight
