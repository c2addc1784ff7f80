#include "tests/engine/inspect/formula_reader.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <functional>
#include <numbers>
#include <stdexcept>

namespace headlight::test {

namespace {

using Function = std::function<double(double)>;

Numbers2 each(Numbers2 x, const Function& f) {
    for (double& number : x.data) number = f(number);
    return x;
}

// Cell by cell; a single row, column or number goes with every one.
Numbers2 together(const Numbers2& a, const Numbers2& b, const std::function<double(double, double)>& f) {
    Numbers2 result{std::max(a.rows, b.rows), std::max(a.columns, b.columns)};
    const auto cell = [&](const Numbers2& of, Index r, Index c) {
        const bool fits =
            (of.rows == 1 || of.rows == result.rows) && (of.columns == 1 || of.columns == result.columns);
        if (!fits) throw std::runtime_error("sizes that do not go together");
        return of.at(of.rows == 1 ? 0 : r, of.columns == 1 ? 0 : c);
    };
    for (Index r = 0; r < result.rows; ++r)
        for (Index c = 0; c < result.columns; ++c) result.data.push_back(f(cell(a, r, c), cell(b, r, c)));
    return result;
}

Numbers2 matrix_product(const Numbers2& a, const Numbers2& b) {
    Numbers2 result{a.rows, b.columns, std::vector<double>(std::size_t(a.rows * b.columns), 0)};
    for (Index r = 0; r < a.rows; ++r)
        for (Index i = 0; i < a.columns; ++i)
            for (Index c = 0; c < b.columns; ++c) result.at(r, c) += a.at(r, i) * b.at(i, c);
    return result;
}

bool is_number(const Numbers2& x) { return x.rows == 1 && x.columns == 1; }

// A matrix product where the sizes are those of one, else cell by cell (γ, a constant).
Numbers2 product(const Numbers2& a, const Numbers2& b) {
    if (a.columns == b.rows && !is_number(b) && !(is_number(a) && b.rows != 1)) return matrix_product(a, b);
    return together(a, b, std::multiplies<double>());
}

Numbers2 transposed(const Numbers2& x) {
    Numbers2 result{x.columns, x.rows};
    for (Index r = 0; r < x.columns; ++r)
        for (Index c = 0; c < x.rows; ++c) result.data.push_back(x.at(c, r));
    return result;
}

Numbers2 softmax_of_rows(Numbers2 x) {
    for (Index r = 0; r < x.rows; ++r) {
        double total = 0;
        for (Index c = 0; c < x.columns; ++c) total += x.at(r, c) = std::exp(x.at(r, c));
        for (Index c = 0; c < x.columns; ++c) x.at(r, c) = total == 0 ? 0 : x.at(r, c) / total;
    }
    return x;
}

Numbers2 row_sums(const Numbers2& x) {
    Numbers2 sums{x.rows, 1};
    for (Index r = 0; r < x.rows; ++r) {
        double sum = 0;
        for (Index c = 0; c < x.columns; ++c) sum += x.at(r, c);
        sums.data.push_back(sum);
    }
    return sums;
}

Numbers2 row_means(const Numbers2& x) {
    return each(row_sums(x), [&](double sum) { return sum / double(x.columns); });
}

// Of each row the second half, negative, then the first.
Numbers2 turned_by_a_right_angle(const Numbers2& x) {
    Numbers2 result{x.rows, x.columns};
    const Index half = x.columns / 2;
    for (Index r = 0; r < x.rows; ++r)
        for (Index c = 0; c < x.columns; ++c)
            result.data.push_back(c < half ? -x.at(r, c + half) : x.at(r, c - half));
    return result;
}

// Of as many equal blocks side by side.
Numbers2 block_of_columns(const Numbers2& x, Index block, Index blocks) {
    const Index width = x.columns / blocks;
    Numbers2 result{x.rows, width};
    for (Index r = 0; r < x.rows; ++r)
        for (Index c = 0; c < width; ++c) result.data.push_back(x.at(r, block * width + c));
    return result;
}

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }
double tanh_gelu(double x) {
    return 0.5 * x * (1 + std::tanh(std::sqrt(2 / std::numbers::pi) * (x + 0.044715 * x * x * x)));
}
double normal_cdf(double x) { return 0.5 * (1 + std::erf(x / std::sqrt(2.0))); }

class Reader {
public:
    Reader(const std::string& text, const Bindings& letters) : text_(text), letters_(letters) {}

    Numbers2 all() {
        Numbers2 value = sum();
        if (at_ != text_.size()) fail();
        return value;
    }

private:
    [[noreturn]] void fail() const { throw std::runtime_error("cannot read " + text_.substr(at_)); }
    bool take(const std::string& what) {
        if (text_.compare(at_, what.size(), what) != 0) return false;
        at_ += what.size();
        return true;
    }
    void need(const std::string& what) {
        if (!take(what)) fail();
    }
    Numbers2 within(const std::string& close) {
        Numbers2 value = sum();
        need(close);
        return value;
    }

    Numbers2 sum() {
        Numbers2 value = term();
        while (true) {
            if (take(" + "))
                value = together(value, term(), std::plus<double>());
            else if (take(" - "))
                value = together(value, term(), std::minus<double>());
            else
                return value;
        }
    }
    Numbers2 term() {
        const bool is_negative = take("-");
        Numbers2 value = factor();
        if (is_negative) value = each(value, std::negate<double>());
        while (true) {
            if (starts("\\sum_"))
                value = together(value, factor(), std::multiplies<double>());
            else if (take("\\,"))
                value = product(value, factor());
            else if (take(" \\cdot ") || take(" \\odot "))
                value = together(value, factor(), std::multiplies<double>());
            else
                return value;
        }
    }
    Numbers2 factor() {
        Numbers2 value = atom();
        if (take("^T")) value = transposed(value);
        if (take("^2")) value = each(value, [](double x) { return x * x; });
        if (take("^3")) value = each(value, [](double x) { return x * x * x; });
        if (take("^{\\perp}")) value = turned_by_a_right_angle(value);
        for (const auto& [gates, all] : {std::pair("ifgo", 4), std::pair("rzn", 3)})
            for (int gate = 0; gate < all; ++gate)
                if (take(std::string("^{(") + gates[gate] + ")}")) value = block_of_columns(value, gate, all);
        return value;
    }
    Numbers2 atom() {
        // The mean of a matrix's rows; the mean of a loss goes on with its terms.
        const std::string mean = "\\frac{1}{n}\\sum_{i} ";
        if (starts(mean) && std::isupper(static_cast<unsigned char>(text_[at_ + mean.size()]))
            && take(mean.c_str())) {
            const Numbers2 all = atom();
            need("_{i}");
            return each(transposed(row_sums(transposed(all))),
                        [&](double x) { return x / double(all.rows); });
        }
        if (take("\\frac{")) {
            const Numbers2 over = within("}");
            need("{");
            return together(over, within("}"), std::divides<double>());
        }
        if (take("\\sqrt{")) return each(within("}"), [](double x) { return std::sqrt(x); });
        if (take("\\left(")) return within("\\right)");
        if (take("(")) return within(")");
        if (take("{")) return within("}");
        if (take("\\cos")) return each(atom(), [](double x) { return std::cos(x); });
        if (take("\\sin")) return each(atom(), [](double x) { return std::sin(x); });
        if (take("\\tanh\\left(")) return each(within("\\right)"), [](double x) { return std::tanh(x); });
        if (take("\\sigma(")) return each(within(")"), sigmoid);
        if (take("\\mathrm{SiLU}(")) return each(within(")"), [](double x) { return x * sigmoid(x); });
        if (take("\\mathrm{GELU}_{\\tanh}(")) return each(within(")"), tanh_gelu);
        if (take("\\mathrm{GELU}_{\\sigma}("))
            return each(within(")"), [](double x) { return x * sigmoid(1.702 * x); });
        if (take("\\mathrm{mean}(")) return row_means(within(")"));
        if (take("\\pi")) return {1, 1, {std::numbers::pi}};
        // i counts rows, v columns; what is summed is what follows.
        if (take("\\sum_{i} ")) return row_sums(transposed(atom()));
        if (take("\\sum_{v} ")) return row_sums(atom());
        if (take("\\log ")) return each(picked(atom()), [](double x) { return std::log(x); });
        if (take("[")) return beside_one_another();
        if (take("\\mathrm{softmax}(")) return softmax_of_rows(within(")"));
        if (take("\\mathrm{softmax}\\left(")) return softmax_of_rows(within("\\right)"));
        if (take("\\max(0,\\, ")) return each(within(")"), [](double x) { return std::max(0.0, x); });
        if (take("\\mathrm{GELU}(")) return each(within(")"), [](double x) { return x * normal_cdf(x); });
        if (take("\\Phi(")) return each(within(")"), normal_cdf);
        if (take("\\mathrm{Concat}(\\mathrm{head}_1, \\ldots, \\mathrm{head}_h)")) return side_by_side();
        return letter();
    }
    // "[a;\\, b]", the columns of both.
    Numbers2 beside_one_another() {
        const Numbers2 a = within(";\\, "), b = within("]");
        Numbers2 both{a.rows, a.columns + b.columns};
        for (Index r = 0; r < a.rows; ++r)
            for (Index c = 0; c < both.columns; ++c)
                both.data.push_back(c < a.columns ? a.at(r, c) : b.at(r, c - a.columns));
        return both;
    }
    bool starts(const std::string& what) const { return text_.compare(at_, what.size(), what) == 0; }
    // Of each row the cell that a letter says, or every cell.
    Numbers2 picked(const Numbers2& from) {
        if (!take("_{i,\\,")) {
            take("_{iv}");
            return from;
        }
        const Numbers2 where = within("_i}");
        Numbers2 cells{from.rows, 1};
        for (Index r = 0; r < from.rows; ++r) cells.data.push_back(from.at(r, Index(where.at(r, 0))));
        return cells;
    }
    // All heads, as many as there are.
    Numbers2 side_by_side() const {
        Numbers2 result;
        for (Index r = 0;; ++r) {
            for (Index head = 1;; ++head) {
                const auto found = letters_.find("\\mathrm{head}_" + std::to_string(head));
                if (found == letters_.end()) break;
                if (r == found->second.rows) {
                    result.rows = r;
                    result.columns = Index(result.data.size()) / std::max<Index>(r, 1);
                    return result;
                }
                for (Index c = 0; c < found->second.columns; ++c)
                    result.data.push_back(found->second.at(r, c));
            }
            if (result.data.empty()) fail();
        }
    }
    // The longest that is known here, or a whole number.
    Numbers2 letter() {
        if (std::isdigit(static_cast<unsigned char>(text_[at_]))) {
            double number = 0;
            for (; at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_])); ++at_)
                number = number * 10 + (text_[at_] - '0');
            if (text_[at_] == '.') {
                ++at_;
                for (double place = 0.1; std::isdigit(static_cast<unsigned char>(text_[at_]));
                     ++at_, place /= 10)
                    number += place * (text_[at_] - '0');
            }
            return {1, 1, {number}};
        }
        const Numbers2* best = nullptr;
        std::size_t length = 0;
        for (const auto& [name, value] : letters_)
            if (name.size() > length && text_.compare(at_, name.size(), name) == 0)
                best = &value, length = name.size();
        if (!best) fail();
        at_ += length;
        return *best;
    }

    const std::string& text_;
    const Bindings& letters_;
    std::size_t at_ = 0;
};

} // namespace

Numbers2 evaluate_formula(const std::string& text, const Bindings& letters) {
    return Reader(text, letters).all();
}

std::string without_colours(std::string text) {
    for (const char* colour : {"query", "key", "value"})
        for (const std::string mark = std::string("\\color{") + colour + "}{";
             text.find(mark) != text.npos;) {
            const std::size_t at = text.find(mark), open = at + mark.size();
            std::size_t close = open;
            for (int depth = 1; depth > 0; ++close)
                depth += text[close] == '{' ? 1 : text[close] == '}' ? -1 : 0;
            text = text.substr(0, at) + text.substr(open, close - 1 - open) + text.substr(close);
        }
    return text;
}

std::string right_hand_side(const std::string& equation) {
    int depth = 0;
    for (std::size_t i = 0; i < equation.size(); ++i) {
        if (equation[i] == '{' || equation[i] == '(') ++depth;
        if (equation[i] == '}' || equation[i] == ')') --depth;
        if (depth == 0 && equation.compare(i, 3, " = ") == 0) return equation.substr(i + 3);
    }
    return equation;
}

} // namespace headlight::test
