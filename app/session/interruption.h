// Ctrl-C, SIGTERM and SIGHUP (the terminal was closed, the person logged out) as a wish to stop, so that what
// was learned is saved. A second one changes nothing: whoever cannot wait has Ctrl-\ and kill -9.
#pragma once

#include <atomic>
#include <csignal>
#include <functional>
#include <thread>

namespace headlight {

// While it lives, signals raise the flag instead of ending the program. One at a time.
class Interruption {
public:
    // on_signal: called on another thread after a signal, for who sleeps and would not see the flag.
    explicit Interruption(std::function<void()> on_signal = {});
    ~Interruption();
    Interruption(const Interruption&) = delete;
    Interruption& operator=(const Interruption&) = delete;

    std::atomic<bool>& flag();

private:
#ifndef _WIN32
    struct sigaction interrupt_before_, terminate_before_, hang_up_before_;
#endif
    std::atomic<bool> ending_ = false;
    std::thread watch_;
};

} // namespace headlight
