#include "engine/inspect/measures/lens.h"

#include "engine/base/check.h"
#include "engine/inspect/measures/as_in.h"

#include <set>

namespace headlight {

const Node* said_by(const ModelMap& map) {
    return map.output.probabilities ? map.output.probabilities : map.output.values;
}

Index lens_stops(const Model& model, const Stream& stream) {
    const std::vector<const Node*> passages = model.map.passages(stream);
    const Node* said = said_by(model.map);
    if (passages.size() < 2 || said == nullptr) return 0;
    std::set<const Node*> reached = {passages.back()};
    for (const Node& node : model.graph.nodes())
        for (const Node* input : node.inputs)
            if (reached.contains(input)) {
                if (node.recurrence) return 0; // its steps read one another: there is nothing to stop before
                reached.insert(&node);
            }
    return reached.contains(said) && said != passages.back() ? Index(passages.size()) : 0;
}

void build_lens(Graph& graph, const Model& model, const Stream& stream, Index stop) {
    const std::vector<const Node*> passages = model.map.passages(stream);
    HEADLIGHT_CHECK(stop >= 0 && stop < Index(passages.size()), "no such place to stop in " + stream.name);
    const Scope measures(graph, "measures"), lens(graph, "lens"), of(graph, stream.name),
        place(graph, std::to_string(stop));
    const auto twins =
        build_as_in(model.graph, graph, *passages.back(), *passages[std::size_t(stop)], *said_by(model.map));
    graph.alias("said", twins.at(said_by(model.map)));
}

} // namespace headlight
