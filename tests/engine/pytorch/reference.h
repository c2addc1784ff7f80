// What PyTorch computed (tests/data/pytorch), read and compared.
#pragma once

#include "engine/io/model_folder.h"
#include "engine/io/safetensors.h"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace headlight::pytorch {

// The references are computed in double and stored as float: in double only that rounding is left.
constexpr double tolerance = std::is_same_v<Real, double> ? 1e-6 : 2e-4;

// The model folders that hold `file`, in the order of their names.
std::vector<std::filesystem::path> folders_with(std::string_view file);

ModelFiles read_model(const std::filesystem::path& folder);

struct Reference {
    std::vector<Index> shape;
    std::vector<Real> values;
};

class ReferenceFile {
public:
    explicit ReferenceFile(const std::filesystem::path& path);

    std::vector<std::string> names() const;
    Reference read(const std::string& name) const;
    nlohmann::json metadata(const std::string& key) const; // the text, parsed

private:
    SafetensorsFile file_;
};

// The largest difference, relative to the largest finite magnitude of the reference. Infinite when anything
// that is not finite is not the same in both.
double worst_difference(const Real* ours, const Reference& reference);

} // namespace headlight::pytorch
