#include "engine/inspect/export.h"

#include "engine/tensor/random.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <sstream>
#include <stdexcept>

using namespace headlight;

namespace {

constexpr Real infinity = std::numeric_limits<Real>::infinity();
constexpr Real not_a_number = std::numeric_limits<Real>::quiet_NaN();

std::vector<Real> example() { return {Real(0.5), Real(-0.25), -infinity, Real(1e-7), not_a_number, 3}; }

std::string exported(std::vector<Real> numbers, const Shape& shape, ExportOptions options) {
    return export_text(Tensor(shape, numbers.data()), options);
}

} // namespace

TEST_CASE("a value as TSV is its numbers between tabs, a row a line") {
    CHECK(exported(example(), {1, 2, 3}, {}) == "0.5\t-0.25\t-inf\n1e-07\tnan\t3\n");
    CHECK(exported(example(), {1, 2, 3}, {.region = {0, 1, -1}}) == "1e-07\tnan\t3\n");
    CHECK(exported(example(), {1, 2, 3}, {.region = {-1, -1, 1}}) == "-0.25\nnan\n");
}

TEST_CASE("labels of TSV stand before rows and above columns, without tabs of their own") {
    CHECK(exported({1, 2, 3, 4}, {1, 2, 2}, {.row_labels = {"o", "ra\tto"}, .column_labels = {"q", "k"}})
          == "\tq\tk\no\t1\t2\nra to\t3\t4\n");
    CHECK(exported({1, 2, 3, 4}, {1, 2, 2},
                   {.region = {-1, 1, 0}, .row_labels = {"o", "rato"}, .column_labels = {"q", "k"}})
          == "\tq\nrato\t3\n");
}

TEST_CASE("several heads are one table with a column more") {
    CHECK(exported({1, 2, 3, 4}, {2, 1, 2}, {}) == "0\t1\t2\n1\t3\t4\n");
    CHECK(exported({1, 2, 3, 4}, {2, 1, 2}, {.column_labels = {"a", "b"}, .batch_labels = {"h1", "h2"}})
          == "\ta\tb\nh1\t1\t2\nh2\t3\t4\n");
    CHECK(exported({1, 2, 3, 4}, {2, 1, 2}, {.region = {1, -1, -1}}) == "3\t4\n");
}

TEST_CASE("every float comes back from its shortest text, bit for bit, also when read through double") {
    Random random(5);
    for (int i = 0; i < 200000; ++i) {
        std::uint32_t bits = std::uint32_t(random.next());
        float x;
        std::memcpy(&x, &bits, sizeof x);
        if (!std::isfinite(x)) continue;
        const std::string text = shortest_text(Real(x));
        const Real back = Real(std::strtod(text.c_str(), nullptr));
        REQUIRE(back == Real(x));
        REQUIRE(text.size() <= 24);
    }
    CHECK(shortest_text(Real(0.1)) == "0.1");
    CHECK(shortest_text(-infinity) == "-inf");
}

TEST_CASE("a value as NumPy is a literal that Python reads") {
    const std::string dtype = sizeof(Real) == 4 ? "dtype=np.float32" : "dtype=np.float64";
    const auto numpy = [](const ExportOptions& o) {
        ExportOptions options = o;
        options.format = ExportFormat::numpy;
        return exported(example(), {1, 2, 3}, options);
    };
    CHECK(numpy({}) == "np.array([[0.5, -0.25, -np.inf],\n          [1e-07, np.nan, 3]], " + dtype + ")\n");
    CHECK(numpy({.region = {0, 0, 0}}) == "np.array([[0.5]], " + dtype + ")\n");
    CHECK(numpy({.region = {0, 0, 0}, .row_labels = {"\"o\"", "a"}})
          == "rows = [\"\\\"o\\\"\"]\nvalues = np.array([[0.5]], " + dtype + ")\n");
    CHECK(exported({1, 2, 3, 4}, {2, 1, 2}, {.format = ExportFormat::numpy})
          == "np.array([[[1, 2]],\n          [[3, 4]]], " + dtype + ")\n");
}

TEST_CASE("a value as LaTeX is a matrix with the decimals asked for") {
    CHECK(exported(example(), {1, 2, 3}, {.format = ExportFormat::latex})
          == "\\begin{bmatrix}\n0.50 & -0.25 & -\\infty \\\\\n"
             "1.0 \\times 10^{-7} & \\mathrm{NaN} & 3.00\n\\end{bmatrix}\n");
    CHECK(exported({1, 2}, {1, 1, 2}, {.format = ExportFormat::latex, .decimals = 1, .round_brackets = true})
          == "\\begin{pmatrix}\n1.0 & 2.0\n\\end{pmatrix}\n");
    CHECK(exported({1, 2}, {2, 1, 1}, {.format = ExportFormat::latex, .decimals = 0})
          == "\\begin{bmatrix}\n1\n\\end{bmatrix},\n\\begin{bmatrix}\n2\n\\end{bmatrix}\n");
}

TEST_CASE("a LaTeX matrix with labels is an array, and labels are text") {
    CHECK(exported({1, 2}, {1, 1, 2},
                   {.format = ExportFormat::latex,
                    .decimals = 0,
                    .row_labels = {"50%"},
                    .column_labels = {"<s>", "a_b"}})
          == "\\begin{array}{r|rr}\n & \\text{\\textless{}s\\textgreater{}} & \\text{a\\_b} \\\\ \\hline\n"
             "\\text{50\\%} & 1 & 2\n\\end{array}\n");
}

TEST_CASE("a value as Markdown is a table with a head") {
    CHECK(exported(example(), {1, 2, 3}, {.format = ExportFormat::markdown})
          == "|  |  |  |\n| ---: | ---: | ---: |\n| 0.50 | −0.25 | −∞ |\n| 1.0·10⁻⁷ | NaN | 3.00 |\n");
    CHECK(exported({1, 2}, {1, 1, 2},
                   {.format = ExportFormat::markdown,
                    .decimals = 1,
                    .row_labels = {"a|b"},
                    .column_labels = {"<s>", "*"}})
          == "|  | &lt;s&gt; | \\* |\n| :--- | ---: | ---: |\n| a\\|b | 1.0 | 2.0 |\n");
}

TEST_CASE("a part or labels that do not fit the value are a broken promise") {
    CHECK_THROWS_AS(exported({1, 2}, {1, 1, 2}, {.region = {0, 1, 0}}), std::logic_error);
    CHECK_THROWS_AS(exported({1, 2}, {1, 1, 2}, {.column_labels = {"only one"}}), std::logic_error);
}
