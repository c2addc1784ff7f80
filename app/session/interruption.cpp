#include "app/session/interruption.h"

#include <semaphore.h>
#include <utility>

namespace headlight {

namespace {

std::atomic<bool> told_to_stop{false};
static_assert(std::atomic<bool>::is_always_lock_free, "set from a signal handler");

sem_t told; // the one thing to wait for that a signal handler may touch

void raise_flag(int) {
    told_to_stop = true;
    sem_post(&told);
}

} // namespace

Interruption::Interruption(std::function<void()> on_signal) {
    told_to_stop = false;
    sem_init(&told, 0, 0);
    if (on_signal)
        watch_ = std::thread([this, on_signal = std::move(on_signal)] {
            while (!ending_)
                if (sem_wait(&told) == 0 && !ending_) on_signal();
        });
    struct sigaction action = {};
    action.sa_handler = raise_flag;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, &interrupt_before_);
    sigaction(SIGTERM, &action, &terminate_before_);
    sigaction(SIGHUP, &action, &hang_up_before_);
    if (hang_up_before_.sa_handler == SIG_IGN) sigaction(SIGHUP, &hang_up_before_, nullptr); // nohup
}

Interruption::~Interruption() {
    sigaction(SIGINT, &interrupt_before_, nullptr);
    sigaction(SIGTERM, &terminate_before_, nullptr);
    sigaction(SIGHUP, &hang_up_before_, nullptr);
    ending_ = true;
    sem_post(&told);
    if (watch_.joinable()) watch_.join();
}

std::atomic<bool>& Interruption::flag() { return told_to_stop; }

} // namespace headlight
