// What the window remembers from one time to the next: a small file in the person's own configuration folder.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace headlight {

struct Settings {
    std::string language; // empty: that of the environment
    std::string theme = "dark";
    bool presenter = false;
    int width = 1280, height = 800;
    bool maximized = false;
    bool first_steps_done = false;   // of somebody new
    std::string model;               // empty: the shipped translation model
    std::string source;              // the sentence
    std::vector<std::string> recent; // files, as the commands that open them
    std::string folder;              // where one was chosen last
    std::string lessons = {};        // how far somebody is in each
    std::string page = {};           // the address that links are made for
    std::string pace = "usual";      // of trainings that are watched, as the command has it
    bool operator==(const Settings&) const = default;
};

// $XDG_CONFIG_HOME/headlight/settings.json, or ~/.config/headlight/settings.json; empty without a home.
std::filesystem::path settings_file();

// A missing, broken or strange file is no obstacle: what it does not say well is as it was at first.
Settings read_settings(const std::filesystem::path& file);
// Best effort: a home that may not be written to is no reason to trouble anybody.
void write_settings(const std::filesystem::path& file, const Settings& settings);
// The same where several windows share the file: what changed since `before`, and the rest as it is there.
void write_changed_settings(const std::filesystem::path& file, const Settings& before, const Settings& now);

} // namespace headlight
