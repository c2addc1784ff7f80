#include "engine/model/family.h"

namespace headlight {

std::unique_ptr<Model> build_model(const ModelConfig& config, const Family* family, Parameters& parameters,
                                   const TransformerOptions& options) {
    return family ? family->build(parameters, options) : build_transformer(config, parameters, options);
}

} // namespace headlight
