#include "engine/inspect/statistics.h"

#include "engine/inspect/region_cells.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace headlight {

Statistics statistics(const Tensor& value, const Region& region) {
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    Statistics s;
    double sum = 0, squares = 0;
    s.min = std::numeric_limits<double>::infinity();
    s.max = -s.min;
    for_each_cell(region, value.shape(), [&](Cell cell) {
        const double x = value(cell.batch, cell.row, cell.column);
        ++s.count;
        if (!std::isfinite(x)) {
            ++(x < 0 ? s.minus_infinite : s.broken);
            return;
        }
        sum += x;
        squares += x * x;
        if (x < s.min) {
            s.min = x;
            s.smallest = cell;
        }
        if (x > s.max) {
            s.max = x;
            s.largest = cell;
        }
    });
    s.norm = std::sqrt(squares);
    if (s.finite() == 0) {
        s.min = s.max = s.mean = s.deviation = nan;
        return s;
    }
    s.mean = sum / double(s.finite());
    double distances = 0; // a second pass: the mean of squares less the squared mean would lose digits
    for_each_cell(region, value.shape(), [&](Cell cell) {
        const double x = value(cell.batch, cell.row, cell.column);
        if (std::isfinite(x)) distances += (x - s.mean) * (x - s.mean);
    });
    s.deviation = std::sqrt(distances / double(s.finite()));
    return s;
}

namespace {

Entropy entropy_of_row(const Real* row, Index columns) {
    double total = 0, weighted = 0; // Σ p, Σ p log₂ p
    for (Index c = 0; c < columns; ++c) {
        const double p = row[c];
        if (!(p >= 0) || !std::isfinite(p)) {
            constexpr double nan = std::numeric_limits<double>::quiet_NaN();
            return {nan, nan};
        }
        total += p;
        if (p > 0) weighted += p * std::log2(p);
    }
    if (total == 0) return {};
    // A row of floats adds up to one only nearly: H of p / total.
    const double bits = std::max(0.0, std::log2(total) - weighted / total);
    return {bits, std::exp2(bits)};
}

} // namespace

double median(std::vector<double> numbers) {
    const auto middle = numbers.begin() + std::ptrdiff_t(numbers.size() / 2);
    std::nth_element(numbers.begin(), middle, numbers.end());
    return *middle;
}

std::vector<Entropy> row_entropies(const Tensor& probabilities, const Region& region) {
    HEADLIGHT_CHECK(region.column < 0, "entropy is of whole rows");
    std::vector<Entropy> entropies;
    for_each_cell({region.batch, region.row, 0}, {probabilities.batch(), probabilities.rows(), 1},
                  [&](Cell cell) {
                      entropies.push_back(
                          entropy_of_row(probabilities.row(cell.batch, cell.row), probabilities.columns()));
                  });
    return entropies;
}

std::vector<Real> difference(const Tensor& a, const Tensor& b) {
    std::vector<Real> numbers(std::size_t(a.size()));
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        const Real x = a.data()[i], y = b.data()[i];
        numbers[i] = x == y ? Real(0) : x - y;
    }
    return numbers;
}

} // namespace headlight
