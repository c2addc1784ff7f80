#include "tests/engine/pytorch/reference.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace headlight::pytorch {

namespace fs = std::filesystem;

namespace {

SafetensorsFile open(const fs::path& path) {
    Result<SafetensorsFile> file = SafetensorsFile::open(path);
    REQUIRE_MESSAGE(file, path.string(), ": ", file.error().key);
    return *std::move(file);
}

} // namespace

std::vector<fs::path> folders_with(std::string_view file) {
    std::vector<fs::path> folders;
    for (const fs::directory_entry& entry :
         fs::directory_iterator(HEADLIGHT_SOURCE_DIR "/tests/data/pytorch"))
        if (fs::exists(entry.path() / file)) folders.push_back(entry.path());
    std::sort(folders.begin(), folders.end());
    return folders;
}

ModelFiles read_model(const fs::path& folder) {
    Result<ModelFiles> model = read_model_folder(folder);
    REQUIRE_MESSAGE(model, folder.string(), ": ", model.error().key);
    return *std::move(model);
}

ReferenceFile::ReferenceFile(const fs::path& path) : file_(open(path)) {}

std::vector<std::string> ReferenceFile::names() const {
    std::vector<std::string> names;
    for (const TensorEntry& entry : file_.entries()) names.push_back(entry.name);
    return names;
}

Reference ReferenceFile::read(const std::string& name) const {
    const TensorEntry* entry = file_.find(name);
    REQUIRE_MESSAGE(entry, file_.name(), " has no ", name);
    Reference reference{entry->shape, std::vector<Real>(std::size_t(entry->count))};
    REQUIRE(file_.read(*entry, reference.values.data()));
    return reference;
}

nlohmann::json ReferenceFile::metadata(const std::string& key) const {
    return nlohmann::json::parse(file_.metadata().at(key));
}

double worst_difference(const Real* ours, const Reference& reference) {
    double largest = 0, difference = 0;
    for (std::size_t i = 0; i < reference.values.size(); ++i) {
        const Real theirs = reference.values[i];
        if (std::isfinite(ours[i]) && std::isfinite(theirs)) {
            largest = std::max(largest, double(std::abs(theirs)));
            difference = std::max(difference, double(std::abs(ours[i] - theirs)));
        } else if (ours[i] != theirs) {
            return std::numeric_limits<double>::infinity();
        }
    }
    return difference == 0 ? 0 : difference / largest;
}

} // namespace headlight::pytorch
