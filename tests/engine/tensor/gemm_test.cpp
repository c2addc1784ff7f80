#include "engine/tensor/gemm.h"

#include "engine/tensor/random.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

using namespace headlight;

namespace {

// Larger than what lies in it, so that what is written beside it shows.
struct Matrix {
    Index rows, columns, down;
    std::vector<Real> numbers;

    Matrix(Index rows_, Index columns_, Random& random, Index gap = 0)
        : rows(rows_), columns(columns_), down(columns_ + gap), numbers(std::size_t(rows_ * down + 16)) {
        for (Real& number : numbers) number = Real(random.uniform(-1, 1));
    }
    Real operator()(Index i, Index j) const { return numbers[std::size_t(i * down + j)]; }
    MatrixView view() const { return {numbers.data(), down, 1}; }
};

struct Sizes {
    Index rows, inner, columns;
};

// How each factor lies, in rows or in columns, and where C begins.
void check(const Sizes& sizes, bool a_in_columns, bool b_in_columns, const char* start, Index gap) {
    const auto [rows, inner, columns] = sizes;
    CAPTURE(rows);
    CAPTURE(inner);
    CAPTURE(columns);
    CAPTURE(a_in_columns);
    CAPTURE(b_in_columns);
    CAPTURE(std::string(start));
    Random random({7, std::uint64_t(rows), std::uint64_t(inner), std::uint64_t(columns)});
    const Matrix a = a_in_columns ? Matrix(inner, rows, random, gap) : Matrix(rows, inner, random, gap);
    const Matrix b = b_in_columns ? Matrix(columns, inner, random, gap) : Matrix(inner, columns, random, gap);
    const Matrix bias(1, columns, random);
    Matrix c(rows, columns, random, gap);
    const Matrix before = c;

    const MatrixView left = a_in_columns ? a.view().transposed() : a.view();
    const MatrixView right = b_in_columns ? b.view().transposed() : b.view();
    const std::string from = start;
    const StartOf begin = from == "itself" ? StartOf{c.numbers.data(), c.down}
                          : from == "bias" ? StartOf{bias.numbers.data(), 0}
                                           : StartOf{};
    gemm(rows, inner, columns, left, right, begin, c.numbers.data(), c.down);

    double worst = 0;
    for (Index i = 0; i < rows; ++i)
        for (Index j = 0; j < columns; ++j) {
            double sum = from == "itself" ? double(before(i, j)) : from == "bias" ? double(bias(0, j)) : 0;
            for (Index k = 0; k < inner; ++k) sum += double(left(i, k)) * double(right(k, j));
            worst = std::max(worst, std::fabs(sum - double(c(i, j))));
        }
    CHECK(worst <= (sizeof(Real) == 4 ? 3e-6 : 1e-14) * double(inner + 1));

    Index changed = 0; // what lies between the rows and behind the last
    for (std::size_t at = 0; at < c.numbers.size(); ++at) {
        const Index i = Index(at) / c.down, j = Index(at) % c.down;
        if (i < rows && j < columns) continue;
        changed += c.numbers[at] != before.numbers[at];
    }
    CHECK(changed == 0);
}

} // namespace

TEST_CASE("a product of matrices is what its definition says, however the factors lie and C begins") {
    const Sizes many[] = {{1, 1, 1},     {1, 16, 5},    {3, 7, 40},    {5, 64, 17},   {6, 16, 16},
                          {7, 1, 15},    {10, 16, 10},  {10, 10, 16},  {12, 300, 33}, {13, 20, 48},
                          {23, 40, 65},  {31, 80, 64},  {32, 520, 80}, {48, 65, 100}, {64, 80, 64},
                          {97, 257, 35}, {100, 3, 520}, {130, 70, 70}, {70, 600, 130}};
    for (const Sizes& sizes : many)
        for (const bool a_in_columns : {false, true})
            for (const bool b_in_columns : {false, true})
                for (const char* start : {"zero", "itself", "bias"})
                    for (const Index gap : {0, 5}) check(sizes, a_in_columns, b_in_columns, start, gap);
}

TEST_CASE("a product over nothing is where it begins") {
    std::vector<Real> bias = {1, 2, 3}, c(6, 9);
    gemm(2, 0, 3, {bias.data(), 0, 1}, {bias.data(), 3, 1}, {bias.data(), 0}, c.data(), 3);
    CHECK(c == std::vector<Real>{1, 2, 3, 1, 2, 3});
    gemm(2, 0, 3, {bias.data(), 0, 1}, {bias.data(), 3, 1}, {}, c.data(), 3);
    CHECK(c == std::vector<Real>(6, 0));
}

// Threads share a product by its columns: whoever computes them, the numbers are the same.
TEST_CASE("columns of a product are the same to the bit, whichever are computed with them") {
    for (const Sizes& sizes : {Sizes{20, 300, 256}, Sizes{2, 64, 128}, Sizes{20, 3000, 64},
                               Sizes{12, 64, 100}, Sizes{100, 64, 192}}) {
        const auto [rows, inner, columns] = sizes;
        Random random({3, std::uint64_t(rows)});
        const Matrix a(rows, inner, random), b(columns, inner, random);
        std::vector<Real> whole(std::size_t(rows * columns)), parts = whole;
        gemm(rows, inner, columns, a.view(), b.view().transposed(), {}, whole.data(), columns);
        for (Index first = 0; first < columns; first += 64)
            gemm(rows, inner, std::min<Index>(64, columns - first), a.view(),
                 b.view().from(first, 0).transposed(), {}, parts.data() + first, columns);
        CHECK(whole == parts);

        if (rows < 8) continue; // of a few rows Eigen's kernels choose the order
        // Cut anywhere, and beginning with a bias.
        const Matrix bias(1, columns, random);
        gemm(rows, inner, columns, a.view(), b.view().transposed(), {bias.numbers.data(), 0}, whole.data(),
             columns);
        for (Index first = 0, width = 9; first < columns; first += width, width = 2 * width + 1)
            gemm(rows, inner, std::min(width, columns - first), a.view(),
                 b.view().from(first, 0).transposed(), {bias.numbers.data() + first, 0}, parts.data() + first,
                 columns);
        CHECK(whole == parts);
    }
}
