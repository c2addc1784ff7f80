// Measures of a model by their paths: each is a small graph that stands on the model's, so every number of it
// answers with its arithmetic, and its terms lead on into the model.
//
//   measures.heads.ATTENTION.…            mean, maximum, and the scores of patterns (patterns.h)
//   measures.values.ATTENTION.…           attention weighted by what it carries
//   measures.rollout.STREAM.LAYER.…       attention rollout
//   measures.lens.STREAM.STOP.…           what is said after an earlier layer (lens.h)
//   measures.attribution.…                direct logit attribution (attribution.h)
#pragma once

#include "engine/inspect/measures/attribution.h"
#include "engine/inspect/measures/head_measures.h"
#include "engine/inspect/measures/lens.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

constexpr std::string_view measures_prefix = "measures.";
constexpr const char* attribution_name = "measures.attribution";
inline bool is_measure(std::string_view path) { return path.starts_with(measures_prefix); }

struct MeasureGraph {
    Graph graph;
    Attribution attribution; // of "measures.attribution"
};

// All that this model has, one name for each graph: "measures.lens.decoder.2". A value's path begins with the
// name of the graph that computes it.
std::vector<std::string> measure_graphs(const Model& model);

// Which of them computes a value of this path, or would; empty when none does.
std::string measure_graph_of(std::string_view path, const Model& model);

// Built on the model as it is computed now, and computed itself; it is out of date when the model computes
// again, which it must not outlive. `target`: of an attribution.
std::unique_ptr<MeasureGraph> compute_measure(const std::string& graph, const Model& model,
                                              const SweepTarget& target);

} // namespace headlight
