#include "app/session/settings.h"

#include "app/session/files.h"
#include "engine/io/file.h"
#include "engine/io/folder_transaction.h"
#include "engine/io/json_reader.h"
#include "engine/io/system.h"

#include <algorithm>
#include <map>
#include <sstream>

namespace headlight {

constexpr Index longest_settings = 64 << 20; // bytes

std::filesystem::path settings_file() {
    const std::filesystem::path folder = settings_folder();
    return folder.empty() ? folder : folder / "settings.json";
}

namespace {

// What is remembered, each under its name in the file: `act` gets the name and the member.
template <class Act>
void for_each_setting(Act act) {
    act("language", &Settings::language);
    act("theme", &Settings::theme);
    act("presenter", &Settings::presenter);
    act("width", &Settings::width);
    act("height", &Settings::height);
    act("maximized", &Settings::maximized);
    act("first_steps_done", &Settings::first_steps_done);
    act("model", &Settings::model);
    act("source", &Settings::source);
    act("folder", &Settings::folder);
    act("lessons", &Settings::lessons);
    act("page", &Settings::page);
    act("pace", &Settings::pace);
    act("recent", &Settings::recent);
}

// What is of another type stays as it is.
void read_json(std::string& value, const nlohmann::json& json) {
    if (json.is_string()) value = json.get<std::string>();
}
void read_json(bool& value, const nlohmann::json& json) {
    if (json.is_boolean()) value = json.get<bool>();
}
void read_json(int& value, const nlohmann::json& json) {
    if (json.is_number_integer()) value = json.get<int>();
}
void read_json(std::vector<std::string>& values, const nlohmann::json& json) {
    if (!json.is_array()) return;
    for (const nlohmann::json& one : json)
        if (one.is_string()) values.push_back(one.get<std::string>());
}

} // namespace

Settings read_settings(const std::filesystem::path& file) {
    Settings settings;
    const Result<std::string> text = read_file(file, longest_settings);
    if (!text) return settings;
    const Result<nlohmann::json> json = parse_json(*text, file.string());
    if (!json || !json->is_object()) return settings;
    for_each_setting([&](const char* name, auto member) {
        if (const auto found = json->find(name); found != json->end()) read_json(settings.*member, *found);
    });
    settings.width = std::clamp(settings.width, 640, 8192);
    settings.height = std::clamp(settings.height, 480, 8192);
    return settings;
}

void write_settings(const std::filesystem::path& file, const Settings& settings) {
    if (file.empty()) return;
    std::error_code ignored;
    std::filesystem::create_directories(file.parent_path(), ignored);
    JsonTree json;
    for_each_setting([&](const char* name, auto member) { json[name] = settings.*member; });
    (void)write_file_atomically(file, json.text(2) + "\n");
}

namespace {

// What both have of late, the latest of this window first.
std::vector<std::string> together(std::vector<std::string> ours, const std::vector<std::string>& theirs) {
    for (const std::string& line : theirs)
        if (ours.size() < Files::most_recent && std::find(ours.begin(), ours.end(), line) == ours.end())
            ours.push_back(line);
    return ours;
}

// "03-name 4 0,1,;": by the lessons' names.
std::map<std::string, std::string> by_lesson(const std::string& remembered) {
    std::map<std::string, std::string> lessons;
    std::istringstream all(remembered);
    for (std::string one; std::getline(all, one, ';');) {
        const std::string name = one.substr(0, one.find(' '));
        if (!name.empty()) lessons[name] = one;
    }
    return lessons;
}

// How far somebody came in this window, and of other lessons in another.
std::string lessons_together(const std::string& before, const std::string& now, const std::string& theirs) {
    const std::map<std::string, std::string> were = by_lesson(before);
    std::map<std::string, std::string> all = by_lesson(theirs);
    for (const auto& [name, progress] : by_lesson(now)) {
        const auto was = were.find(name);
        if (was == were.end() || was->second != progress) all[name] = progress;
    }
    std::string text;
    for (const auto& [name, progress] : all) text += progress + ";";
    return text;
}

} // namespace

void write_changed_settings(const std::filesystem::path& file, const Settings& before, const Settings& now) {
    if (file.empty()) return;
    std::error_code ignored;
    std::filesystem::create_directories(file.parent_path(), ignored);
    constexpr double patience = 1; // seconds: others write a small file
    const Result<FolderLock> lock = FolderLock::take(file.parent_path(), patience);
    const Settings theirs = std::filesystem::exists(file, ignored) ? read_settings(file) : now;
    Settings all = theirs;
    for_each_setting([&](const char*, auto member) {
        if (now.*member != before.*member) all.*member = now.*member;
    });
    if (now.lessons != before.lessons)
        all.lessons = lessons_together(before.lessons, now.lessons, theirs.lessons);
    if (now.recent != before.recent) all.recent = together(now.recent, theirs.recent);
    write_settings(file, all);
}

} // namespace headlight
