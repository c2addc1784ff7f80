// Colours as the eye measures them. OKLCH (Ottosson 2020): lightness 0…1, chroma 0…about 0.3, hue in degrees;
// equal steps of lightness look equal, which is what a map of numbers needs.
#pragma once

#include <cstdint>
#include <vector>

namespace headlight {

using Colour = std::uint32_t; // 0xAABBGGRR, Dear ImGui's order

constexpr Colour rgb(std::uint32_t hex) { // 0xRRGGBB as written in a style sheet
    return 0xFF000000u | (hex & 0xFF) << 16 | (hex & 0xFF00) | (hex >> 16 & 0xFF);
}

constexpr Colour with_alpha(Colour colour, float alpha) {
    return (colour & 0x00FFFFFFu) | std::uint32_t(alpha * 255 + 0.5f) << 24;
}

struct Oklch {
    float lightness = 0, chroma = 0, hue = 0;
};

// The nearest colour a screen has: where the chroma is out of reach, less of it, at the same lightness and
// hue.
Colour to_colour(const Oklch& oklch);
float lightness(Colour colour);
// How far two colours stand apart, 1 … 21 (WCAG 2.2): text wants 4.5, lines that carry meaning 3.
double contrast(Colour a, Colour b);

Colour mix(Colour a, Colour b, float share_of_b); // in RGB

// 256 colours through the stops, which lie at equal distances; lightness, chroma and hue each change evenly
// between two stops. Hues turn the way they are written (350 → 370 passes through red).
std::vector<Colour> gradient(const std::vector<Oklch>& stops);

} // namespace headlight
