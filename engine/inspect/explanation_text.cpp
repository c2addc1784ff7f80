#include "engine/inspect/explanation_text.h"
#include "engine/base/check.h"
#include "engine/inspect/numbers.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string_view>
#include <utility>

namespace headlight {

namespace {

using Kind = Expr::Kind;

bool is_one_number(const Expr& e) {
    return e.kind == Kind::number || e.kind == Kind::cell || e.kind == Kind::step;
}

bool is_list(const Expr& e) { return e.kind == Kind::sum || e.kind == Kind::maximum; }

const Expr* longest_list(const Expr& e) {
    const Expr* longest = is_list(e) ? &e : nullptr;
    for (const Expr& operand : e.operands)
        if (const Expr* inside = longest_list(operand))
            if (!longest || inside->operands.size() > longest->operands.size()) longest = inside;
    return longest;
}

// Constants of few digits are written as they are: "64", "0.5", "1e−5".
bool written_exactly(double x, WrittenNumber& as) {
    for (int decimals = 0; decimals <= 6; ++decimals)
        if (as = written(x, decimals); as.number == x) return true;
    return false;
}

std::string filled(std::string pattern, const std::string& number, std::size_t count) {
    const auto fill = [&](std::string_view mark, const std::string& by) {
        if (const auto at = pattern.find(mark); at != std::string::npos) pattern.replace(at, mark.size(), by);
    };
    fill("{0}", number);
    fill("{1}", std::to_string(count));
    return pattern;
}

std::string in_parentheses_if_negative(const WrittenNumber& number) {
    return number.number < 0 ? "(" + number.text + ")" : number.text;
}

std::string_view function_name(Kind kind) {
    constexpr std::pair<Kind, std::string_view> names[] = {
        {Kind::exp, "exp"}, {Kind::log, "log"}, {Kind::sqrt, "√"},   {Kind::sin, "sin"},
        {Kind::cos, "cos"}, {Kind::erf, "erf"}, {Kind::tanh, "tanh"}};
    const auto found = std::find_if(std::begin(names), std::end(names),
                                    [&](const auto& name) { return name.first == kind; });
    return found == std::end(names) ? std::string_view() : found->second;
}

} // namespace

const Expr* list_of(const Expr& expression) {
    const Expr* list = longest_list(expression);
    return list && (list == &expression || list->operands.size() > 2) ? list : nullptr;
}

WrittenExpression ExpressionWriter::write(Precision precision) {
    precision_ = precision;
    out_ = {};
    out_.as_printed = evaluate(add(expression_, Place::alone), {});
    return std::move(out_);
}

WrittenNumber ExpressionWriter::as_written(const Expr& leaf) const {
    const double x = number_of(leaf);
    WrittenNumber number;
    if (leaf.kind == Kind::number && written_exactly(x, number)) return number;
    return written(x, decimals_for(x, precision_.decimals, precision_.significant));
}

bool ExpressionWriter::needs_parentheses(const Expr& e, Place place) const {
    if (place == Place::alone || place == Place::first_of_sum) return false;
    switch (e.kind) {
    case Kind::number:
    case Kind::cell:
    case Kind::step:
        if (place == Place::numerator && (out_.text.empty() || out_.text.back() == '(')) return false;
        return number_of(e) < 0
               || ((place == Place::power || place == Place::denominator) && as_written(e).is_power);
    case Kind::sum:
    case Kind::negative:
        return true;
    case Kind::product:
        return place == Place::denominator || place == Place::power;
    case Kind::quotient:
        return place != Place::later_in_sum && place != Place::subtracted;
    case Kind::power:
        return place == Place::power;
    default:
        return false; // functions bring their own
    }
}

Expr ExpressionWriter::add(const Expr& e, Place place) {
    if (!needs_parentheses(e, place)) return add_bare(e);
    if (is_one_number(e)) return add_number(e, true);
    out_.text += "(";
    Expr printed = add_bare(e);
    out_.text += ")";
    return printed;
}

Expr ExpressionWriter::add_bare(const Expr& e) {
    switch (e.kind) {
    case Kind::number:
    case Kind::cell:
    case Kind::step:
        return add_number(e, false);
    case Kind::sum:
    case Kind::maximum:
        return add_list(e);
    case Kind::negative:
        out_.text += "−";
        return Expr::function(Kind::negative, add(e.operands[0], Place::subtracted));
    case Kind::product: {
        std::vector<Expr> factors;
        for (const Expr& factor : e.operands) {
            if (!factors.empty()) out_.text += "·";
            factors.push_back(add(factor, Place::factor));
        }
        return Expr::make(Kind::product, std::move(factors));
    }
    case Kind::quotient: {
        Expr numerator = add(e.operands[0], Place::numerator);
        out_.text += " / ";
        return std::move(numerator) / add(e.operands[1], Place::denominator);
    }
    case Kind::power: {
        Expr base = add(e.operands[0], Place::power);
        const bool squared = e.operands[1].kind == Kind::number && e.operands[1].number == 2;
        out_.text += squared ? "²" : "^";
        Expr exponent = squared ? e.operands[1] : add(e.operands[1], Place::power);
        return Expr::make(Kind::power, {std::move(base), std::move(exponent)});
    }
    default:
        return add_function(function_name(e.kind), e);
    }
}

Expr ExpressionWriter::add_number(const Expr& e, bool parentheses) {
    const WrittenNumber number = as_written(e);
    const std::size_t begin = out_.text.size();
    out_.text += parentheses ? "(" + number.text + ")" : number.text;
    if (e.kind == Kind::cell)
        out_.links.push_back({begin, out_.text.size(), e.cell, -1});
    else if (e.kind == Kind::step)
        out_.links.push_back({begin, out_.text.size(), {}, e.step});
    return Expr::constant(number.number);
}

Expr ExpressionWriter::add_function(std::string_view name, const Expr& e) {
    out_.text.append(name).append("(");
    Expr printed = Expr::function(e.kind, add(e.operands[0], Place::alone));
    out_.text += ")";
    return printed;
}

const std::vector<double>& ExpressionWriter::contributions(const Expr& list) {
    std::vector<double>& values = contributions_[&list];
    if (values.empty())
        for (const Expr& operand : list.operands) values.push_back(evaluate(operand, steps_));
    return values;
}

std::vector<std::size_t> ExpressionWriter::chosen(const Expr& list, const std::vector<double>& values) const {
    const std::size_t count = values.size(), most = std::size_t(std::max(options_.max_terms, 1));
    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), std::size_t(0));
    const bool maximum = list.kind == Kind::maximum;
    const auto weight = [&](std::size_t i) {
        if (std::isnan(values[i])) return std::numeric_limits<double>::infinity();
        return maximum ? values[i] : std::abs(values[i]);
    };
    if (options_.order == TermOrder::by_contribution && count > 2)
        std::stable_sort(order.begin(), order.end(),
                         [&](std::size_t a, std::size_t b) { return weight(a) > weight(b); });
    if (count <= most + 1) return order;
    if (maximum) { // what is listed holds the result
        const auto largest = std::max_element(
            order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return weight(a) < weight(b); });
        if (largest - order.begin() >= std::ptrdiff_t(most)) std::swap(order[most - 1], *largest);
    }
    order.resize(most);
    return order;
}

Expr ExpressionWriter::add_list(const Expr& e) {
    const std::vector<double>& values = contributions(e);
    const bool maximum = e.kind == Kind::maximum, main = &e == list_;
    std::vector<bool> listed(values.size(), false);
    std::vector<Expr> printed;
    if (maximum) out_.text += "max(";
    for (const std::size_t i : chosen(e, values)) {
        const Expr& operand = e.operands[i];
        const bool is_first = printed.empty(), subtracted = !maximum && operand.kind == Kind::negative;
        if (maximum)
            out_.text += is_first ? "" : number_separator();
        else
            out_.text += is_first ? (subtracted ? "−" : "") : (subtracted ? " − " : " + ");
        const std::size_t begin = out_.text.size();
        if (subtracted)
            printed.push_back(Expr::function(Kind::negative, add(operand.operands[0], Place::subtracted)));
        else if (maximum)
            printed.push_back(add(operand, Place::alone));
        else
            printed.push_back(add(operand, is_first ? Place::first_of_sum : Place::later_in_sum));
        listed[i] = true;
        if (main)
            add_span({.begin = begin,
                      .contribution = values[i],
                      .as_printed = evaluate(printed.back(), {}),
                      .subtracted = subtracted});
    }

    double rest = 0;
    for (std::size_t i = 0; i < values.size(); ++i) rest += listed[i] ? 0 : values[i];
    if (const std::size_t left = values.size() - printed.size(); left > 0) {
        const WrittenNumber number =
            written(rest, decimals_for(rest, precision_.decimals, precision_.significant));
        out_.text += maximum ? number_separator() : " + ";
        const std::size_t begin = out_.text.size();
        out_.text += maximum ? filled(options_.rest_of_maximum, "", left)
                             : filled(options_.rest_of_sum, in_parentheses_if_negative(number), left);
        if (main)
            add_span({.begin = begin,
                      .kind = TermText::Kind::rest,
                      .contribution = maximum ? 0 : rest,
                      .as_printed = maximum ? 0 : number.number,
                      .gathered = left});
        if (!maximum) printed.push_back(Expr::constant(number.number));
    }
    if (maximum) out_.text += ")";
    return Expr::make(e.kind, std::move(printed));
}

void ExpressionWriter::add_span(TermSpan span) {
    span.end = out_.text.size();
    out_.terms.push_back(span);
}

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
