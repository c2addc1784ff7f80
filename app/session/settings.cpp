#include "app/session/settings.h"

#include "app/session/files.h"
#include "engine/io/atomic_file.h"
#include "engine/io/file.h"
#include "engine/io/folder_transaction.h"
#include "engine/io/json_text.h"
#include "engine/io/json_tree.h"
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

Settings read_settings(const std::filesystem::path& file) {
    Settings settings;
    const Result<std::string> text = read_file(file, longest_settings);
    if (!text) return settings;
    const Result<nlohmann::json> root = parse_json(*text, file.string());
    if (!root || !root->is_object()) return settings;
    const nlohmann::json& json = *root;
    const auto take = [&](const char* key, auto& value, bool right_type) {
        if (right_type) value = json[key].get<std::remove_reference_t<decltype(value)>>();
    };
    const auto has = [&](const char* key) { return json.contains(key); };
    take("language", settings.language, has("language") && json["language"].is_string());
    take("theme", settings.theme, has("theme") && json["theme"].is_string());
    take("presenter", settings.presenter, has("presenter") && json["presenter"].is_boolean());
    take("width", settings.width, has("width") && json["width"].is_number_integer());
    take("height", settings.height, has("height") && json["height"].is_number_integer());
    take("maximized", settings.maximized, has("maximized") && json["maximized"].is_boolean());
    take("first_steps_done", settings.first_steps_done,
         has("first_steps_done") && json["first_steps_done"].is_boolean());
    take("model", settings.model, has("model") && json["model"].is_string());
    take("source", settings.source, has("source") && json["source"].is_string());
    take("folder", settings.folder, has("folder") && json["folder"].is_string());
    take("lessons", settings.lessons, has("lessons") && json["lessons"].is_string());
    take("pace", settings.pace, has("pace") && json["pace"].is_string());
    if (has("recent") && json["recent"].is_array())
        for (const nlohmann::json& line : json["recent"])
            if (line.is_string()) settings.recent.push_back(line.get<std::string>());
    settings.width = std::clamp(settings.width, 640, 8192);
    settings.height = std::clamp(settings.height, 480, 8192);
    return settings;
}

void write_settings(const std::filesystem::path& file, const Settings& settings) {
    if (file.empty()) return;
    std::error_code ignored;
    std::filesystem::create_directories(file.parent_path(), ignored);
    const JsonTree json = {{"language", settings.language},
                           {"theme", settings.theme},
                           {"presenter", settings.presenter},
                           {"width", settings.width},
                           {"height", settings.height},
                           {"maximized", settings.maximized},
                           {"first_steps_done", settings.first_steps_done},
                           {"model", settings.model},
                           {"source", settings.source},
                           {"folder", settings.folder},
                           {"lessons", settings.lessons},
                           {"pace", settings.pace},
                           {"recent", settings.recent}};
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
    Settings all = std::filesystem::exists(file, ignored) ? read_settings(file) : now;
    const auto change = [&](auto Settings::*field) {
        if (now.*field != before.*field) all.*field = now.*field;
    };
    change(&Settings::language);
    change(&Settings::theme);
    change(&Settings::presenter);
    change(&Settings::width);
    change(&Settings::height);
    change(&Settings::maximized);
    change(&Settings::first_steps_done);
    change(&Settings::model);
    change(&Settings::source);
    change(&Settings::folder);
    if (now.lessons != before.lessons) all.lessons = lessons_together(before.lessons, now.lessons, all.lessons);
    change(&Settings::pace);
    if (now.recent != before.recent) all.recent = together(now.recent, all.recent);
    write_settings(file, all);
}

} // namespace headlight
