#include "app/session/assets.h"

#include "engine/io/system.h"

#include <vector>

namespace headlight {

namespace fs = std::filesystem;

namespace {

bool holds_strings(const fs::path& folder) {
    std::error_code ignored;
    return fs::is_directory(folder / "strings", ignored);
}

} // namespace

Result<fs::path> find_assets() {
    // Who names a folder means that one: another would hide the mistake.
    if (const std::optional<std::string> named = environment("HEADLIGHT_ASSETS")) {
        if (holds_strings(*named)) return fs::path(*named);
        return Error{"error.assets_missing", {*named}};
    }
    std::vector<fs::path> places;
    if (const fs::path program = program_file(); !program.empty()) {
        const fs::path folder = program.parent_path();
        places = {folder.parent_path() / "share/headlight/assets", folder / "assets",
                  folder.parent_path() / "assets"};
    }
    places.emplace_back(HEADLIGHT_SOURCE_ASSETS);
    std::string tried;
    for (const fs::path& place : places) {
        if (holds_strings(place)) return place;
        tried += (tried.empty() ? "" : ", ") + place.string();
    }
    return Error{"error.assets_missing", {tried}};
}

fs::path model_folder(const fs::path& assets, const fs::path& named) {
    std::error_code ignored;
    const fs::path shipped = assets / "models" / named;
    const bool is_name =
        !named.empty() && named.is_relative() && named.has_filename() && named.begin()->string()[0] != '.';
    return is_name && fs::is_directory(shipped, ignored) ? shipped : named;
}

fs::path find_model(const fs::path& assets, const fs::path& named) {
    std::error_code ignored;
    return fs::exists(named, ignored) ? fs::absolute(named, ignored) : model_folder(assets, named);
}

} // namespace headlight
