#include "app/look/typeset.h"

#include <algorithm>
#include <array>
#include <utility>

namespace headlight {
namespace {

using Kind = MathClass;
constexpr auto italic = MathSymbol::Letter::italic;
constexpr auto roman = MathSymbol::Letter::roman;

constexpr std::pair<std::string_view, MathSymbol> commands[] = {{"alpha", {"α", Kind::ordinary, italic}},
                                                                {"beta", {"β", Kind::ordinary, italic}},
                                                                {"gamma", {"γ", Kind::ordinary, italic}},
                                                                {"delta", {"δ", Kind::ordinary, italic}},
                                                                {"epsilon", {"ε", Kind::ordinary, italic}},
                                                                {"varepsilon", {"ε", Kind::ordinary, italic}},
                                                                {"zeta", {"ζ", Kind::ordinary, italic}},
                                                                {"eta", {"η", Kind::ordinary, italic}},
                                                                {"theta", {"θ", Kind::ordinary, italic}},
                                                                {"iota", {"ι", Kind::ordinary, italic}},
                                                                {"kappa", {"κ", Kind::ordinary, italic}},
                                                                {"lambda", {"λ", Kind::ordinary, italic}},
                                                                {"mu", {"μ", Kind::ordinary, italic}},
                                                                {"nu", {"ν", Kind::ordinary, italic}},
                                                                {"xi", {"ξ", Kind::ordinary, italic}},
                                                                {"pi", {"π", Kind::ordinary, italic}},
                                                                {"rho", {"ρ", Kind::ordinary, italic}},
                                                                {"sigma", {"σ", Kind::ordinary, italic}},
                                                                {"tau", {"τ", Kind::ordinary, italic}},
                                                                {"phi", {"φ", Kind::ordinary, italic}},
                                                                {"varphi", {"φ", Kind::ordinary, italic}},
                                                                {"chi", {"χ", Kind::ordinary, italic}},
                                                                {"psi", {"ψ", Kind::ordinary, italic}},
                                                                {"omega", {"ω", Kind::ordinary, italic}},
                                                                {"Gamma", {"Γ"}},
                                                                {"Delta", {"Δ"}},
                                                                {"Theta", {"Θ"}},
                                                                {"Lambda", {"Λ"}},
                                                                {"Xi", {"Ξ"}},
                                                                {"Pi", {"Π"}},
                                                                {"Sigma", {"Σ"}},
                                                                {"Phi", {"Φ"}},
                                                                {"Psi", {"Ψ"}},
                                                                {"Omega", {"Ω"}},
                                                                {"infty", {"∞"}},
                                                                {"partial", {"∂"}},
                                                                {"nabla", {"∇"}},
                                                                {"ell", {"ℓ"}},
                                                                {"prime", {"′"}},
                                                                {"top", {"⊤"}},
                                                                {"emptyset", {"∅"}},
                                                                {"forall", {"∀"}},
                                                                {"exists", {"∃"}},
                                                                {"ldots", {"…", Kind::inner}},
                                                                {"dots", {"…", Kind::inner}},
                                                                {"cdots", {"⋯", Kind::inner}},
                                                                {"vdots", {"⋮"}},
                                                                {"%", {"%"}},
                                                                {"_", {"_"}},
                                                                {"#", {"#"}},
                                                                {"&", {"&"}},
                                                                {"$", {"$"}},
                                                                {"cdot", {"·", Kind::binary}},
                                                                {"times", {"×", Kind::binary}},
                                                                {"div", {"÷", Kind::binary}},
                                                                {"pm", {"±", Kind::binary}},
                                                                {"odot", {"⊙", Kind::binary}},
                                                                {"perp", {"⊥", Kind::ordinary}},
                                                                {"oplus", {"⊕", Kind::binary}},
                                                                {"otimes", {"⊗", Kind::binary}},
                                                                {"circ", {"∘", Kind::binary}},
                                                                {"cup", {"∪", Kind::binary}},
                                                                {"cap", {"∩", Kind::binary}},
                                                                {"leq", {"≤", Kind::relation}},
                                                                {"le", {"≤", Kind::relation}},
                                                                {"geq", {"≥", Kind::relation}},
                                                                {"ge", {"≥", Kind::relation}},
                                                                {"neq", {"≠", Kind::relation}},
                                                                {"ne", {"≠", Kind::relation}},
                                                                {"approx", {"≈", Kind::relation}},
                                                                {"equiv", {"≡", Kind::relation}},
                                                                {"sim", {"∼", Kind::relation}},
                                                                {"propto", {"∝", Kind::relation}},
                                                                {"in", {"∈", Kind::relation}},
                                                                {"notin", {"∉", Kind::relation}},
                                                                {"subset", {"⊂", Kind::relation}},
                                                                {"mid", {"|", Kind::relation}},
                                                                {"ll", {"≪", Kind::relation}},
                                                                {"gg", {"≫", Kind::relation}},
                                                                {"to", {"→", Kind::relation}},
                                                                {"rightarrow", {"→", Kind::relation}},
                                                                {"leftarrow", {"←", Kind::relation}},
                                                                {"gets", {"←", Kind::relation}},
                                                                {"mapsto", {"↦", Kind::relation}},
                                                                {"Rightarrow", {"⇒", Kind::relation}},
                                                                {"leftrightarrow", {"↔", Kind::relation}},
                                                                {"{", {"{", Kind::opening}},
                                                                {"}", {"}", Kind::closing}},
                                                                {"lbrace", {"{", Kind::opening}},
                                                                {"rbrace", {"}", Kind::closing}},
                                                                {"lfloor", {"⌊", Kind::opening}},
                                                                {"rfloor", {"⌋", Kind::closing}},
                                                                {"lceil", {"⌈", Kind::opening}},
                                                                {"rceil", {"⌉", Kind::closing}},
                                                                {"sum", {"∑", Kind::large_operator}},
                                                                {"prod", {"∏", Kind::large_operator}},
                                                                {"int", {"∫", Kind::large_operator}}};

constexpr std::pair<char32_t, MathSymbol> characters[] = {{U'+', {"+", Kind::binary}},
                                                          {U'-', {"−", Kind::binary}},
                                                          {U'−', {"−", Kind::binary}},
                                                          {U'*', {"∗", Kind::binary}},
                                                          {U'×', {"×", Kind::binary}},
                                                          {U'·', {"·", Kind::binary}},
                                                          {U'±', {"±", Kind::binary}},
                                                          {U'⊙', {"⊙", Kind::binary}},
                                                          {U'/', {"/"}},
                                                          {U'=', {"=", Kind::relation}},
                                                          {U'<', {"<", Kind::relation}},
                                                          {U'>', {">", Kind::relation}},
                                                          {U'≤', {"≤", Kind::relation}},
                                                          {U'≥', {"≥", Kind::relation}},
                                                          {U'≠', {"≠", Kind::relation}},
                                                          {U'≈', {"≈", Kind::relation}},
                                                          {U'→', {"→", Kind::relation}},
                                                          {U'←', {"←", Kind::relation}},
                                                          {U'∈', {"∈", Kind::relation}},
                                                          {U':', {":", Kind::relation}},
                                                          {U'∼', {"∼", Kind::relation}},
                                                          {U'(', {"(", Kind::opening}},
                                                          {U'[', {"[", Kind::opening}},
                                                          {U')', {")", Kind::closing}},
                                                          {U']', {"]", Kind::closing}},
                                                          {U'!', {"!", Kind::closing}},
                                                          {U',', {",", Kind::punctuation}},
                                                          {U';', {";", Kind::punctuation}},
                                                          {U'|', {"|"}},
                                                          {U'…', {"…", Kind::inner}},
                                                          {U'∑', {"∑", Kind::large_operator}},
                                                          {U'∏', {"∏", Kind::large_operator}}};

constexpr std::array<std::string_view, 22> functions = {
    "sin",    "cos",       "tan", "tanh", "exp",  "log",     "ln",   "softmax",   "relu", "gelu", "attention",
    "concat", "layernorm", "var", "cov",  "sign", "sigmoid", "head", "MultiHead", "FFN",  "PE",   "Pr"};
constexpr std::array<std::string_view, 6> functions_with_limits = {"max",    "min", "argmax",
                                                                   "argmin", "lim", "sup"};

} // namespace

std::optional<MathSymbol> symbol_of_command(std::string_view command) {
    for (const auto& [name, symbol] : commands)
        if (name == command) return symbol;
    return std::nullopt;
}

std::optional<MathSymbol> symbol_of_character(char32_t character) {
    for (const auto& [known, symbol] : characters)
        if (known == character) return symbol;
    return std::nullopt;
}

bool is_function(std::string_view command) {
    return std::ranges::find(functions, command) != functions.end();
}

bool is_function_with_limits(std::string_view command) {
    return std::ranges::find(functions_with_limits, command) != functions_with_limits.end();
}

int space_between(MathClass left, MathClass right, bool in_script) {
    constexpr int thin = 3, medium = 4, thick = 5;
    const auto either = [&](MathClass kind) { return left == kind || right == kind; };
    const bool closed_in = left == Kind::opening || right == Kind::closing || right == Kind::punctuation;
    if (closed_in) return 0;
    if (either(Kind::relation)) return left == right || in_script ? 0 : thick;
    if (either(Kind::binary)) return in_script ? 0 : medium;
    if (left == Kind::punctuation) return in_script ? 0 : thin;
    if (left == Kind::large_operator && right == Kind::opening) return 0;
    if (either(Kind::large_operator)) return thin;
    if (left == Kind::inner || (right == Kind::inner && left != Kind::opening)) return in_script ? 0 : thin;
    return 0;
}

} // namespace headlight
