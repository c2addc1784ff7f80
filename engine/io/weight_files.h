// The weights of a model as Hugging Face stores them: one safetensors file, or several with an index.
#pragma once

#include "engine/io/safetensors.h"
#include "engine/model/family.h"

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace headlight {

class WeightFiles {
public:
    // model.safetensors of the folder, or the shards that model.safetensors.index.json names. Errors: neither
    // is there (with what is there instead, and what to do about it); an index that cannot be read, that
    // names a file elsewhere, or a tensor which its file does not hold; all of SafetensorsFile::open.
    static Result<WeightFiles> open(const std::filesystem::path& folder);

    bool has(const std::string& name) const { return places_.contains(name); }
    // Of a family's weights, in memory as `parameters` lists them; nothing is held twice. Errors: a weight
    // that is missing, of another shape, not finite, of a layer that the config does not have; a matrix under
    // two names that is not the same under both.
    // Matrices that are stored in 16 bits stay so where the model has at least `packed_from` numbers: half
    // the memory, for what the unpacking costs in every product.
    Result<Parameters> read(const Family& family, Index packed_from = 300'000'000) const;
    // Where errors about all of it point.
    const std::string& name() const { return name_; }

private:
    struct Place {
        const SafetensorsFile* file;
        const TensorEntry* entry;
    };
    Result<Done> add(const std::filesystem::path& path);
    std::vector<std::string> names_in_file(const std::string& name, const FileLayout& layout) const;
    std::vector<Place> places_of(const Parameter& parameter, const FileLayout& layout) const;
    Result<Done> check(const Parameters& parameters, const FileLayout& layout) const;
    std::map<std::string, PackedReals::Format> packed(const Parameters& parameters,
                                                      const FileLayout& layout) const;

    std::string name_;
    std::vector<std::unique_ptr<SafetensorsFile>> files_;
    std::unordered_map<std::string, Place> places_;
};

} // namespace headlight
