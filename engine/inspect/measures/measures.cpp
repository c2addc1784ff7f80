#include "engine/inspect/measures/measures.h"

#include "engine/base/check.h"

#include <algorithm>

namespace headlight {

namespace {

// Each graph's name, and what builds it.
template <class Visit>
void for_each_measure(const Model& model, Visit visit) {
    const ModelMap& map = model.map;
    for (const Attention& attention : map.attentions) {
        visit("measures.heads." + attention.path,
              [&](MeasureGraph& made) { build_head_scores(made.graph, attention); });
        visit("measures.values." + attention.path,
              [&](MeasureGraph& made) { build_value_weighted(made.graph, attention); });
    }
    for (const Stream& stream : map.streams) {
        const bool attends =
            std::any_of(map.attentions.begin(), map.attentions.end(),
                        [&](const Attention& a) { return a.is_self() && a.query_tokens() == stream.tokens; });
        if (attends)
            visit("measures.rollout." + stream.name,
                  [&](MeasureGraph& made) { build_rollout(made.graph, map, stream); });
        for (Index stop = 0; stop < lens_stops(model, stream); ++stop)
            visit("measures.lens." + stream.name + "." + std::to_string(stop),
                  [&](MeasureGraph& made) { build_lens(made.graph, model, stream, stop); });
    }
}

} // namespace

std::vector<std::string> measure_graphs(const Model& model) {
    std::vector<std::string> names;
    for_each_measure(model, [&](std::string graph, const auto&) { names.push_back(std::move(graph)); });
    if (has_linear_way(model.map)) names.emplace_back(attribution_name);
    return names;
}

std::string measure_graph_of(std::string_view path, const Model& model) {
    if (!is_measure(path)) return {};
    for (std::string& graph : measure_graphs(model))
        if (lies_in(path, graph)) return std::move(graph);
    return {};
}

std::unique_ptr<MeasureGraph> compute_measure(const std::string& graph, const Model& model,
                                              const SweepTarget& target) {
    auto made = std::make_unique<MeasureGraph>();
    made->graph.stand_on(model.graph);
    if (graph == attribution_name)
        made->attribution = build_attribution(made->graph, model, target);
    else
        for_each_measure(model, [&](const std::string& one, const auto& build) {
            if (one == graph) build(*made);
        });
    made->graph.forward();
    return made;
}

} // namespace headlight
