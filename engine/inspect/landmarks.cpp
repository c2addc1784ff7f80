#include "engine/inspect/landmarks.h"

namespace headlight {

namespace {

template <class Places>
std::vector<std::string> paths_of(const Places& places) {
    std::vector<std::string> paths;
    for (const auto& place : places) paths.push_back(place.path);
    return paths;
}

} // namespace

std::vector<std::string> attentions_of(const ModelMap& map) { return paths_of(map.attentions); }
std::vector<std::string> layers_of(const ModelMap& map) { return paths_of(map.layers); }

} // namespace headlight
