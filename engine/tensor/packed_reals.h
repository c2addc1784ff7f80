// Numbers of 16 bits, as large models are stored: bfloat16 (a float's sign, exponent and seven bits of its
// fraction) and IEEE half. They stay so in memory, and become Reals where one computes with them: each is
// exact as a Real.
#pragma once

#include "engine/tensor/aligned.h"

#include <bit>
#include <cstdint>
#include <vector>

namespace headlight {

inline float from_bf16(std::uint16_t bits) { return std::bit_cast<float>(std::uint32_t(bits) << 16); }
float from_f16(std::uint16_t bits);
// The nearest half, of two as near the one whose last bit is 0; beyond 65,504 and its half step an infinity.
std::uint16_t to_f16(float number);

class PackedReals {
public:
    enum class Format { bf16, f16 };
    PackedReals(Format format, Index count) : format_(format), bits_(std::size_t(count)) {}

    Format format() const { return format_; }
    Index size() const { return Index(bits_.size()); }
    std::uint16_t* bits() { return bits_.data(); }

    Real at(Index i) const {
        const std::uint16_t bits = bits_[std::size_t(i)];
        return Real(format_ == Format::bf16 ? from_bf16(bits) : from_f16(bits));
    }
    // Numbers first … first + count − 1.
    void unpack(Index first, Index count, Real* to) const;

    // All of them, for whoever needs them side by side: unpacked when it is first asked for, until they are
    // forgotten. Not for two threads at once.
    Real* reals() const;
    Index unpacked() const { return Index(unpacked_.size()); } // as many as are held twice
    void forget() const { unpacked_ = {}; }

private:
    Format format_;
    std::vector<std::uint16_t> bits_;
    mutable AlignedReals unpacked_;
};

} // namespace headlight
