#include "engine/inspect/backward_story.h"

#include "engine/base/check.h"
#include "engine/inspect/story.h"

#include <algorithm>
#include <string_view>

namespace headlight {

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
