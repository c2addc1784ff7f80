#include "engine/base/giving_up.h"

#include <utility>

namespace headlight {

namespace {
thread_local const std::atomic<bool>* told_by = nullptr;
}

ListenForGivingUp::ListenForGivingUp(const std::atomic<bool>& told)
    : before_(std::exchange(told_by, &told)) {}

ListenForGivingUp::~ListenForGivingUp() { told_by = before_; }

void give_up_if_told() {
    if (told_by && *told_by) throw GivenUp();
}

} // namespace headlight
