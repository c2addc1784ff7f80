// Ctrl-C (and SIGTERM) as a wish to stop that is seen between two steps. A second one ends the program at
// once.
#pragma once

#include <atomic>
#include <csignal>

namespace headlight {

// While it lives, signals raise the flag instead of ending the program. One at a time.
class Interruption {
public:
    Interruption();
    ~Interruption();
    Interruption(const Interruption&) = delete;
    Interruption& operator=(const Interruption&) = delete;

    std::atomic<bool>& flag();

private:
    struct sigaction interrupt_before_, terminate_before_;
};

} // namespace headlight
