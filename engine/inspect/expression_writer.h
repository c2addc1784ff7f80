// An expression of numbers as a text, with the numbers rounded to chosen decimals, and what the text says.
#pragma once

#include "engine/inspect/explanation_text.h"
#include "engine/inspect/numbers.h"

#include <map>
#include <vector>

namespace headlight {

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
