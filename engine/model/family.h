// A family of models that others made, with the sizes of one of them: which weights it has, and how it
// computes with them.
#pragma once

#include "engine/model/transformer.h"

#include <memory>

namespace headlight {

class Family {
public:
    virtual ~Family() = default;
    // Named and laid out as they stand in memory; not allocated yet.
    virtual Parameters list_parameters() const = 0;
    // As build_transformer(). The parameters are those of list_parameters().
    virtual std::unique_ptr<Model> build(Parameters& parameters, const TransformerOptions& options) const = 0;
};

// Of a family, or without one our own: all that is said by the config.
std::unique_ptr<Model> build_model(const ModelConfig& config, const Family* family, Parameters& parameters,
                                   const TransformerOptions& options = {});

} // namespace headlight
