#include "tests/engine/inspect/arithmetic.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace headlight::test {

namespace {

class Reader {
public:
    explicit Reader(std::string_view text) : text_(text) {}

    double all() {
        const double result = sum();
        if (!text_.empty()) fail();
        return result;
    }

private:
    [[noreturn]] void fail() const { throw std::runtime_error("cannot read \"" + std::string(text_) + "\""); }
    bool take(std::string_view what) {
        if (!text_.starts_with(what)) return false;
        text_.remove_prefix(what.size());
        return true;
    }
    void expect(std::string_view what) {
        if (!take(what)) fail();
    }

    double sum() {
        double total = take("−") ? -product() : product();
        while (true) {
            if (take(" + "))
                total += product();
            else if (take(" − "))
                total -= product();
            else
                return total;
        }
    }
    double product() {
        double total = power();
        while (true) {
            if (take("·"))
                total *= power();
            else if (take(" / "))
                total /= power();
            else
                return total;
        }
    }
    double power() {
        const double base = primary();
        if (take("²")) return base * base;
        if (take("^")) return std::pow(base, primary());
        return base;
    }
    double primary() {
        if (take("max(")) return maximum();
        for (const auto& [name, function] : functions)
            if (take(name)) {
                const double result = function(sum());
                expect(")");
                return result;
            }
        double result = 0;
        if (take("(")) {
            result = sum();
            expect(")");
        } else {
            result = number();
        }
        if (take(" (… ")) {
            digits();
            expect(")");
        }
        return result;
    }
    double maximum() {
        double largest = -std::numeric_limits<double>::infinity();
        do {
            if (take("… ")) {
                digits();
            } else {
                largest = std::max(largest, sum());
            }
        } while (take(", "));
        expect(")");
        return largest;
    }
    std::string digits() {
        std::string read;
        while (!text_.empty() && text_.front() >= '0' && text_.front() <= '9') {
            read += text_.front();
            text_.remove_prefix(1);
        }
        if (read.empty()) fail();
        return read;
    }
    double number() {
        if (take("∞")) return std::numeric_limits<double>::infinity();
        if (take("NaN")) return std::numeric_limits<double>::quiet_NaN();
        std::string read = digits();
        while (text_.size() > 1 && text_[0] == ',' && std::isdigit(static_cast<unsigned char>(text_[1])))
            read += take(",") ? digits() : ""; // thousands
        if (take(".")) read += "." + digits();
        std::string power = read == "10" ? raised() : "";
        if (!power.empty()) return std::stod("1e" + power);
        const std::string_view before = text_;
        if (take("·10")) power = raised();
        if (power.empty()) text_ = before; // a product with 10
        return std::stod(power.empty() ? read : read + "e" + power);
    }
    // "⁻⁷" as "-7", or nothing.
    std::string raised() {
        const std::string_view before = text_;
        const std::string sign = take("⁻") ? "-" : "";
        std::string power;
        for (bool found = true; found;) {
            found = false;
            for (std::size_t i = 0; i < std::size(raised_digits) && !found; ++i)
                if (take(raised_digits[i])) {
                    power += char('0' + i);
                    found = true;
                }
        }
        if (power.empty()) text_ = before;
        return power.empty() ? "" : sign + power;
    }
    static constexpr std::string_view raised_digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};

    struct Function {
        std::string_view name;
        double (*function)(double);
    };
    static constexpr Function functions[] = {
        {"exp(", [](double x) { return std::exp(x); }},   {"log(", [](double x) { return std::log(x); }},
        {"√(", [](double x) { return std::sqrt(x); }},    {"sin(", [](double x) { return std::sin(x); }},
        {"cos(", [](double x) { return std::cos(x); }},   {"erf(", [](double x) { return std::erf(x); }},
        {"tanh(", [](double x) { return std::tanh(x); }},
    };
    std::string_view text_;
};

} // namespace

double calculate(std::string_view text) { return Reader(text).all(); }

int decimals_of(std::string_view number) {
    const std::size_t power = number.find("·10");
    const std::string_view mantissa = number.substr(0, power);
    if (power == std::string_view::npos && (number.starts_with("10⁻") || number.starts_with("−10⁻")))
        return -int(std::lround(std::log10(std::abs(calculate(number)))));
    const std::size_t point = mantissa.find('.');
    const int decimals = point == std::string_view::npos ? 0 : int(mantissa.size() - point) - 1;
    if (power == std::string_view::npos) return decimals;
    const double unit = calculate(number.substr(power + std::string_view("·").size()));
    return decimals - int(std::lround(std::log10(unit)));
}

} // namespace headlight::test
