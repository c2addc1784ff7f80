#include "engine/model/builder.h"

#include "engine/ops/leaves.h"

namespace headlight {

Node* Builder::weight(std::string_view as, const std::string& parameter_name, Notation notation, Axes axes,
                      Index first, Index count) {
    Node*& read = weights_read[{parameter_name, first, count}];
    if (!read)
        read = value(as, parameter(graph, parameters, parameter_name, gradients, first, count, axes),
                     std::move(notation));
    return read;
}

Node* Builder::weight_if_any(std::string_view as, const std::string& parameter_name, Notation notation,
                             Axes axes, Index first, Index count) {
    if (!parameters.find(parameter_name)) return nullptr;
    return weight(as, parameter_name, std::move(notation), axes, first, count);
}

Node* Builder::kept(std::string_view as, const std::string& parameter_name, Notation notation) {
    return value(as, headlight::kept(graph, parameters, parameter_name), std::move(notation));
}

Node* Builder::value(std::string_view as, Node* node, Notation notation, std::string_view family) {
    node->symbol = std::move(notation.symbol);
    map.notations.insert_or_assign(node, std::move(notation));
    return name(as, node, family);
}

} // namespace headlight
