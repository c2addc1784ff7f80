#include "engine/inspect/landmarks.h"

#include <algorithm>

namespace headlight {

namespace {

// The part of a path before the suffix, of every path that has it.
std::vector<std::string> places_with(const Graph& graph, std::string_view suffix) {
    std::vector<std::string> places;
    for (const Node& node : graph.nodes())
        if (node.named && node.path.ends_with(suffix))
            places.push_back(node.path.substr(0, node.path.size() - suffix.size()));
    return places;
}

} // namespace

std::vector<std::string> attentions_of(const Graph& graph) {
    std::vector<std::string> attentions = places_with(graph, ".weights");
    std::erase_if(attentions, [](const std::string& path) { return !path.ends_with("_attn"); });
    return attentions;
}

std::vector<std::string> layers_of(const Graph& graph) { return places_with(graph, ".add1"); }

const Node* layer_input(const Graph& graph, std::string_view layer) {
    const Node* sum = graph.find(std::string(layer) + ".add1"); // x + f(x), wherever the norm stands
    return sum ? sum->inputs[0] : nullptr;
}

const Node* layer_output(const Graph& graph, std::string_view layer) {
    const Node* last = nullptr;
    if (!layer_input(graph, layer)) return last;
    for (const Node& node : graph.nodes())
        if (lies_in(node.path, layer)) last = &node;
    return last;
}

std::vector<const Node*> passages_of(const Graph& graph, std::string_view stack) {
    std::vector<const Node*> passages;
    if (const Node* embedded = graph.find(std::string(stack) + ".embed.output")) passages.push_back(embedded);
    for (const std::string& layer : layers_of(graph))
        if (lies_in(layer, stack)) passages.push_back(layer_output(graph, layer));
    return passages;
}

bool lies_in(std::string_view path, std::string_view place) {
    return path.starts_with(place) && (path.size() == place.size() || path[place.size()] == '.');
}

} // namespace headlight
