#include "engine/ops/gather.h"

#include "engine/ops/products.h"
#include "tests/support/naive.h"
#include "tests/support/op_check.h"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>
#include <stdexcept>

using namespace headlight;
using namespace headlight::test;

namespace {

std::vector<double> frequencies(const Rotation& rotation, Index d_k) {
    std::vector<double> all;
    for (Index j = 0; j < d_k / 2; ++j) all.push_back(rotation.frequency(j, d_k));
    return all;
}

std::string fault_of(const Rotation& rotation, const Shape& shape) {
    return fault(
        {random_numbers(shape, 1)}, [&](Graph&, const Inputs& in) { return rotate(in[0], rotation); },
        [&](const auto& in) { return naive::rotate(in[0], frequencies(rotation, shape.columns)); });
}

const Rotation llama3{500000, Rotation::Scaling::llama3, 8, 1, 4, 8192};

} // namespace

TEST_CASE("pairs half a head apart are turned by their position times their frequency") {
    CHECK(fault_of({}, {3, 5, 8}) == "");
    CHECK(fault_of({500000}, {1, 9, 2}) == "");
    CHECK(fault_of({100, Rotation::Scaling::linear, 4}, {2, 7, 6}) == "");
    CHECK(fault_of(llama3, {2, 7, 64}) == "");
}

TEST_CASE("the frequencies fall from one radian a position to one in nearly θ positions") {
    const std::vector<double> f = frequencies({10000}, 8);
    for (std::size_t j = 0; j < f.size(); ++j)
        CHECK(f[j] == doctest::Approx(std::pow(10000.0, -2 * double(j) / 8)));
}

TEST_CASE("Llama 3.1 slows what turns slowly, keeps what turns fast, and goes from one to the other") {
    Index kept = 0, between = 0, slowed = 0;
    double before = 1;
    for (Index j = 0; j < 64; ++j) {
        const double plain = Rotation{500000}.frequency(j, 128), scaled = llama3.frequency(j, 128);
        const double wavelength = 2 * std::numbers::pi / plain, share = scaled / plain;
        CHECK(share <= before + 1e-12);
        before = share;
        if (wavelength < 8192.0 / 4) {
            CHECK(scaled == plain);
            ++kept;
        } else if (wavelength > 8192) {
            CHECK(scaled == doctest::Approx(plain / 8));
            ++slowed;
        } else {
            CHECK((share < 1 && share > 1.0 / 8));
            ++between;
        }
    }
    CHECK(kept > 0);
    CHECK(between > 0);
    CHECK(slowed > 0);
}

TEST_CASE("the product of two turned vectors depends on how far apart they stand") {
    const Index length = 6, d_k = 8;
    Numbers same({1, length, d_k}); // one vector at every position
    const Numbers one = random_numbers({1, 1, d_k}, 3);
    for (Index t = 0; t < length; ++t)
        for (Index c = 0; c < d_k; ++c) same(0, t, c) = one(0, 0, c);
    Graph graph;
    Node* turned = rotate(input(graph, same), {});
    Node* scores = matmul_nt(turned, turned);
    graph.forward();
    for (Index i = 1; i < length; ++i)
        for (Index j = 1; j < length; ++j)
            CHECK(double(scores->value(0, i, j)) == doctest::Approx(double(scores->value(0, i - 1, j - 1))));
}

TEST_CASE("what cannot be paired is refused") {
    Graph graph;
    rotate(input(graph, Numbers({1, 2, 3})), {});
    CHECK_THROWS_WITH_AS(graph.forward(), doctest::Contains("pairs of [2 × 3]"), std::logic_error);
}
