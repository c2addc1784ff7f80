#include "engine/tensor/tensor.h"

#include <algorithm>

namespace headlight {

float from_f16(std::uint16_t bits) {
    const std::uint32_t sign = std::uint32_t(bits & 0x8000u) << 16;
    const std::uint32_t exponent = (bits >> 10) & 0x1Fu, fraction = bits & 0x3FFu;
    if (exponent == 0) { // zero and the subnormals: fraction × 2⁻²⁴, exact in a float
        const float magnitude = float(fraction) * 0x1p-24f;
        return sign != 0 ? -magnitude : magnitude;
    }
    if (exponent == 31) return std::bit_cast<float>(sign | 0x7F800000u | (fraction << 13)); // ∞ and NaN
    return std::bit_cast<float>(sign | ((exponent + 112) << 23) | (fraction << 13)); // biases: 127 − 15
}

std::uint16_t to_f16(float number) {
    const std::uint32_t bits = std::bit_cast<std::uint32_t>(number);
    const std::uint32_t sign = bits >> 16 & 0x8000u, magnitude = bits & 0x7FFFFFFFu;
    if (magnitude > 0x7F800000u) return std::uint16_t(sign | 0x7E00u);  // NaN
    if (magnitude >= 0x477FF000u) return std::uint16_t(sign | 0x7C00u); // 65,520 and more: ∞
    // Added to 0.5 (of subnormals: 2⁻¹⁴ and less) a float has the last bit that a half has: its own rounding.
    if (magnitude < 0x38800000u)
        return std::uint16_t(
            sign | (std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude) + 0.5f) & 0x7FFu));
    const std::uint32_t odd = magnitude >> 13 & 1u;
    return std::uint16_t(sign | ((magnitude - (112u << 23) + 0xFFFu + odd) >> 13));
}

void PackedReals::unpack(Index first, Index count, Real* to) const {
    const std::uint16_t* from = bits_.data() + first;
    if (format_ == Format::bf16)
        std::transform(from, from + count, to, [](std::uint16_t bits) { return Real(from_bf16(bits)); });
    else
        std::transform(from, from + count, to, [](std::uint16_t bits) { return Real(from_f16(bits)); });
}

Real* PackedReals::reals() const {
    if (unpacked_.empty()) {
        unpacked_.resize(bits_.size());
        unpack(0, size(), unpacked_.data());
    }
    return unpacked_.data();
}

} // namespace headlight
