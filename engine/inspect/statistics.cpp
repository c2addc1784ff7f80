#include "engine/inspect/statistics.h"
#include "engine/base/check.h"
#include "engine/inspect/region_cells.h"

#include <Eigen/Eigenvalues>
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

namespace {

using MatrixOfDoubles = Eigen::MatrixXd;

bool is_finite(std::span<const Real> vector) {
    return std::all_of(vector.begin(), vector.end(), [](Real x) { return std::isfinite(x); });
}

// An axis and its opposite are equally good: the same one every time.
void choose_sign(Eigen::Ref<Eigen::VectorXd> axis) {
    Index largest = 0;
    axis.cwiseAbs().maxCoeff(&largest);
    if (axis[largest] < 0) axis = -axis;
}

struct Components {
    MatrixOfDoubles axes; // [d × 2]
    double variance[2] = {0, 0};
};

// The two eigenvectors of XᵀX with the largest eigenvalues. With fewer vectors than numbers in each, those of
// the smaller X Xᵀ lead to the same: if X Xᵀ u = λ u, then Xᵀ u is an eigenvector of XᵀX.
Components largest_two(const MatrixOfDoubles& x) {
    const bool few = x.rows() < x.cols();
    const MatrixOfDoubles product =
        few ? MatrixOfDoubles(x * x.transpose()) : MatrixOfDoubles(x.transpose() * x);
    const Eigen::SelfAdjointEigenSolver<MatrixOfDoubles> solver(product);
    Components found;
    found.axes = MatrixOfDoubles::Zero(x.cols(), 2);
    const double all = std::max(product.trace(), 0.0);
    for (Index i = 0; i < std::min<Index>(2, product.rows()); ++i) {
        const Index which = product.rows() - 1 - i; // in ascending order
        const double value = solver.eigenvalues()[which];
        if (!(value > 1e-12 * all)) continue; // nothing differs in this direction
        Eigen::VectorXd axis = solver.eigenvectors().col(which);
        if (few) axis = (x.transpose() * axis).normalized();
        choose_sign(axis);
        found.axes.col(i) = axis;
        found.variance[i] = value / all;
    }
    return found;
}

} // namespace

Projection principal_components(std::span<const std::span<const Real>> vectors) {
    const Index n = Index(vectors.size()), d = n > 0 ? Index(vectors.front().size()) : 0;
    Projection result;
    result.points = KeptTensor({1, n, 2});
    result.axes = KeptTensor({1, 2, d});
    result.mean = KeptTensor({1, 1, d});
    std::vector<Index> used;
    for (Index i = 0; i < n; ++i) {
        HEADLIGHT_CHECK(Index(vectors[std::size_t(i)].size()) == d, "vectors of different lengths");
        if (is_finite(vectors[std::size_t(i)])) used.push_back(i);
    }
    result.left_out = n - Index(used.size());
    MatrixOfDoubles x(Index(used.size()), d);
    for (std::size_t i = 0; i < used.size(); ++i)
        for (Index c = 0; c < d; ++c) x(Index(i), c) = double(vectors[std::size_t(used[i])][std::size_t(c)]);
    std::fill(result.points.numbers.begin(), result.points.numbers.end(),
              std::numeric_limits<Real>::quiet_NaN());
    if (used.empty() || d == 0) return result;

    const Eigen::RowVectorXd mean = x.colwise().mean();
    x.rowwise() -= mean;
    const Components found = largest_two(x);
    const MatrixOfDoubles points = x * found.axes;
    for (Index axis = 0; axis < 2; ++axis) {
        result.explained[axis] = found.variance[axis];
        for (Index c = 0; c < d; ++c) result.axes(0, axis, c) = Real(found.axes(c, axis));
        for (std::size_t i = 0; i < used.size(); ++i)
            result.points(0, used[i], axis) = Real(points(Index(i), axis));
    }
    for (Index c = 0; c < d; ++c) result.mean(0, 0, c) = Real(mean[c]);
    return result;
}

Projection principal_components(const Tensor& rows) {
    std::vector<std::span<const Real>> vectors;
    for (Index b = 0; b < rows.batch(); ++b)
        for (Index r = 0; r < rows.rows(); ++r)
            vectors.emplace_back(rows.row(b, r), std::size_t(rows.columns()));
    return principal_components(vectors);
}

} // namespace headlight
