#include "app/session/program_version.h"

namespace headlight {

std::string program_version() { return HEADLIGHT_VERSION; }

std::string compiler_name() {
#if defined(__clang__)
    return "Clang " + std::to_string(__clang_major__) + "." + std::to_string(__clang_minor__) + "."
           + std::to_string(__clang_patchlevel__);
#elif defined(__GNUC__)
    return "GCC " + std::to_string(__GNUC__) + "." + std::to_string(__GNUC_MINOR__) + "."
           + std::to_string(__GNUC_PATCHLEVEL__);
#else
    return "C++ " + std::to_string(__cplusplus);
#endif
}

std::string system_name() {
#if defined(__EMSCRIPTEN__)
    const std::string system = "WebAssembly";
#elif defined(_WIN32)
    const std::string system = "Windows";
#elif defined(__APPLE__)
    const std::string system = "macOS";
#elif defined(__linux__)
    const std::string system = "Linux";
#else
    const std::string system = "Unix";
#endif
#if defined(__x86_64__) || defined(_M_X64)
    return system + ", x86-64";
#elif defined(__aarch64__)
    return system + ", ARM64";
#else
    return system;
#endif
}

} // namespace headlight
