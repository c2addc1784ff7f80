#include "engine/inspect/dot_products.h"

#include "engine/tensor/random.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace headlight {

namespace {

using Numbers = std::vector<double>;

constexpr Index numbers_for_variance = 1 << 16;

Numbers normal_numbers(Index count, Random& random) {
    Numbers numbers(std::size_t(count), 0);
    for (double& x : numbers) x = random.normal();
    return numbers;
}

struct Saturation {
    double largest = 0, slope = 0;
};

Saturation saturation(const Numbers& scores, double divisor) {
    const double most = *std::max_element(scores.begin(), scores.end());
    double total = 0;
    for (const double s : scores) total += std::exp((s - most) / divisor);
    Saturation result;
    result.largest = 1 / total;
    for (const double s : scores) {
        const double p = std::exp((s - most) / divisor) / total;
        result.slope += p * (1 - p) / double(scores.size());
    }
    return result;
}

// Σ_i x_i x_iᵀ, [d × d], of vectors that lie one behind another.
Numbers gram(const Numbers& vectors, Index d) {
    Numbers sum(std::size_t(d * d), 0);
    for (const double* x = vectors.data(); x != vectors.data() + vectors.size(); x += d)
        for (Index a = 0; a < d; ++a)
            for (Index b = 0; b < d; ++b) sum[std::size_t(a * d + b)] += x[a] * x[b];
    return sum;
}

// Σ_ij (q_i · k_j)², pair by pair, or at once as the inner product of Σ q qᵀ and Σ k kᵀ: whichever is less.
double sum_of_squares(const Numbers& q, const Numbers& k, Index d, Index count) {
    if (count > d) {
        const Numbers of_q = gram(q, d), of_k = gram(k, d);
        return std::inner_product(of_q.begin(), of_q.end(), of_k.begin(), 0.0);
    }
    double sum = 0;
    for (Index i = 0; i < count; ++i)
        for (Index j = 0; j < count; ++j) {
            const double s = std::inner_product(&q[std::size_t(i * d)], &q[std::size_t(i * d)] + d,
                                                &k[std::size_t(j * d)], 0.0);
            sum += s * s;
        }
    return sum;
}

// Of all pairs of so many queries and keys that a steady number comes out.
double variance_of_pairs(Index d_k, double& mean, Random& random) {
    const Index count = std::max<Index>(numbers_for_variance / d_k, 1);
    const Numbers q = normal_numbers(count * d_k, random), k = normal_numbers(count * d_k, random);
    Numbers mean_q(std::size_t(d_k), 0), mean_k = mean_q;
    for (std::size_t i = 0; i < q.size(); ++i) {
        mean_q[i % std::size_t(d_k)] += q[i] / double(count);
        mean_k[i % std::size_t(d_k)] += k[i] / double(count);
    }
    mean = std::inner_product(mean_q.begin(), mean_q.end(), mean_k.begin(), 0.0);
    return sum_of_squares(q, k, d_k, count) / double(count) / double(count) - mean * mean;
}

void count_in(std::array<int, DotProducts::bins>& parts, double x, double end) {
    const double place = (x + end) / (2 * end) * double(parts.size());
    if (place >= 0 && place < double(parts.size())) ++parts[std::size_t(place)];
}

} // namespace

DotProducts measure_dot_products(Index d_k, Index queries, Index keys, std::uint64_t seed) {
    Random random({seed, std::uint64_t(d_k)});
    const Numbers q = normal_numbers(queries * d_k, random), k = normal_numbers(keys * d_k, random);
    DotProducts result;
    result.d_k = d_k;
    const double root = std::sqrt(double(d_k));
    result.end = std::max(3.2 * root, 10.0);
    for (Index i = 0; i < queries; ++i) {
        Numbers scores(std::size_t(keys), 0);
        for (Index j = 0; j < keys; ++j)
            for (Index c = 0; c < d_k; ++c)
                scores[std::size_t(j)] += q[std::size_t(i * d_k + c)] * k[std::size_t(j * d_k + c)];
        for (const double s : scores) {
            count_in(result.unscaled, s, result.end);
            count_in(result.scaled, s / root, result.end);
        }
        const Saturation plain = saturation(scores, 1), scaled = saturation(scores, root);
        result.largest_unscaled += plain.largest / double(queries);
        result.largest_scaled += scaled.largest / double(queries);
        result.slope_unscaled += plain.slope / double(queries);
        result.slope_scaled += scaled.slope / double(queries);
    }
    result.variance = variance_of_pairs(d_k, result.mean, random);
    return result;
}

} // namespace headlight
