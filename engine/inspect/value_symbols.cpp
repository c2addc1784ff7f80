#include "engine/inspect/value_symbols.h"

#include "engine/inspect/story.h"

#include <map>
#include <string_view>

namespace headlight {

namespace {

const std::map<std::string, std::string, std::less<>>& symbols() {
    static const std::map<std::string, std::string, std::less<>> table = {
        {"tokens", "t"},
        {"goal", "Y"},
        {"embed.table", "E"},
        {"embed.position_table", "P"},
        {"embed.tokens", "X"},
        {"embed.scaled", "\\tilde{X}"},
        {"embed.positions", "PE"},
        {"embed.output", "X_0"},
        {"attn.query", "\\color{query}{Q}"},
        {"attn.key", "\\color{key}{K}"},
        {"attn.value", "\\color{value}{V}"},
        {"attn.q", "\\color{query}{Q_h}"},
        {"attn.k", "\\color{key}{K_h}"},
        {"attn.v", "\\color{value}{V_h}"},
        {"attn.w_q", "\\color{query}{W^Q}"},
        {"attn.w_k", "\\color{key}{W^K}"},
        {"attn.w_v", "\\color{value}{W^V}"},
        {"attn.w_o", "W^O"},
        {"attn.b_q", "\\color{query}{b^Q}"},
        {"attn.b_k", "\\color{key}{b^K}"},
        {"attn.b_v", "\\color{value}{b^V}"},
        {"attn.b_o", "b^O"},
        {"attn.scores", "S_h"},
        {"attn.scaled", "\\tilde{S}_h"},
        {"attn.masked", "\\hat{S}_h"},
        {"attn.weights", "A_h"},
        {"attn.heads", "\\mathrm{head}_h"},
        {"attn.concat", "C"},
        {"attn.output", "O"},
        {"ffn.hidden", "H"},
        {"ffn.activated", "G"},
        {"ffn.output", "F"},
        {"ffn.w_1", "W_1"},
        {"ffn.w_2", "W_2"},
        {"ffn.b_1", "b_1"},
        {"ffn.b_2", "b_2"},
        {"gamma", "\\gamma"},
        {"beta", "\\beta"},
        {"output", "M"}, // a stack's, after its last layer norm
        {"w", "W"},
        {"b", "b"},
        {"logits", "Z"},
        {"probabilities", "p"},
        {"loss", "L"},
    };
    return table;
}

} // namespace

std::string symbol_of(const Node& node) {
    std::string role = role_of(node.path);
    if (const auto dot = role.find("_attn."); dot != role.npos) role = "attn." + role.substr(dot + 6);
    if (const auto found = symbols().find(role); found != symbols().end()) return found->second;
    const std::string last = role.substr(role.rfind('.') + 1);
    if (const auto found = symbols().find(last); found != symbols().end() && last != "output")
        return found->second;
    if (last.starts_with("add")) return "R_" + last.substr(3); // the residual stream
    if (last.starts_with("norm")) return "N_" + last.substr(4);
    return "\\mathrm{" + last + "}";
}

} // namespace headlight
