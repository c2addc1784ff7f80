#include "engine/model/builder.h"

#include "engine/ops/leaves.h"

namespace headlight {

Node* Builder::weight(std::string_view as, const std::string& parameter_name, Notation notation, Axes axes,
                      Index first, Index count) {
    return value(as, parameter(graph, parameters, parameter_name, gradients, first, count, axes),
                 std::move(notation));
}

Node* Builder::value(std::string_view as, Node* node, Notation notation, std::string_view family) {
    node->symbol = std::move(notation.symbol);
    map.notations.insert_or_assign(node, std::move(notation));
    return name(as, node, family);
}

} // namespace headlight
