#include "engine/inspect/measures/measures.h"
#include "engine/base/check.h"

#include <algorithm>
#include <set>

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

namespace {

// Operations know a node by its inputs and its value alone, so one of them serves two nodes.
struct AsIn final : Op {
    explicit AsIn(const Op& of_model) : op(of_model) {}
    const Op& op;

    std::string_view name() const override { return op.name(); }
    ValueKind kind() const override { return op.kind(); }
    Axes axes(const Node& node) const override { return op.axes(node); }
    bool reads_transposed(std::size_t input) const override { return op.reads_transposed(input); }
    bool may_forbid() const override { return op.may_forbid(); }
    bool is_sum() const override { return op.is_sum(); }
    std::optional<Normalisation> normalisation() const override { return op.normalisation(); }
    bool is_mean_of_rows() const override { return op.is_mean_of_rows(); }
    Shape shape(const Node& node) const override { return op.shape(node); }
    Shape saved_shape(const Node& node) const override { return op.saved_shape(node); }
    void forward(Node& node) const override { op.forward(node); }
    void backward(Node&) const override {}
    Explanation explain(const Node& node, Cell cell) const override { return op.explain(node, cell); }
    std::optional<Regions> readers(const Node& node, std::size_t input, Cell cell) const override {
        return op.readers(node, input, cell);
    }
    Formula formula(const Node& node, const Letters& letters) const override {
        return op.formula(node, letters);
    }
    std::string equation(const Node& node, const Letters& letters) const override {
        return op.equation(node, letters);
    }
    std::string sign(const Node& node, const Letters& letters) const override {
        return op.sign(node, letters);
    }
    std::string cell_letter(std::size_t input) const override { return op.cell_letter(input); }
    std::string step_letter(std::string_view step) const override { return op.step_letter(step); }
};

// The boxes of the model around a node, once more within the present one.
class BoxesLike {
public:
    BoxesLike(Graph& graph, const GraphBox& box) : graph_(graph) { enter(box); }
    ~BoxesLike() {
        for (; entered_ > 0; --entered_) graph_.leave();
    }
    BoxesLike(const BoxesLike&) = delete;
    BoxesLike& operator=(const BoxesLike&) = delete;

private:
    void enter(const GraphBox& box) {
        if (box.parent == nullptr) return;
        enter(*box.parent);
        graph_.enter(box.name, {.level = box.level,
                                .kind = box.kind,
                                .family = box.family,
                                .number = box.number,
                                .in_paths = box.in_paths});
        ++entered_;
    }

    Graph& graph_;
    int entered_ = 0;
};

// What the model's edits change there they change here. What they copy from, they copy from the twin, or from
// the model itself as it was computed.
std::vector<Edit> edits_of_twins(const Graph& model, const std::map<const Node*, Node*>& twins) {
    std::vector<Edit> edits;
    for (Edit edit : model.edits()) {
        const Node *node = model.find(edit.path), *from = edit.from.empty() ? nullptr : model.find(edit.from);
        const auto twin = twins.find(node);
        if (twin == twins.end() || (!edit.from.empty() && (!from || from->index > node->index))) continue;
        edit.path = twin->second->path;
        if (const auto other = twins.find(from); other != twins.end()) {
            edit.from = other->second->path;
        } else if (from) {
            if (!(edit.region == Region{} && edit.from_region == Region{})) continue;
            edit.from.clear();
            edit.values = KeptTensor(from->value);
        }
        edits.push_back(std::move(edit));
    }
    return edits;
}

} // namespace

std::map<const Node*, Node*> build_as_in(const Graph& model, Graph& graph, const Node& original,
                                         const Node& substitute, const Node& last) {
    std::map<const Node*, Node*> twins;
    for (const Node& node : model.nodes()) {
        if (node.index <= original.index || node.index > last.index) continue;
        std::vector<Node*> inputs;
        bool depends = false;
        for (const Node* input : node.inputs) {
            const auto twin = twins.find(input);
            depends = depends || input == &original || twin != twins.end();
            inputs.push_back(input == &original    ? read_only(substitute)
                             : twin != twins.end() ? twin->second
                                                   : read_only(*input));
        }
        if (!depends) continue;
        Node* twin = graph.add(std::make_unique<AsIn>(*node.op), std::move(inputs));
        const BoxesLike boxes(graph, *node.box);
        if (node.named) graph.rename(twin, node.name, node.family);
        twin->symbol = node.symbol;
        twins.emplace(&node, twin);
    }
    graph.set_edits(edits_of_twins(model, twins));
    return twins;
}

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
