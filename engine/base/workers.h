// Threads that work through numbered pieces of one job, and wait between jobs. Which thread takes which piece
// is left to chance; results must depend on the piece alone.
#pragma once

#include "engine/base/index.h"
#include "engine/base/threads.h"

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

namespace headlight {

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
