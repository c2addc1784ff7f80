#include "engine/model/weights.h"

#include "engine/ops/leaves.h"

namespace headlight {

Node* Weights::get(std::string_view as, const std::string& parameter_name, Index first, Index count) {
    return name(as, parameter(graph, parameters, parameter_name, gradients, first, count));
}

} // namespace headlight
