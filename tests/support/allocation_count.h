// Counts every allocation of the program, of any library and thread: malloc and all that leads to it. A
// program that links allocation_count.cpp has its own malloc; under a sanitizer, or with another C library
// than glibc, it keeps theirs and counting is not available.
#pragma once

namespace headlight::test {

bool can_count_allocations();
long allocations(); // so far, in the whole program

} // namespace headlight::test
