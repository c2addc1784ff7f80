// What a legend says about a matrix, found once a version: legends are derived from the data, never stated.
#pragma once

#include "app/platform/heatmap_renderer.h"

namespace headlight {

struct MatrixFacts {
    float low = 0, high = 0; // among finite numbers; 0, 0 when there are none
    float largest_magnitude = 0;
    long finite = 0, minus_infinite = 0, broken = 0; // broken: NaN and +∞
};

MatrixFacts find_facts(const HeatmapMatrix& matrix);

// The same, remembered by (id, version) while the matrix is in use.
const MatrixFacts& facts_of(const HeatmapMatrix& matrix);

} // namespace headlight
