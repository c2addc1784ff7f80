// Preparing what is large (a file of a gigabyte, its vocabulary, its examples in token ids) takes long, and
// whoever asked for it may not wait any more. Who prepares says where that would be told; every loop over
// what may be large asks, and what was begun is unwound.
#pragma once

#include <atomic>

namespace headlight {

struct GivenUp {}; // thrown; caught by who listens

// While it lives, what this thread prepares ends as soon as `told` is raised.
class ListenForGivingUp {
public:
    explicit ListenForGivingUp(const std::atomic<bool>& told);
    ~ListenForGivingUp();
    ListenForGivingUp(const ListenForGivingUp&) = delete;
    ListenForGivingUp& operator=(const ListenForGivingUp&) = delete;

private:
    const std::atomic<bool>* before_;
};

// Throws GivenUp when it was told to; never where nobody listens. Costs nothing beside what a loop does.
void give_up_if_told();

} // namespace headlight
