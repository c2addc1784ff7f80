// Where one number came from: the arithmetic of one cell, or of the gradient of one, as an expression over
// other cells of the graph. Every Op gives one for every cell; a test evaluates all of them and compares with
// the values computed, so what is shown as "0.42·1.10 + (−0.31)·0.77 + … = 1.27" is what was done.
#pragma once

#include "engine/tensor/tensor.h"

#include <string>
#include <vector>

namespace headlight {

struct Node;

// A place in a tensor. For per-head values the batch is the head (of one sequence).
struct Cell {
    Index batch = 0, row = 0, column = 0;
    bool operator==(const Cell&) const = default;
};

// A number of the graph: the value of a node at a cell, or the gradient of the loss with respect to it.
struct CellRef {
    const Node* node = nullptr;
    Cell cell;
    bool gradient = false;

    double value() const;
};

// An expression tree. Leaves are numbers, cells of the graph, or earlier steps of the same explanation.
struct Expr {
    enum class Kind {
        number,   // a constant, with the symbol that people know it by ("√d_k", "ε", "i"), or none
        cell,     // a number of the graph
        step,     // the result of an earlier step of this explanation
        sum,      // of any number of operands
        product,  // of any number of operands
        quotient, // operands[0] / operands[1]
        power,    // operands[0] ^ operands[1]
        maximum,  // of the operands
        negative, // and below: functions of operands[0]
        exp,
        log,
        sqrt,
        sin,
        cos,
        erf,
        tanh,
    };

    Kind kind = Kind::number;
    double number = 0;
    CellRef cell = {};
    int step = 0;
    std::string symbol = {};
    std::vector<Expr> operands = {};

    static Expr constant(double number, std::string symbol = {});
    static Expr of(const Node& node, Cell cell);
    static Expr gradient_of(const Node& node, Cell cell);
    static Expr result(int step);
    static Expr make(Kind kind, std::vector<Expr> operands);
    static Expr sum(std::vector<Expr> operands) { return make(Kind::sum, std::move(operands)); }
    static Expr function(Kind kind, Expr operand) { return make(kind, {std::move(operand)}); }
};

// The value of an expression, in double; `steps` holds the results of the steps that it uses.
double evaluate(const Expr& expression, const std::vector<double>& steps);

Expr operator+(Expr a, Expr b);
Expr operator-(Expr a, Expr b);
Expr operator*(Expr a, Expr b);
Expr operator/(Expr a, Expr b);

struct ExplanationStep {
    std::string symbol; // "mean", "variance", "y": the same in every human language
    Expr expression;
    // Of a gradient that several values hand back to: the value whose share this step completes, and how that
    // operation differentiates, in the formula language.
    const Node* reader = nullptr;
    std::string formula = {};
};

struct Explanation {
    std::string formula; // of the cell, in the operation's own letters: "y_{ij} = \\sum_c a_{ic} b_{jc}";
                         // Op::formula is the whole matrix in the model's
    std::vector<ExplanationStep> steps; // each may use the ones before it; the last is the value of the cell
    std::string note = {};              // key of a remark: "note.mask.look_ahead", "note.set_by_hand"

    double evaluate() const;                    // in double, of the last step
    double evaluate(const Expr& part) const;    // of a part of this explanation
    std::vector<double> evaluate_steps() const; // of each step
};

} // namespace headlight
