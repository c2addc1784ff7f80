// Work beside the window: on a thread of its own, or, where there is none for it, a portion at a time between
// frames (advance_background). What is computed is the same; only when differs.
#pragma once

#include <functional>
#include <memory>

namespace headlight {

enum class Portion {
    more,  // there is more to do
    waits, // there is nothing to do until `wake`
    ended  // there is nothing to do any more
};

class BackgroundWork {
public:
    // `portion` is called again and again, by one thread and never within itself; it takes locks of its own.
    explicit BackgroundWork(std::function<Portion()> portion);
    ~BackgroundWork(); // joins: whoever owns endless work has told it to end, and woken it
    BackgroundWork(const BackgroundWork&) = delete;
    BackgroundWork& operator=(const BackgroundWork&) = delete;

    void wake(); // from any thread
    void join(); // until it has ended
    // For who is about to wait for a result of it: where it has no thread it is worked on here, until it ends
    // or waits, or for so many seconds. With one, nothing.
    void help(double seconds = 1e9);

private:
    struct State;
    friend bool advance_background(double seconds);
    std::unique_ptr<State> state_;
};

// Where no thread was left for it (engine/base/threads.h): works on what there is to do, in turns, for about
// so many seconds, a portion at least. False when there was nothing to do.
bool advance_background(double seconds);

// For who looks again and again whether something has come: lets it come.
void wait_a_moment();

} // namespace headlight
