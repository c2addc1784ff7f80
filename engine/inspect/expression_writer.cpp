#include "engine/inspect/expression_writer.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string_view>

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
    switch (kind) {
    case Kind::exp:
        return "exp";
    case Kind::log:
        return "log";
    case Kind::sqrt:
        return "√";
    case Kind::sin:
        return "sin";
    case Kind::cos:
        return "cos";
    case Kind::erf:
        return "erf";
    case Kind::tanh:
        return "tanh";
    default:
        return {};
    }
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

} // namespace headlight
