#pragma once

#include "engine/graph/explanation.h"
#include "engine/graph/graph.h"
#include "engine/inspect/numbers.h"

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace headlight {

// An explanation with its numbers: "0.423·1.101 + (−0.312)·0.774 + … = 1.27", one line a step, so made that
// whoever does the arithmetic as printed gets the result as printed.
//
// How that is kept, without bending a number: every number printed is the true one, correctly rounded; only
// *how many digits* are printed is chosen.
//   – The result has the decimals asked for, or as many as two significant digits take; fewer where the float
//     arithmetic of the model carries fewer.
//   – What is not listed of a long sum is one number, the rest, rounded like any other.
//   – The operands have as many decimals as it takes for the line, worked out from the printed numbers, to
//     round to the printed result, and for every printed product to agree with its own value within half a
//     unit of the result's last digit. Constants of few digits ("64", "0.5", "1e−5") are printed exactly.
//   – A step's value used in a later line is rounded afresh there, with that line's decimals.
// Should no number of decimals do (float and double disagree in every digit), the line says "≈", not "=".

enum class TermOrder {
    as_computed,     // the first ones
    by_contribution, // the ones of largest magnitude, largest first
};

struct ExplanationTextOptions {
    int max_terms = 6; // listed of a sum or maximum; one more when it would be the only one left out
    int decimals = 2;  // of results
    TermOrder order = TermOrder::as_computed;
    // How what is not listed is written: {0} is its sum, {1} the number of terms. The window has sentences.
    std::string rest_of_sum = "{0} (… {1})";
    std::string rest_of_maximum = "… {1}";
};

// Bytes begin … end of a text are a number that can be followed: to a cell of the graph or, when cell.node is
// null, to line `step` of the same explanation, which stands above it.
struct NumberLink {
    std::size_t begin = 0, end = 0;
    CellRef cell = {};
    int step = -1;
};

// A piece of a line's expression. Laid out one after another, the texts are the expression.
struct TermText {
    enum class Kind {
        mark, // what stands between, before or after terms: " + ", "max(", ") / 64"
        term, // an operand of the line's sum or maximum; all of the expression when it has no such list
        rest, // the sum of the operands not listed, or that there are more to a maximum
    };
    Kind kind = Kind::term;
    std::string text;
    bool subtracted = false; // of a term or a rest: what stands before it is a minus
    double contribution =
        0;                  // what it adds to the line's sum (with its sign); an operand of a maximum's value
    std::string shown = {}; // that, written so that all `shown` of a line add up to `total`
    std::vector<NumberLink> links = {};
    std::size_t gathered = 1; // operands it stands for
};

struct ExplanationLine {
    std::string symbol; // "mean", "y": the window has names for them
    // Of a gradient that several values hand back to: whose share this line is, and the formula of it.
    const Node* reader = nullptr;
    std::string formula = {};
    std::vector<TermText> terms;
    std::string total = {}; // of the line's sum: the result, unless more is done with it, as in (a + b) / 2
    std::string result;
    double value = 0;
    bool is_maximum = false; // its list is that of a maximum, else of a sum
    bool exact = true;       // the arithmetic as printed gives the result as printed
    bool leaf = false;       // nothing was computed: the one term is the result

    std::string expression() const; // "0.423·1.101 + (−0.312)·0.774"
    std::string text() const;       // "y = 0.423·1.101 + (−0.312)·0.774 = 0.22"
};

struct ExplanationText {
    std::vector<ExplanationLine> lines; // one a step; the last is the cell
    std::string note;                   // the explanation's: key of a remark, or empty

    std::string text() const; // lines, with line ends between them
};

// Of an explanation whose last step has, in the graph, this value.
ExplanationText explanation_text(const Explanation& explanation, double value,
                                 const ExplanationTextOptions& options = {});

// Of a cell as it was computed in the last forward pass, edits included.
ExplanationText explanation_text(const Graph& graph, const Node& node, Cell cell,
                                 const ExplanationTextOptions& options = {});

// Of a number of a graph, value or gradient: what a link leads to.
ExplanationText explanation_text(const CellRef& number, const ExplanationTextOptions& options = {});

// An expression of numbers as a text, with the numbers rounded to chosen decimals, and what the text says.

// How precisely operands are written: at least so many decimals, and at least so many significant digits.
struct Precision {
    int decimals = 2, significant = 2;
};

// Where a term of the line's list stands in the text.
struct TermSpan {
    std::size_t begin = 0, end = 0;
    TermText::Kind kind = TermText::Kind::term;
    double contribution = 0; // of the true numbers
    double as_printed = 0;   // of the printed ones
    std::size_t gathered = 1;
    bool subtracted = false;
};

struct WrittenExpression {
    std::string text;
    std::vector<NumberLink> links;
    std::vector<TermSpan> terms;
    double as_printed = 0; // what the arithmetic of the text gives
};

// The expression's longest sum or maximum, of more than two operands; else the whole when it is one; else
// none.
const Expr* list_of(const Expr& expression);

// Writes one line's expression, again and again with other precisions.
class ExpressionWriter {
public:
    ExpressionWriter(const Expr& expression, const std::vector<double>& steps,
                     const ExplanationTextOptions& options)
        : expression_(expression), steps_(steps), options_(options), list_(list_of(expression)) {}

    const Expr* list() const { return list_; }
    double sum_of_list() const { return list_ ? evaluate(*list_, steps_) : 0; }
    WrittenExpression write(Precision precision);

private:
    // What may stand there without parentheses: anything, or only what binds tighter.
    enum class Place { alone, first_of_sum, later_in_sum, subtracted, factor, numerator, denominator, power };

    // Each adds to the text and gives the expression of the numbers as printed.
    Expr add(const Expr& e, Place place);
    Expr add_bare(const Expr& e);
    Expr add_number(const Expr& e, bool parentheses);
    Expr add_list(const Expr& e);
    Expr add_function(std::string_view name, const Expr& e);

    void add_span(TermSpan span); // which ends here

    // Which operands of a long list are listed, in order.
    std::vector<std::size_t> chosen(const Expr& list, const std::vector<double>& contributions) const;
    const std::vector<double>& contributions(const Expr& list);
    bool needs_parentheses(const Expr& e, Place place) const;
    double number_of(const Expr& leaf) const { return evaluate(leaf, steps_); }
    WrittenNumber as_written(const Expr& leaf) const;

    const Expr& expression_;
    const std::vector<double>& steps_;
    const ExplanationTextOptions& options_;
    const Expr* list_;
    std::map<const Expr*, std::vector<double>> contributions_; // of every list met: they cost the most
    Precision precision_;
    WrittenExpression out_;
};

} // namespace headlight
