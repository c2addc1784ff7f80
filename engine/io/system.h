// Where this program and a person's things lie, which each system has in places of its own.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace headlight {

// The program's own file; empty where the system does not tell.
std::filesystem::path program_file();

// A variable of the environment, as UTF-8; nothing when it is not set, or empty.
std::optional<std::string> environment(const char* name);

// The person's own folder; empty where there is none.
std::filesystem::path home_folder();
// What the program remembers of a person, and what it keeps for them: ~/.config/headlight and
// ~/.local/share/headlight, or where XDG_CONFIG_HOME and XDG_DATA_HOME say; on Windows %APPDATA%\Headlight.
// Empty: nowhere.
std::filesystem::path settings_folder();
std::filesystem::path data_folder();

} // namespace headlight
