#include "engine/io/system.h"

#include <cstdlib>

#ifdef _WIN32
#define WIN32_LEAN_AND_MEAN
#include <windows.h>
#endif

namespace headlight {

namespace fs = std::filesystem;

#ifdef _WIN32

fs::path program_file() {
    std::wstring name(32'768, L'\0'); // the longest there can be
    name.resize(GetModuleFileNameW(nullptr, name.data(), DWORD(name.size())));
    return name;
}

std::optional<std::string> environment(const char* name) {
    const wchar_t* value = _wgetenv(fs::path(name).c_str());
    if (!value || !*value) return std::nullopt;
    return fs::path(value).string();
}

fs::path home_folder() { return environment("USERPROFILE").value_or(""); }

fs::path settings_folder() {
    const std::optional<std::string> folder = environment("APPDATA");
    return folder ? fs::path(*folder) / "Headlight" : fs::path();
}

fs::path data_folder() { return settings_folder(); }

#else

namespace {

fs::path folder_of(const char* variable, const char* below_home) {
    if (const auto folder = environment(variable)) return fs::path(*folder) / "headlight";
    const fs::path home = home_folder();
    return home.empty() ? home : home / below_home / "headlight";
}

} // namespace

fs::path program_file() {
    std::error_code failure;
    fs::path program = fs::read_symlink("/proc/self/exe", failure);
    return failure ? fs::path() : program;
}

std::optional<std::string> environment(const char* name) {
    const char* value = std::getenv(name);
    if (!value || !*value) return std::nullopt;
    return value;
}

fs::path home_folder() { return environment("HOME").value_or(""); }
fs::path settings_folder() { return folder_of("XDG_CONFIG_HOME", ".config"); }
fs::path data_folder() { return folder_of("XDG_DATA_HOME", ".local/share"); }

#endif

} // namespace headlight
