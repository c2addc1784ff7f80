#include "engine/inspect/measures/as_in.h"

#include "engine/inspect/measures/measure_op.h"

namespace headlight {

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

} // namespace headlight
