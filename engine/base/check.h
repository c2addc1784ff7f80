// A promise between parts of the program, checked in every build. A broken one is a fault of ours, never of
// the person's input: it throws std::logic_error with a text that names shapes and paths.
#pragma once

#include <string>
#include <string_view>

namespace headlight {

[[noreturn]] void broken_promise(const char* file, int line, std::string_view promise,
                                 const std::string& detail);

} // namespace headlight

// HEADLIGHT_CHECK(a.columns == b.columns, "matmul_nt: " + to_string(a) + " by " + to_string(b));
// The detail is evaluated only when the promise is broken.
#define HEADLIGHT_CHECK(promise, detail)                                                                     \
    do {                                                                                                     \
        if (!(promise)) ::headlight::broken_promise(__FILE__, __LINE__, #promise, detail);                   \
    } while (false)
