#include "app/cli/interruption.h"

namespace headlight {

namespace {

std::atomic<bool> told_to_stop{false};
static_assert(std::atomic<bool>::is_always_lock_free, "set from a signal handler");

void raise_flag(int) { told_to_stop = true; }

} // namespace

Interruption::Interruption() {
    told_to_stop = false;
    struct sigaction action = {};
    action.sa_handler = raise_flag;
    action.sa_flags = SA_RESTART | int(SA_RESETHAND); // the second one takes its usual course
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, &interrupt_before_);
    sigaction(SIGTERM, &action, &terminate_before_);
}

Interruption::~Interruption() {
    sigaction(SIGINT, &interrupt_before_, nullptr);
    sigaction(SIGTERM, &terminate_before_, nullptr);
}

std::atomic<bool>& Interruption::flag() { return told_to_stop; }

} // namespace headlight
