#include "engine/inspect/story.h"
#include "engine/base/check.h"

#include <algorithm>
#include <string_view>

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

namespace {

GradientLetters letters_of(const ModelMap& map, const Node& reader) {
    GradientLetters letters{symbol_of(map, reader)};
    for (const Node* input : reader.inputs) letters.inputs.push_back(symbol_of(map, *input));
    return letters;
}

// The readers of a node that the loss depends on, last computed first, each with the input that it reads by.
struct Reading {
    const Node* reader;
    std::size_t input;
};

// For every node, by its index; empty for those that the loss does not depend on.
std::vector<std::vector<Reading>> readings(const Model& model) {
    std::vector<std::vector<Reading>> of(model.graph.nodes().size());
    std::vector<bool> matters(of.size(), false);
    matters[std::size_t(model.map.output.loss->index)] = true;
    for (Index i = model.map.output.loss->index; i >= 0; --i) {
        const Node& reader = model.graph.nodes()[std::size_t(i)];
        if (!matters[std::size_t(i)]) continue;
        for (std::size_t input = 0; input < reader.inputs.size(); ++input) {
            const Node& read = reader.input(input);
            if (!read.needs_grad) continue;
            matters[std::size_t(read.index)] = true;
            of[std::size_t(read.index)].push_back({&reader, input});
        }
    }
    return of;
}

void add_once(std::vector<const Node*>& nodes, const Node* node) {
    if (std::find(nodes.begin(), nodes.end(), node) == nodes.end()) nodes.push_back(node);
}

// The sum of what the readers hand back. Layers of a stack write the same term: it stands once, behind a sum
// over the layers.
void fill_formula(BackwardStep& step, const std::vector<Reading>& read_by, const ModelMap& map) {
    struct Term {
        std::string text;
        int times;
    };
    std::vector<Term> terms;
    std::string where;
    for (const Reading& reading : read_by) {
        const Node& reader = *reading.reader;
        const GradientTerm part = reader.op->gradient_term(reader, reading.input, letters_of(map, reader));
        add_once(step.gradients_from, reading.reader);
        for (const Node* value : part.values) add_once(step.values_from, value);
        const auto same = std::find_if(terms.begin(), terms.end(),
                                       [&](const Term& term) { return term.text == part.term; });
        if (same != terms.end())
            ++same->times;
        else
            terms.push_back({part.term, 1});
        if (!part.where.empty() && where.find(part.where) == where.npos) where += ", \\quad " + part.where;
    }
    step.formula = GradientLetters::slope_of(symbol_of(map, *step.node)) + " = ";
    for (std::size_t i = 0; i < terms.size(); ++i)
        step.formula +=
            (i > 0 ? " + " : "") + std::string(terms[i].times > 1 ? "\\sum_{l} " : "") + terms[i].text;
    step.formula += where;
}

BackwardStep step_of(const Node& node, const std::vector<Reading>& read_by, const ModelMap& map) {
    BackwardStep step;
    step.node = &node;
    step.role = role_of(node);
    step.is_weight = node.is(ValueKind::parameter);
    step.block = (step.is_weight ? *read_by.back().reader : node).box->path; // γ stands where its norm does
    if (read_by.empty())
        step.formula = GradientLetters::slope_of(symbol_of(map, node)) + " = 1";
    else
        fill_formula(step, read_by, map);
    return step;
}

} // namespace

std::vector<BackwardStep> tell_backward(const Model& model) {
    HEADLIGHT_CHECK(model.map.output.loss, "a backward pass needs a loss");
    const std::vector<std::vector<Reading>> read_by = readings(model);
    const auto is_weight = [](const Node& node) { return node.is(ValueKind::parameter); };
    std::vector<BackwardStep> steps;
    for (Index i = model.map.output.loss->index; i >= 0; --i) {
        const Node& node = model.graph.nodes()[std::size_t(i)];
        const std::vector<Reading>& readers = read_by[std::size_t(i)];
        if (is_weight(node) || (readers.empty() && &node != model.map.output.loss)) continue;
        steps.push_back(step_of(node, readers, model.map));
        // All that read a weight have had their turn when the first of them has.
        for (const Node* input : node.inputs)
            if (const std::vector<Reading>& of_weight = read_by[std::size_t(input->index)];
                is_weight(*input) && !of_weight.empty() // what is given and not learned has none
                && of_weight.back().reader == &node)
                steps.push_back(step_of(*input, of_weight, model.map));
    }
    return steps;
}

std::vector<std::string> gradient_keys(const BackwardStep& step) {
    const Node& value = *step.node;
    const std::string stack = stack_of(value), family = family_of(value);
    std::vector<std::string> keys;
    if (!stack.empty()) keys.push_back(stack + "." + step.role);
    keys.push_back(step.role);
    if (family != step.role) keys.push_back(family);
    const bool is_bias = step.values_from.empty(); // a weight multiplies, a bias is added
    keys.emplace_back(!step.is_weight ? "value" : is_bias ? "bias" : "weight");
    return keys;
}

} // namespace headlight
