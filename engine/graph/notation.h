// How operations write themselves in formulas, in the formula language ("S = Q\\,K^T"), given how their
// inputs are written: so a formula says what is computed, in every model.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace headlight {

struct Node;

// The letter by which formulas know a value: Q, W^Q, \mathrm{head}.
struct Symbol {
    std::string letter;
    std::string colour = {}; // "query", "key", "value": theirs are the same everywhere; else none

    std::string text() const { return coloured(letter); }
    std::string at(std::string_view index) const;   // with an index: "Q_h", "M_{ij}"
    std::string cell(std::string_view index) const; // of one of its numbers: "z_v" of Z

private:
    std::string coloured(const std::string& what) const;
};

// A piece of a formula: a letter, or what it stands for written out.
struct Formula {
    std::string text;
    bool is_sum = false; // wants brackets as a factor

    std::string factor() const;
};

// What a formula is written with: the symbol of the result, and each input by its symbol and as it is to be
// written in this formula (a letter, or its own formula).
struct Operand {
    Symbol symbol;
    Formula written;
};
struct Letters {
    Symbol result;
    std::vector<Operand> inputs = {};
    bool by_cells = false; // how one cell is computed is to be written

    const std::string& text(std::size_t i) const { return inputs[i].written.text; }
    std::string factor(std::size_t i) const { return inputs[i].written.factor(); }
};

// What a reader hands back to the gradient of one of its inputs.
struct GradientTerm {
    std::string term;                     // "\\frac{\\partial L}{\\partial S}\\,K"
    std::string where = {};               // definitions of letters that only the term uses
    std::vector<const Node*> values = {}; // the values and weights that it multiplies with
};

// What gradients are written with: symbols of the reader's value and of its inputs, heads included ("Q_h").
struct GradientLetters {
    std::string result;
    std::vector<std::string> inputs = {};

    std::string slope() const { return slope_of(result); } // ∂L/∂result
    static std::string slope_of(const std::string& symbol);
};

// A constant of a formula: √d_k.
struct Constant {
    double number = 1;
    std::string symbol;       // "√d_k", in the arithmetic of a cell
    std::string formula = {}; // "\\sqrt{d_k}", in formulas
    std::string sized = {};   // "\\sqrt{16}", with this model's sizes; empty when there is nothing to say
};

// The root of a size, known by its name: square_root("d_model", 16).
Constant square_root(std::string_view name, long size);

// "= 4" or "\\approx 2.83": two decimals, and ≈ only where they are not all.
std::string equals_rounded(double x);

} // namespace headlight
