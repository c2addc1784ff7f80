#include "app/session/interruption.h"

#include <utility>

#ifdef _WIN32
#define WIN32_LEAN_AND_MEAN
#include <windows.h>
#else
#include <semaphore.h>
#endif

namespace headlight {

namespace {

std::atomic<bool> told_to_stop{false};
static_assert(std::atomic<bool>::is_always_lock_free, "set from a signal handler");

#ifdef _WIN32

HANDLE told = CreateEventW(nullptr, FALSE, FALSE, nullptr);

// Ctrl-C, Ctrl-Break, the terminal closed, the person logged out.
BOOL WINAPI raise_flag(DWORD) {
    told_to_stop = true;
    SetEvent(told);
    return TRUE;
}

void tell() { SetEvent(told); }
bool wait_until_told() { return WaitForSingleObject(told, INFINITE) == WAIT_OBJECT_0; }

#else

sem_t told; // the one thing to wait for that a signal handler may touch

void raise_flag(int) {
    told_to_stop = true;
    sem_post(&told);
}

void tell() { sem_post(&told); }
bool wait_until_told() { return sem_wait(&told) == 0; }

#endif

} // namespace

Interruption::Interruption(std::function<void()> on_signal) {
    told_to_stop = false;
#ifdef _WIN32
    ResetEvent(told);
#else
    sem_init(&told, 0, 0);
#endif
    if (on_signal)
        watch_ = std::thread([this, on_signal = std::move(on_signal)] {
            while (!ending_)
                if (wait_until_told() && !ending_) on_signal();
        });
#ifdef _WIN32
    SetConsoleCtrlHandler(raise_flag, TRUE);
#else
    struct sigaction action = {};
    action.sa_handler = raise_flag;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, &interrupt_before_);
    sigaction(SIGTERM, &action, &terminate_before_);
    sigaction(SIGHUP, &action, &hang_up_before_);
    if (hang_up_before_.sa_handler == SIG_IGN) sigaction(SIGHUP, &hang_up_before_, nullptr); // nohup
#endif
}

Interruption::~Interruption() {
#ifdef _WIN32
    SetConsoleCtrlHandler(raise_flag, FALSE);
#else
    sigaction(SIGINT, &interrupt_before_, nullptr);
    sigaction(SIGTERM, &terminate_before_, nullptr);
    sigaction(SIGHUP, &hang_up_before_, nullptr);
#endif
    ending_ = true;
    tell();
    if (watch_.joinable()) watch_.join();
}

std::atomic<bool>& Interruption::flag() { return told_to_stop; }

} // namespace headlight
