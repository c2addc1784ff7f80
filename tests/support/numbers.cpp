#include "tests/support/numbers.h"

#include "engine/tensor/random.h"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace headlight::test {

Numbers numbers_of(const Tensor& tensor) {
    return {tensor.shape(), std::vector<double>(tensor.data(), tensor.data() + tensor.size())};
}

Numbers random_numbers(const Shape& shape, std::uint64_t seed, double low, double high) {
    Random random(seed);
    Numbers numbers(shape);
    for (double& number : numbers.data) number = Real(random.uniform(low, high));
    return numbers;
}

std::string to_string(Index batch, Index row, Index column) {
    return "(" + std::to_string(batch) + ", " + std::to_string(row) + ", " + std::to_string(column) + ")";
}

std::string difference(const Tensor& actual, const Numbers& expected, double tolerance) {
    if (!(actual.shape() == expected.shape))
        return "shape " + to_string(actual.shape()) + " instead of " + to_string(expected.shape);
    double largest = 0;
    for (double number : expected.data)
        if (std::isfinite(number)) largest = std::max(largest, std::abs(number));
    std::ostringstream text;
    text.precision(17);
    for_each_cell(expected.shape, [&](Index b, Index r, Index c) {
        const double is = actual(b, r, c), should_be = expected(b, r, c);
        const bool equal =
            std::isfinite(should_be) ? std::abs(is - should_be) <= tolerance * largest : is == should_be;
        if (!equal && text.tellp() == 0)
            text << to_string(b, r, c) << " is " << is << " instead of " << should_be;
    });
    return text.str();
}

} // namespace headlight::test
