#include "engine/tensor/random.h"

#include <cmath>
#include <numbers>

namespace headlight {

namespace {

std::uint64_t mix(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

constexpr std::uint64_t golden_gamma = 0x9e3779b97f4a7c15u;

} // namespace

Random::Random(std::initializer_list<std::uint64_t> names) : state_(0) {
    for (std::uint64_t name : names) state_ = mix(state_ + golden_gamma + mix(name + golden_gamma));
}

std::uint64_t Random::next() { return mix(state_ += golden_gamma); }

double Random::uniform() { return double(next() >> 11) * 0x1p-53; }

Index Random::below(Index n) {
    using Wide __attribute__((mode(TI))) = unsigned; // 128 bits
    // The product's high half: unbiased to 2⁻⁶⁴·n, which no experiment here can see.
    return Index((static_cast<Wide>(next()) * static_cast<std::uint64_t>(n)) >> 64);
}

double Random::normal() {
    // Box–Muller, one of the pair: simple, and the same everywhere.
    const double radius = std::sqrt(-2 * std::log(1 - uniform()));
    return radius * std::cos(2 * std::numbers::pi * uniform());
}

} // namespace headlight
