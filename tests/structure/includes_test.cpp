// Folders see only downward: a file includes from its own folder and from those listed before it.
#include "tests/support/matches.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

// From the ground up. Folders in one line do not know one another.
const std::vector<std::vector<std::string>> floors = {
    {"engine/base"},
    {"engine/tensor"},
    {"engine/graph"},
    {"engine/model", "engine/ops", "engine/text"}, // see `neighbours`
    {"engine/model/families"},
    {"engine/decode", "engine/inspect", "engine/io"},
    {"engine/inspect/measures"},
    {"engine/language"},
    {"engine/task"},
    {"engine/train"},
    {"app/live", "app/platform"},
    {"app/look", "app/session", "app/session/training"},
    {"app/lessons"},
    {"app/canvas", "app/picture", "app/ui/base"},
    {"app/ui/widgets"},
    {"app/ui/values"},
    {"app/ui/asking", "app/ui/changes"},
    {"app/ui/canvas", "app/ui/step"},
    {"app/ui/closeup", "app/ui/files"},
    {"app/ui/lessons", "app/ui/rooms"},
    {"app/ui/rooms/cabinet", "app/ui/rooms/costs", "app/ui/rooms/descent", "app/ui/rooms/explore",
     "app/ui/rooms/heads", "app/ui/rooms/ground_up", "app/ui/rooms/memory", "app/ui/rooms/norms",
     "app/ui/rooms/fixed_weights", "app/ui/rooms/say", "app/ui/rooms/what_if"},
    {"app/ui/rooms/train"}, // a small net's way down is trained there too
    {"app/ui/window"},
    {"app/bench", "app/handout", "app/web"},
    {"app/cli"},
    {"app"},
};

// Neighbours that do know one another: leaves of the graph hold the parameters by which modules name them,
// and a vocabulary and a model's sizes agree on the ids of the special tokens; a training belongs to its
// session.
const std::set<std::pair<std::string, std::string>> neighbours = {
    {"engine/ops", "engine/model"},          {"engine/model", "engine/ops"},
    {"engine/text", "engine/model"},         {"app/session", "app/session/training"},
    {"app/session/training", "app/session"},
};

std::map<std::string, std::size_t> floor_of_folders() {
    std::map<std::string, std::size_t> floor;
    for (std::size_t i = 0; i < floors.size(); ++i)
        for (const std::string& folder : floors[i]) floor[folder] = i;
    return floor;
}

std::vector<fs::path> sources(const fs::path& root) {
    std::vector<fs::path> found;
    for (const char* top : {"engine", "app"})
        for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root / top))
            if (entry.path().extension() == ".h" || entry.path().extension() == ".cpp")
                found.push_back(fs::relative(entry.path(), root));
    return found;
}

// "app/ui/base" of `#include "app/ui/base/ui.h"`: those that begin at the root of the sources.
std::multiset<std::string> included_folders(const fs::path& file) {
    std::ifstream text(file);
    return headlight::test::matches({std::istreambuf_iterator<char>(text), std::istreambuf_iterator<char>()},
                                    R"(^#include "((?:engine|app)/[^"]*)/[^/"]+")");
}

} // namespace

TEST_CASE("no folder includes upwards or sideways") {
    const fs::path root = HEADLIGHT_SOURCE_DIR;
    const std::map<std::string, std::size_t> floor = floor_of_folders();
    const std::vector<fs::path> files = sources(root);
    CHECK(files.size() > 100);
    for (const fs::path& file : files) {
        const std::string from = file.parent_path().string();
        CAPTURE(file.string());
        REQUIRE_MESSAGE(floor.contains(from), "a folder that stands on no floor yet");
        for (const std::string& to : included_folders(root / file)) {
            CAPTURE(to);
            REQUIRE(floor.contains(to));
            CHECK((to == from || floor.at(to) < floor.at(from) || neighbours.contains({from, to})));
        }
    }
}

// See engine/base/lasting.h.
TEST_CASE("nothing that a thread beside the window can reach is destroyed while it still runs") {
    const fs::path root = HEADLIGHT_SOURCE_DIR;
    for (const fs::path& file : sources(root)) {
        const std::string name = file.generic_string();
        if (!name.starts_with("engine/") && !name.starts_with("app/live/")) continue;
        std::ifstream text(root / file);
        const std::multiset<std::string> destroyed = headlight::test::matches(
            {std::istreambuf_iterator<char>(text), std::istreambuf_iterator<char>()},
            R"(^\s+static (?:const )?((?:std::(?!atomic|size_t)|json|[A-Z](?!ndex))[\w:]*(?:<[^;=(){}]*>)? \w+(?:\[|\{|;| = )))");
        CHECK_MESSAGE(destroyed.empty(), name, ": ", destroyed.empty() ? "" : *destroyed.begin());
    }
}
