#include "engine/inspect/backward_story.h"

#include "engine/base/check.h"
#include "engine/inspect/story.h"
#include "engine/inspect/value_symbols.h"

#include <algorithm>
#include <string_view>

namespace headlight {

namespace {

// What one reader hands back to one of its inputs: a term of the gradient's formula, definitions of letters
// that only it uses, and what it multiplies with.
struct HandedBack {
    std::string term;
    std::string where = {};
    std::vector<const Node*> values = {};
};

std::string slope(const std::string& of) { return "\\frac{\\partial L}{\\partial " + of + "}"; }
std::string slope(const Node& of) { return slope(symbol_of(of)); }
std::string transposed(const Node& of) { return "{" + symbol_of(of) + "}^T"; }

HandedBack by_linear(const Node& reader, std::size_t input) {
    const Node &x = reader.input(0), &w = reader.input(1);
    if (input == 0) return {slope(reader) + "\\," + transposed(w), "", {&w}};
    if (input == 1) return {transposed(x) + "\\," + slope(reader), "", {&x}};
    return {"\\sum_{i} " + slope("{" + symbol_of(reader) + "}_{i}")};
}

// y = a bᵀ and y = a b: to each factor the other one.
HandedBack by_matmul(const Node& reader, std::size_t input, bool b_is_transposed) {
    const Node &a = reader.input(0), &b = reader.input(1);
    const std::string dy = slope(reader);
    if (input == 0) return {dy + "\\," + (b_is_transposed ? symbol_of(b) : transposed(b)), "", {&b}};
    if (b_is_transposed) return {"\\left(" + dy + "\\right)^T " + symbol_of(a), "", {&a}};
    return {transposed(a) + "\\," + dy, "", {&a}};
}

HandedBack by_softmax(const Node& reader) {
    const std::string y = symbol_of(reader);
    return {y + " \\odot \\left(" + slope(reader) + " - m\\right)",
            "m_i = \\sum_{s} \\left(" + slope(reader) + " \\odot " + y + "\\right)_{is}",
            {&reader}};
}

HandedBack by_layer_norm(const Node& reader, std::size_t input) {
    const Node &x = reader.input(0), &gamma = reader.input(1);
    const std::string dy = slope(reader);
    if (input == 0)
        return {"\\frac{1}{\\sigma}\\left(g - \\bar{g} - \\hat{x}\\,s\\right)",
                "g = " + dy + " \\odot \\gamma, \\quad s_i = \\frac{1}{d} \\sum_{j} g_{ij}\\,\\hat{x}_{ij}",
                {&x, &gamma}};
    if (input == 1) return {"\\sum_{i} \\left(" + dy + " \\odot \\hat{x}\\right)_{i}", "", {&x}};
    return {"\\sum_{i} " + slope("{" + symbol_of(reader) + "}_{i}")};
}

HandedBack handed_back(const Node& reader, std::size_t input) {
    const std::string_view op = reader.op->name();
    const std::string dy = slope(reader);
    const Node& x = reader.input(input);
    if (op == "linear") return by_linear(reader, input);
    if (op == "matmul_nt") return by_matmul(reader, input, true);
    if (op == "matmul") return by_matmul(reader, input, false);
    if (op == "softmax") return by_softmax(reader);
    if (op == "layer_norm") return by_layer_norm(reader, input);
    if (op == "cross_entropy")
        return {"\\frac{1}{n}\\left(\\mathrm{softmax}(Z) - Y\\right)", "", {&x, &reader.input(1)}};
    if (op == "divide" || op == "multiply") { // the one constant of each: √d_k, √d_model
        const std::string factor = op == "divide" ? "\\frac{1}{\\sqrt{d_k}}\\," : "\\sqrt{d_{model}}\\,";
        return {factor + dy};
    }
    if (op == "relu") return {dy + " \\odot [" + symbol_of(x) + " > 0]", "", {&x}};
    if (op == "gelu")
        return {dy + " \\odot \\left(\\Phi(" + symbol_of(x) + ") + " + symbol_of(x) + " \\odot \\varphi("
                    + symbol_of(x) + ")\\right)",
                "",
                {&x}};
    if (op == "dropout") return {dy + " \\odot \\frac{m}{1-p}"};
    if (op == "gather")
        return {"\\sum_{i:\\,t_i = v} " + slope("{" + symbol_of(reader) + "}_{i}"), "", {&reader.input(1)}};
    if (op == "split_heads")
        return {"\\left[\\frac{\\partial L}{\\partial " + symbol_of(reader) + "}\\right]_{h = 1, \\ldots}"};
    if (op == "merge_heads") return {"\\left[" + dy + "\\right]_{h}"};
    return {dy}; // add, masked, first_rows: as it comes
}

// The readers of a node that the loss depends on, last computed first, each with the input that it reads by.
struct Reading {
    const Node* reader;
    std::size_t input;
};

// For every node, by its index; empty for those that the loss does not depend on.
std::vector<std::vector<Reading>> readings(const Transformer& model) {
    std::vector<std::vector<Reading>> of(model.graph.nodes().size());
    std::vector<bool> matters(of.size(), false);
    matters[std::size_t(model.loss->index)] = true;
    for (Index i = model.loss->index; i >= 0; --i) {
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
void fill_formula(BackwardStep& step, const std::vector<Reading>& read_by) {
    struct Term {
        std::string text;
        int times;
    };
    std::vector<Term> terms;
    std::string where;
    for (const Reading& reading : read_by) {
        const HandedBack part = handed_back(*reading.reader, reading.input);
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
    step.formula = slope(*step.node) + " = ";
    for (std::size_t i = 0; i < terms.size(); ++i)
        step.formula +=
            (i > 0 ? " + " : "") + std::string(terms[i].times > 1 ? "\\sum_{l} " : "") + terms[i].text;
    step.formula += where;
}

BackwardStep step_of(const Node& node, const std::vector<Reading>& read_by) {
    BackwardStep step;
    step.node = &node;
    step.role = role_of(node.path);
    step.is_weight = node.op->name() == "parameter";
    step.block =
        block_of((step.is_weight ? *read_by.back().reader : node).path); // γ stands where its norm does
    if (read_by.empty())
        step.formula = slope(node) + " = 1";
    else
        fill_formula(step, read_by);
    return step;
}

} // namespace

std::vector<BackwardStep> tell_backward(const Transformer& model) {
    HEADLIGHT_CHECK(model.loss, "a backward pass needs a loss");
    const std::vector<std::vector<Reading>> read_by = readings(model);
    const auto is_weight = [](const Node& node) { return node.op->name() == "parameter"; };
    std::vector<BackwardStep> steps;
    for (Index i = model.loss->index; i >= 0; --i) {
        const Node& node = model.graph.nodes()[std::size_t(i)];
        const std::vector<Reading>& readers = read_by[std::size_t(i)];
        if (is_weight(node) || (readers.empty() && &node != model.loss)) continue;
        steps.push_back(step_of(node, readers));
        // All that read a weight have had their turn when the first of them has.
        for (const Node* input : node.inputs)
            if (is_weight(*input) && read_by[std::size_t(input->index)].back().reader == &node)
                steps.push_back(step_of(*input, read_by[std::size_t(input->index)]));
    }
    return steps;
}

std::vector<std::string> gradient_keys(const BackwardStep& step) {
    const std::string stack = step.path().substr(0, step.path().find('.'));
    std::vector<std::string> keys{stack + "." + step.role, step.role};
    std::string family = step.role;
    if (const auto dot = family.find("_attn."); dot != family.npos) family = "attn." + family.substr(dot + 6);
    if (family.starts_with("add")) family = "add";
    if (family.starts_with("norm")) {
        const auto dot = family.find('.');
        family = dot == family.npos ? "norm" : "norm" + family.substr(dot);
    }
    if (family != step.role) keys.push_back(family);
    const std::string last = family.substr(family.rfind('.') + 1);
    const bool is_bias = last == "b" || last == "beta" || last.starts_with("b_");
    keys.push_back(!step.is_weight ? "value" : is_bias ? "bias" : "weight");
    return keys;
}

} // namespace headlight
