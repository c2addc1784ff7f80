// Waiting for a thread's end, also where the one that waits must not sleep.
#pragma once

#include <chrono>
#include <thread>

namespace headlight {

// Whether the calling thread may sleep until another one wakes it. A page's own may not: the browser counts on it, and
// what others have of it, files and new threads, they have from it.
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

} // namespace headlight
