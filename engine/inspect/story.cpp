#include "engine/inspect/story.h"

namespace headlight {

namespace {

// That of computation; but what should have been said is told when it is asked for, before the loss.
std::vector<const Node*> in_order_of_telling(const Model& model) {
    const Output& output = model.map.output;
    std::vector<const Node*> nodes;
    for (const Node& node : model.graph.nodes()) {
        if (!node.named || node.is(ValueKind::parameter) || &node == output.goal) continue;
        if (&node == output.loss && output.goal) nodes.push_back(output.goal);
        nodes.push_back(&node);
    }
    return nodes;
}

// The goal stands where it is asked for.
const GraphBox& box_of(const Node& node, const Model& model) {
    const Output& output = model.map.output;
    return &node == output.goal && output.loss ? *output.loss->box : *node.box;
}

// The names of the boxes that a path within a layer or stack has.
template <class NameOf>
std::string within_layer(const Node& value, const std::string& own, NameOf name_of) {
    std::string role = own;
    for (const GraphBox* box = value.box; box->parent != nullptr && box->level == BoxLevel::block;
         box = box->parent)
        if (box->in_paths) role = name_of(*box) + "." + role;
    return role;
}

} // namespace

std::string role_of(const Node& value) {
    return within_layer(value, value.name, [](const GraphBox& box) { return box.name; });
}

std::string family_of(const Node& value) {
    return within_layer(value, value.family, [](const GraphBox& box) { return box.family; });
}

std::string stack_of(const Node& value) {
    const GraphBox* stack = value.box->enclosing(BoxLevel::stack);
    return stack ? stack->name : std::string();
}

std::vector<StoryStep> tell(const Model& model) {
    std::vector<StoryStep> steps;
    for (const Node* node : in_order_of_telling(model)) {
        StoryStep& step = steps.emplace_back();
        step.node = node;
        write_formula(step, model.map);
        step.role = role_of(*node);
        step.family = family_of(*node);
        step.block = box_of(*node, model).path;
        step.operands.assign(node->inputs.begin(), node->inputs.end());
    }
    return steps;
}

void write_formula(StoryStep& step, const ModelMap& map) {
    WrittenFormula formula = formula_of(map, *step.node);
    step.formula = std::move(formula.text);
    step.sized = std::move(formula.sized);
    step.letters = std::move(formula.letters);
    step.sign = sign_of(map, *step.node);
}

std::vector<StoryBlock> blocks_of(const Model& model, const std::vector<StoryStep>& steps) {
    std::vector<StoryBlock> blocks;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        if (blocks.empty() || blocks.back().id != steps[i].block) {
            const GraphBox& box = box_of(*steps[i].node, model);
            const GraphBox *stack = box.enclosing(BoxLevel::stack), *layer = box.enclosing(BoxLevel::layer);
            StoryBlock& block = blocks.emplace_back();
            block.id = box.path;
            block.kind = box.kind;
            block.side = stack ? stack->name : std::string();
            block.layer = layer ? layer->number : -1;
            block.first = Index(i);
            block.attends = model.map.attention(box.path) != nullptr;
            block.in_stream = model.map.stream(block.side) != nullptr;
        }
        ++blocks.back().count;
    }
    return blocks;
}

} // namespace headlight
