// A family of models that others made, with the sizes of one of them: which weights it has, and how it
// computes with them.
#pragma once

#include "engine/model/transformer.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace headlight {

// How the weights of a family lie in its files, where that is not as they stand in memory.
struct FileLayout {
    std::string prefix = {};                  // may stand before the names: "transformer."
    std::vector<std::string> of_heads = {};   // beginnings of names that it never stands before: "lm_head."
    std::vector<std::string> transposed = {}; // endings of names of matrices that lie as [in, out]
    // Names that a matrix may have in a file beside its own: {"lm_head.weight", "wte.weight"}.
    std::vector<std::pair<std::string, std::string>> other_names = {};
};

class Family {
public:
    virtual ~Family() = default;
    // The sizes that it has in common with our own models.
    virtual ModelConfig shared_config() const = 0;
    // Named as in its files, without the prefix; linear weights are [out, in], as everywhere in memory. Not
    // allocated yet.
    virtual Parameters list_parameters() const = 0;
    virtual FileLayout file_layout() const = 0;
    // As build_transformer(). The parameters are those of list_parameters().
    virtual std::unique_ptr<Model> build(Parameters& parameters, const TransformerOptions& options) const = 0;
};

// Of a family, or without one our own: all that is said by the config.
std::unique_ptr<Model> build_model(const ModelConfig& config, const Family* family, Parameters& parameters,
                                   const TransformerOptions& options = {});

} // namespace headlight
