#include "tests/support/allocation_count.h"

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdlib>

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define HEADLIGHT_COUNTS_ALLOCATIONS
#endif

namespace {
std::atomic<long> count{0};
}

#ifdef HEADLIGHT_COUNTS_ALLOCATIONS

// A definition in the program stands before the C library's, for every shared library, too. operator new ends
// here as well.
extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
void __libc_free(void*);

void* malloc(std::size_t size) {
    ++count;
    return __libc_malloc(size);
}
void* calloc(std::size_t n, std::size_t size) {
    ++count;
    return __libc_calloc(n, size);
}
void* realloc(void* old, std::size_t size) {
    ++count;
    return __libc_realloc(old, size);
}
void* memalign(std::size_t alignment, std::size_t size) {
    ++count;
    return __libc_memalign(alignment, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
    ++count;
    return __libc_memalign(alignment, size);
}
int posix_memalign(void** result, std::size_t alignment, std::size_t size) {
    ++count;
    *result = __libc_memalign(alignment, size);
    return *result ? 0 : ENOMEM;
}
void free(void* p) { __libc_free(p); }
}

namespace headlight::test {
bool can_count_allocations() { return true; }
} // namespace headlight::test

#else

namespace headlight::test {
bool can_count_allocations() { return false; }
} // namespace headlight::test

#endif

namespace headlight::test {
long allocations() { return count; }
} // namespace headlight::test
