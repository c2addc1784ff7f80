#include "engine/inspect/dot_products.h"

#include "engine/tensor/random.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace headlight {

namespace {

using Numbers = std::vector<double>;

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

} // namespace

DotProducts measure_dot_products(Index d_k, Index queries, Index keys, std::uint64_t seed) {
    Random random({seed, std::uint64_t(d_k)});
    const Numbers q = normal_numbers(queries * d_k, random), k = normal_numbers(keys * d_k, random);
    DotProducts result;
    result.d_k = d_k;
    double squares = 0;
    for (Index i = 0; i < queries; ++i) {
        Numbers scores(std::size_t(keys), 0);
        for (Index j = 0; j < keys; ++j)
            for (Index c = 0; c < d_k; ++c)
                scores[std::size_t(j)] += q[std::size_t(i * d_k + c)] * k[std::size_t(j * d_k + c)];
        for (const double s : scores) {
            result.mean += s / double(queries * keys);
            squares += s * s / double(queries * keys);
        }
        const Saturation plain = saturation(scores, 1), scaled = saturation(scores, std::sqrt(double(d_k)));
        result.largest_unscaled += plain.largest / double(queries);
        result.largest_scaled += scaled.largest / double(queries);
        result.slope_unscaled += plain.slope / double(queries);
        result.slope_scaled += scaled.slope / double(queries);
    }
    result.variance = squares - result.mean * result.mean;
    return result;
}

} // namespace headlight
