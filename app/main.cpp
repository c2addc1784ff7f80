#include "app/cli/command.h"

#include <cstdlib>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#ifdef _WIN32
#include "app/windows_arguments.h"
#endif

int main(int count, char** words) {
#ifdef _WIN32
    headlight::WindowsArguments arguments; // UTF-8, as everywhere else
    if (const auto status = arguments.run_for_this_processor()) return *status;
    count = arguments.count();
    words = arguments.words();
#endif
#ifdef __GLIBC__
    // Products of large matrices pack their operands again and again: the memory for it is kept, not given
    // back and asked for each time. A key press in a model of GPT-2's size is a sixth quicker.
    mallopt(M_MMAP_THRESHOLD, 32 << 20);
    mallopt(M_TRIM_THRESHOLD, 256 << 20);
#endif
    return headlight::run_command_line(count, words);
}
