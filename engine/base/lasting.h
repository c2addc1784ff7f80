// What is made once and stays until the process ends.
#pragma once

#include <utility>

namespace headlight {

// Nothing destroys it: exit(), which Xlib calls as soon as its server has gone, destroys whatever is static
// and has a destructor while other threads go on using it.
template <class T>
T& lasting(T value) {
    return *new T(std::move(value));
}

} // namespace headlight
