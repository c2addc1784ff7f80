#include "engine/base/heap.h"

#include <cstdlib> // defines __GLIBC__ where it is the one

#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace headlight {

void give_memory_back() {
#if defined(__GLIBC__)
    (void)malloc_trim(0);
#endif
}

} // namespace headlight
