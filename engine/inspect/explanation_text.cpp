#include "engine/inspect/explanation_text.h"

#include "engine/base/check.h"
#include "engine/inspect/expression_writer.h"
#include "engine/inspect/numbers.h"

#include <algorithm>
#include <cmath>

namespace headlight {

namespace {

constexpr int most_extra_decimals = 9; // beyond, float numbers have nothing to say
constexpr int significant_digits = 2;

double half_unit(int decimals) { return 0.5 * std::pow(10.0, -decimals); }

// Whether a sum or expression that gives x is rightly printed as this number; both may be infinite or NaN.
bool rounds_to(double x, double printed, int decimals) {
    if (!std::isfinite(x) || !std::isfinite(printed)) return x == printed || (x != x && printed != printed);
    const double rounding_of_this_test = 1e-14 * std::abs(x);
    return std::abs(x - printed) <= half_unit(decimals) * (1 + 1e-9) + rounding_of_this_test;
}

// No more decimals than both the model's arithmetic and this one agree in.
int decimals_of_result(double value, double evaluated, int wanted) {
    int decimals = decimals_for(value, wanted, significant_digits);
    const double disagreement = std::abs(value - evaluated);
    while (std::isfinite(disagreement) && decimals > -300 && disagreement > half_unit(decimals) / 5)
        --decimals;
    // Should they agree in no digit but that it is nearly zero, the decimals asked for say that.
    return written(value, decimals).number == 0 ? std::min(decimals, wanted) : decimals;
}

bool adds_up(const WrittenExpression& written, double result, int decimals) {
    return rounds_to(written.as_printed, result, decimals)
           && std::all_of(written.terms.begin(), written.terms.end(), [&](const TermSpan& term) {
                  return rounds_to(term.as_printed, term.contribution, decimals);
              });
}

// Cuts the text where the terms of the list begin and end. Without a list it is one term.
std::vector<TermText> pieces(const WrittenExpression& line, double value) {
    std::vector<TermText> result;
    const auto cut = [&](std::size_t begin, std::size_t end, TermText::Kind kind) -> TermText& {
        TermText& piece = result.emplace_back();
        piece.kind = kind;
        piece.text = line.text.substr(begin, end - begin);
        for (NumberLink link : line.links)
            if (link.begin >= begin && link.end <= end) {
                link.begin -= begin;
                link.end -= begin;
                piece.links.push_back(link);
            }
        return piece;
    };
    if (line.terms.empty()) {
        cut(0, line.text.size(), TermText::Kind::term).contribution = value;
        return result;
    }
    std::size_t at = 0;
    for (const TermSpan& term : line.terms) {
        if (term.begin > at) cut(at, term.begin, TermText::Kind::mark);
        TermText& piece = cut(term.begin, term.end, term.kind);
        piece.contribution = term.contribution;
        piece.subtracted = term.subtracted;
        piece.gathered = term.gathered;
        at = term.end;
    }
    if (at < line.text.size()) cut(at, line.text.size(), TermText::Kind::mark);
    return result;
}

// Every contribution written so that together they round to the written total.
void show_contributions(std::vector<TermText>& terms, const WrittenNumber& total, int decimals) {
    for (int extra = 0; extra <= most_extra_decimals; ++extra) {
        double sum = 0;
        for (TermText& term : terms) {
            if (term.kind == TermText::Kind::mark) continue;
            const WrittenNumber shown = written(
                term.contribution, decimals_for(term.contribution, decimals + extra, significant_digits));
            term.shown = shown.text;
            sum += shown.number;
        }
        if (rounds_to(sum, total.number, decimals)) return;
    }
}

void show_values(std::vector<TermText>& terms, int decimals) {
    for (TermText& term : terms)
        if (term.kind == TermText::Kind::term)
            term.shown =
                written(term.contribution, decimals_for(term.contribution, decimals, significant_digits))
                    .text;
}

bool is_leaf(const Expr& e) { return e.operands.empty(); }

ExplanationLine leaf_line(const ExplanationStep& step, double value, const ExplanationTextOptions& options) {
    ExplanationLine line;
    line.symbol = step.symbol;
    line.value = value;
    line.leaf = true;
    const bool whole = step.expression.kind == Expr::Kind::number && value == std::round(value);
    const int decimals = whole ? 0 : decimals_for(value, options.decimals, significant_digits);
    line.result = written(value, decimals).text;
    TermText& term = line.terms.emplace_back();
    term.text = term.shown = line.total = line.result;
    term.contribution = value;
    if (step.expression.kind == Expr::Kind::cell)
        term.links.push_back({0, term.text.size(), step.expression.cell, -1});
    if (step.expression.kind == Expr::Kind::step)
        term.links.push_back({0, term.text.size(), {}, step.expression.step});
    return line;
}

ExplanationLine line_of(const ExplanationStep& step, double value, const std::vector<double>& steps,
                        const ExplanationTextOptions& options) {
    if (is_leaf(step.expression)) return leaf_line(step, value, options);
    ExplanationLine line;
    line.symbol = step.symbol;
    line.value = value;
    ExpressionWriter writer(step.expression, steps, options);
    const double evaluated = evaluate(step.expression, steps);
    const int fewest = decimals_of_result(value, evaluated, options.decimals);

    // A value that lies between two printable numbers, to the last digit of the operands, takes a decimal
    // more; where float and double lie on different sides of it, one less.
    WrittenExpression expression;
    int decimals = fewest;
    const auto find = [&](int result_decimals) {
        const double result = written(value, result_decimals).number;
        for (int extra = 0; extra <= most_extra_decimals; ++extra) {
            expression = writer.write({options.decimals + extra, significant_digits + extra});
            if (adds_up(expression, result, result_decimals)) return true;
        }
        return false;
    };
    for (const int more : {0, 1, 2, -1, -2}) {
        if (more < 0 && written(value, fewest + more).number == 0) break; // what is not zero is never "0"
        if (line.exact = find(fewest + more); !line.exact) continue;
        decimals = fewest + more;
        break;
    }
    if (!line.exact) expression = writer.write({options.decimals, significant_digits});

    line.result = written(value, decimals).text;
    line.terms = pieces(expression, value);
    const Expr* list = writer.list();
    line.is_maximum = list && list->kind == Expr::Kind::maximum;
    if (list && list->kind == Expr::Kind::sum) {
        const double sum = list == &step.expression ? value : writer.sum_of_list();
        const int sum_decimals =
            list == &step.expression ? decimals : decimals_for(sum, options.decimals, significant_digits);
        const WrittenNumber total = written(sum, sum_decimals);
        line.total = total.text;
        show_contributions(line.terms, total, sum_decimals);
    } else {
        show_values(line.terms, decimals);
        if (!list) line.total = line.result;
    }
    return line;
}

} // namespace

std::string ExplanationLine::expression() const {
    std::string text;
    for (const TermText& term : terms) text += term.text;
    return text;
}

std::string ExplanationLine::text() const {
    return symbol + " = " + (leaf ? "" : expression() + (exact ? " = " : " ≈ ")) + result;
}

std::string ExplanationText::text() const {
    std::string text;
    for (const ExplanationLine& line : lines) text += (text.empty() ? "" : "\n") + line.text();
    return text;
}

ExplanationText explanation_text(const Explanation& explanation, double value,
                                 const ExplanationTextOptions& options) {
    HEADLIGHT_CHECK(!explanation.steps.empty(), "an explanation without steps");
    const std::vector<double> steps = explanation.evaluate_steps();
    ExplanationText text;
    text.note = explanation.note;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const bool last = i + 1 == steps.size();
        text.lines.push_back(line_of(explanation.steps[i], last ? value : steps[i], steps, options));
        text.lines.back().reader = explanation.steps[i].reader;
        text.lines.back().formula = explanation.steps[i].formula;
    }
    return text;
}

ExplanationText explanation_text(const Graph& graph, const Node& node, Cell cell,
                                 const ExplanationTextOptions& options) {
    return explanation_text(graph.explain(node, cell), node.value(cell.batch, cell.row, cell.column),
                            options);
}

ExplanationText explanation_text(const CellRef& number, const ExplanationTextOptions& options) {
    return explanation_text(explain(number), number.value(), options);
}

} // namespace headlight
