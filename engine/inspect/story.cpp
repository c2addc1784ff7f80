#include "engine/inspect/story.h"

#include <cctype>
#include <cmath>
#include <map>

namespace headlight {

namespace {

std::vector<std::string> split(std::string_view path) {
    std::vector<std::string> parts(1);
    for (char c : path)
        if (c == '.')
            parts.emplace_back();
        else
            parts.back() += c;
    return parts;
}

bool is_layer(const std::string& part) {
    return !part.empty() && std::isdigit(static_cast<unsigned char>(part[0]));
}

// How each step's formula is written; the colours of Q, K and V are the same everywhere.
const std::map<std::string, std::string, std::less<>>& formulas() {
    static const std::map<std::string, std::string, std::less<>> table = {
        {"tokens", "t = (t_1, \\ldots, t_n)"},
        {"mask", "M_{ij} = 0 \\;\\mathrm{or}\\; -\\infty"},
        {"self_mask", "M_{ij} = -\\infty \\;\\mathrm{if}\\; j > i"},
        {"cross_mask", "M_{ij} = 0 \\;\\mathrm{or}\\; -\\infty"},
        {"embed.tokens", "X_i = E_{t_i}"},
        {"embed.scaled", "X\\,\\sqrt{d_{model}}"},
        {"embed.positions", "PE_{(pos,\\,2i)} = \\sin\\left(\\frac{pos}{10000^{2i/d_{model}}}\\right)"},
        {"embed.output", "X\\,\\sqrt{d_{model}} + PE"},
        {"attn.query", "\\color{query}{Q} = X\\,\\color{query}{W^Q} + \\color{query}{b^Q}"},
        {"attn.key", "\\color{key}{K} = X\\,\\color{key}{W^K} + \\color{key}{b^K}"},
        {"attn.value", "\\color{value}{V} = X\\,\\color{value}{W^V} + \\color{value}{b^V}"},
        {"attn.q", "\\color{query}{Q} = [\\color{query}{Q_1};\\,\\ldots;\\,\\color{query}{Q_h}]"},
        {"attn.k", "\\color{key}{K} = [\\color{key}{K_1};\\,\\ldots;\\,\\color{key}{K_h}]"},
        {"attn.v", "\\color{value}{V} = [\\color{value}{V_1};\\,\\ldots;\\,\\color{value}{V_h}]"},
        {"attn.scores", "S = \\color{query}{Q}\\,\\color{key}{K}^T"},
        {"attn.scaled", "\\frac{\\color{query}{Q}\\,\\color{key}{K}^T}{\\sqrt{d_k}}"},
        {"attn.masked", "\\frac{\\color{query}{Q}\\,\\color{key}{K}^T}{\\sqrt{d_k}} + M"},
        {"attn.weights",
         "A = \\mathrm{softmax}\\left(\\frac{\\color{query}{Q}\\,\\color{key}{K}^T}{\\sqrt{d_k}} + "
         "M\\right)"},
        {"attn.heads", "\\mathrm{head}_h = A_h\\,\\color{value}{V_h}"},
        {"attn.concat", "\\mathrm{Concat}(\\mathrm{head}_1, \\ldots, \\mathrm{head}_h)"},
        {"attn.output", "Z = \\mathrm{Concat}(\\mathrm{head}_1, \\ldots, \\mathrm{head}_h)\\,W^O + b^O"},
        {"add", "X + \\mathrm{Sublayer}(X)"},
        {"norm",
         "\\mathrm{LayerNorm}(x) = \\frac{x - \\mu}{\\sqrt{\\sigma^2 + \\epsilon}}\\,\\gamma + \\beta"},
        {"ffn.hidden", "H = X\\,W_1 + b_1"},
        {"ffn.activated", "\\max(0,\\, H)"},
        {"ffn.output", "\\max(0,\\, H)\\,W_2 + b_2"},
        {"logits", "Z = X\\,W + b"},
        {"probabilities", "p_v = \\frac{e^{z_v}}{\\sum_{u} e^{z_u}}"},
        {"chosen", "\\hat{y} = \\mathrm{argmax}_v\\; p_v"},
        {"goal", "y = (y_1, \\ldots, y_n)"},
        {"loss", "L = -\\frac{1}{n}\\sum_{i} \\log p_{i,\\,y_i}"},
    };
    return table;
}

// The key of the formula table: attention is written alike in all three places.
std::string formula_key(const std::string& role) {
    if (const auto dot = role.find("_attn."); dot != role.npos) return "attn." + role.substr(dot + 6);
    if (role.starts_with("add")) return "add";
    if (role.starts_with("norm") || role == "output") return "norm";
    return role;
}

std::string number(double x) {
    std::string text = std::to_string(x);
    if (text.find('.') != text.npos) {
        text.erase(text.find_last_not_of('0') + 1);
        if (text.back() == '.') text.pop_back();
    }
    return text;
}

std::string with_sizes(const std::string& key, const ModelConfig& config) {
    const std::string d_k = std::to_string(config.d_k()), d_model = std::to_string(config.d_model);
    const double root_k = std::sqrt(double(config.d_k())), root_model = std::sqrt(double(config.d_model));
    const auto rounded = [](double x) { return number(std::round(x * 100) / 100); };
    if (key == "attn.scaled")
        return "\\frac{S}{\\sqrt{d_k}} = \\frac{S}{\\sqrt{" + d_k + "}} "
               + (root_k == std::floor(root_k) ? "=" : "\\approx") + " \\frac{S}{" + rounded(root_k) + "}";
    if (key == "embed.scaled")
        return "X\\,\\sqrt{" + d_model + "} " + (root_model == std::floor(root_model) ? "=" : "\\approx")
               + " X \\cdot " + rounded(root_model);
    if (key == "embed.positions")
        return "PE_{(pos,\\,2i)} = \\sin\\left(\\frac{pos}{10000^{2i/" + d_model + "}}\\right)";
    return {};
}

// That of computation; but what should have been said is told when it is asked for, before the loss.
std::vector<const Node*> in_order_of_telling(const Transformer& model) {
    std::vector<const Node*> nodes;
    for (const Node& node : model.graph.nodes()) {
        if (!node.named || node.op->name() == "parameter" || &node == model.goal_tokens) continue;
        if (&node == model.loss) nodes.push_back(model.goal_tokens);
        nodes.push_back(&node);
    }
    return nodes;
}

} // namespace

std::string block_of(std::string_view path) {
    std::vector<std::string> parts = split(path);
    const std::string last = parts.back();
    parts.pop_back();
    std::string block;
    for (const std::string& part : parts) block += (block.empty() ? "" : ".") + part;
    if (last.starts_with("add") || last.starts_with("norm")) return block + ".add_norm" + last.back();
    if (last.ends_with("mask")) return block + ".mask";
    if (parts.size() == 1 && parts[0] != "output")
        return block + "." + (last == "output" ? "output" : "input");
    return block;
}

std::string role_of(std::string_view path) {
    const std::vector<std::string> parts = split(path);
    std::string role;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const bool is_stack =
            i == 0 && (parts[i] == "encoder" || parts[i] == "decoder" || parts[i] == "output");
        if (is_stack || is_layer(parts[i])) continue;
        role += (role.empty() ? "" : ".") + parts[i];
    }
    return role;
}

std::vector<StoryStep> tell(const Transformer& model, const ModelConfig& config) {
    std::vector<StoryStep> steps;
    for (const Node* next : in_order_of_telling(model)) {
        const Node& node = *next;
        StoryStep step;
        step.node = &node;
        step.role = role_of(node.path);
        step.block = block_of(node.path);
        const std::string key = formula_key(step.role);
        if (const auto found = formulas().find(key); found != formulas().end()) step.formula = found->second;
        if (key == "ffn.activated" && config.activation == Activation::gelu)
            step.formula = "H \\cdot \\Phi(H)";
        if (key == "ffn.output" && config.activation == Activation::gelu)
            step.formula = "\\mathrm{GELU}(H)\\,W_2 + b_2";
        if (key == "embed.positions" && config.positional_encoding == PositionalEncoding::learned)
            step.formula = "P_{pos}";
        else
            step.sized = with_sizes(key, config);
        if (&node == model.goal_tokens) step.block = "output";
        step.operands.assign(node.inputs.begin(), node.inputs.end());
        steps.push_back(std::move(step));
    }
    return steps;
}

std::vector<StoryBlock> blocks_of(const std::vector<StoryStep>& steps) {
    std::vector<StoryBlock> blocks;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        if (blocks.empty() || blocks.back().id != steps[i].block) {
            StoryBlock block;
            block.id = steps[i].block;
            const std::vector<std::string> parts = split(block.id);
            block.side = parts[0];
            block.kind = parts.back();
            if (block.kind.starts_with("add_norm")) block.kind = "add_norm";
            if (parts.size() > 1 && is_layer(parts[1])) block.layer = std::stol(parts[1]);
            block.first = Index(i);
            blocks.push_back(std::move(block));
        }
        ++blocks.back().count;
    }
    return blocks;
}

} // namespace headlight
