#include "engine/model/small_nets.h"

#include "tests/support/explanation_check.h"

#include <doctest/doctest.h>

#include <cmath>
#include <span>
#include <string>
#include <vector>

using namespace headlight;
using namespace headlight::test;

namespace {

constexpr double small_epsilon = 1e-5;

// Sentences whose words keep their vectors wherever they stand; what is padded is one vector everywhere.
PaddedVectors padded_words(Index samples, Index length) {
    PaddedVectors x{samples, length, 5, {}};
    for (Index n = 0; n < samples; ++n)
        for (Index t = 0; t < length; ++t)
            for (Index c = 0; c < x.width; ++c) {
                const bool is_padding = t > n + 1; // sentence n has n + 2 words
                x.numbers.push_back(Real(is_padding
                                             ? 0.3 * double(c)
                                             : std::sin(double(7 * n + 3 * t + 2 * c)) + 0.2 * double(n)));
            }
    return x;
}

double naive_norm(std::span<const double> cells, double x) {
    double mean = 0, variance = 0;
    for (const double cell : cells) mean += cell / double(cells.size());
    for (const double cell : cells) variance += (cell - mean) * (cell - mean) / double(cells.size());
    return (x - mean) / std::sqrt(variance + small_epsilon);
}

double naive_layer(const PaddedVectors& x, Index row, Index column) {
    std::vector<double> cells;
    for (Index c = 0; c < x.width; ++c) cells.push_back(double(x.numbers[std::size_t(row * x.width + c)]));
    return naive_norm(cells, cells[std::size_t(column)]);
}

double naive_batch(const PaddedVectors& x, Index row, Index column) {
    std::vector<double> cells;
    for (Index r = 0; r < x.rows(); ++r)
        cells.push_back(double(x.numbers[std::size_t(r * x.width + column)]));
    return naive_norm(cells, cells[std::size_t(row)]);
}

} // namespace

TEST_CASE("both norms of a batch are what a naive twin says, with the longer sentence and without") {
    const PaddedVectors without = padded_words(3, 4), with = padded_words(4, 5);
    const auto norms = build_two_norms(without, with, small_epsilon);
    for (const auto& [x, place] : {std::pair{&without, "norms."}, {&with, "norms.longer."}}) {
        const Tensor &layer = norms->graph.find(std::string(place) + "layer")->value,
                     &batch = norms->graph.find(std::string(place) + "batch")->value;
        REQUIRE(layer.rows() == x->rows());
        for (Index r = 0; r < x->rows(); ++r)
            for (Index c = 0; c < x->width; ++c) {
                CHECK(double(layer(0, r, c)) == doctest::Approx(naive_layer(*x, r, c)).epsilon(1e-4));
                CHECK(double(batch(0, r, c)) == doctest::Approx(naive_batch(*x, r, c)).epsilon(1e-4));
            }
    }
    CHECK(unexplained_cell(norms->graph) == "");
}

TEST_CASE("one more sentence changes nothing under layer norm, and every other number under batch norm") {
    const PaddedVectors without = padded_words(3, 4), with = padded_words(4, 5);
    const auto norms = build_two_norms(without, with, small_epsilon);
    const auto change = [&](const char* of) -> const Tensor& {
        return norms->graph.find(std::string("norms.change.") + of)->value;
    };
    REQUIRE(change("batch").rows() == without.rows());
    for (Index n = 0; n < without.samples; ++n)
        for (Index t = 0; t < without.length; ++t)
            for (Index c = 0; c < without.width; ++c) {
                const Index row = n * without.length + t, longer = n * with.length + t;
                CHECK(double(change("input")(0, row, c)) == 0);
                CHECK(std::abs(double(change("layer")(0, row, c))) < 1e-6); // products may be cut elsewhere
                const double wanted = naive_batch(with, longer, c) - naive_batch(without, row, c);
                CHECK(std::abs(double(change("batch")(0, row, c)) - wanted) < 1e-5);
                CHECK(std::abs(wanted) > 1e-4);
            }
}
