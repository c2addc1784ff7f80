#include "app/look/colour.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace headlight {
namespace {

using Triple = std::array<float, 3>;
using Matrix = std::array<Triple, 3>;

// Linear sRGB → cone responses, and (cube roots of) cone responses → OKLab, from the definition of OKLab.
constexpr Matrix cones_from_rgb = {{{0.4122214708f, 0.5363325363f, 0.0514459929f},
                                    {0.2119034982f, 0.6806995451f, 0.1073969566f},
                                    {0.0883024619f, 0.2817188376f, 0.6299787005f}}};
constexpr Triple lightness_from_cones = {0.2104542553f, 0.7936177850f, -0.0040720468f};
constexpr Matrix cones_from_lab = {{{1, 0.3963377774f, 0.2158037573f},
                                    {1, -0.1055613458f, -0.0638541728f},
                                    {1, -0.0894841775f, -1.2914855480f}}};
constexpr Matrix rgb_from_cones = {{{4.0767416621f, -3.3077115913f, 0.2309699292f},
                                    {-1.2684380046f, 2.6097574011f, -0.3413193965f},
                                    {-0.0041960863f, -0.7034186147f, 1.7076147010f}}};

float dot(const Triple& a, const Triple& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

Triple operator*(const Matrix& matrix, const Triple& v) {
    return {dot(matrix[0], v), dot(matrix[1], v), dot(matrix[2], v)};
}

float encoded(float linear) {
    return linear <= 0.0031308f ? 12.92f * linear : 1.055f * std::pow(linear, 1 / 2.4f) - 0.055f;
}

float decoded(float value) {
    return value <= 0.04045f ? value / 12.92f : std::pow((value + 0.055f) / 1.055f, 2.4f);
}

Triple linear_rgb(const Oklch& oklch) {
    const float angle = oklch.hue * std::numbers::pi_v<float> / 180;
    Triple cones = cones_from_lab
                   * Triple{oklch.lightness, oklch.chroma * std::cos(angle), oklch.chroma * std::sin(angle)};
    for (float& response : cones) response = response * response * response;
    return rgb_from_cones * cones;
}

bool on_screen(const Triple& rgb_values) {
    return std::ranges::all_of(rgb_values, [](float value) { return value > -0.001f && value < 1.001f; });
}

} // namespace

Colour to_colour(const Oklch& oklch) {
    Oklch reachable = oklch;
    if (!on_screen(linear_rgb(reachable))) {
        float too_much = oklch.chroma, fits = 0;
        for (int step = 0; step < 16; ++step) {
            reachable.chroma = (too_much + fits) / 2;
            (on_screen(linear_rgb(reachable)) ? fits : too_much) = reachable.chroma;
        }
        reachable.chroma = fits;
    }
    Colour colour = 0xFF000000u;
    const Triple values = linear_rgb(reachable);
    for (int channel = 0; channel < 3; ++channel) {
        const float value =
            std::clamp(encoded(std::clamp(values[std::size_t(channel)], 0.0f, 1.0f)), 0.0f, 1.0f);
        colour |= Colour(std::lround(value * 255)) << (8 * channel);
    }
    return colour;
}

double contrast(Colour a, Colour b) {
    const auto luminance = [](Colour colour) { // WCAG 2.2
        const auto part = [&](int channel) {
            return double(decoded(float(colour >> (8 * channel) & 255) / 255));
        };
        return 0.2126 * part(0) + 0.7152 * part(1) + 0.0722 * part(2);
    };
    const double x = luminance(a), y = luminance(b);
    return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
}

float lightness(Colour colour) {
    Triple linear;
    for (int channel = 0; channel < 3; ++channel)
        linear[std::size_t(channel)] = decoded(float(colour >> (8 * channel) & 255) / 255);
    Triple cones = cones_from_rgb * linear;
    for (float& response : cones) response = std::cbrt(response);
    return dot(lightness_from_cones, cones);
}

Colour mix(Colour a, Colour b, float share_of_b) {
    Colour mixed = 0;
    for (int shift = 0; shift < 32; shift += 8) {
        const float value = float(a >> shift & 255) * (1 - share_of_b) + float(b >> shift & 255) * share_of_b;
        mixed |= Colour(std::lround(value)) << shift;
    }
    return mixed;
}

std::vector<Colour> gradient(const std::vector<Oklch>& stops) {
    constexpr int size = 256;
    std::vector<Colour> colours(size);
    for (int i = 0; i < size; ++i) {
        const float place = float(i) / (size - 1) * float(stops.size() - 1);
        const auto below = std::min(std::size_t(place), stops.size() - 2);
        const float share = place - float(below);
        const Oklch &a = stops[below], &b = stops[below + 1];
        colours[std::size_t(i)] =
            to_colour({std::lerp(a.lightness, b.lightness, share), std::lerp(a.chroma, b.chroma, share),
                       std::lerp(a.hue, b.hue, share)});
    }
    return colours;
}

} // namespace headlight
