// Where the vectors of a stream are looked at on their way through a model.
#pragma once

#include "engine/model/model_map.h"

#include <span>
#include <string>
#include <vector>

namespace headlight {

struct StreamStop {
    enum class Kind { embedding, positions, layer, norm } kind = Kind::embedding;
    Index layer = 0;
    std::string path; // of the value that holds the vectors, a row a token
};

// In the order of computation: the word alone, with its place, after each layer, after the last norm.
std::vector<StreamStop> stops_of(const ModelMap& map, const Stream& stream);

// 1 for two vectors that are nothing but zeros: they point nowhere else.
double cosine(std::span<const Real> a, std::span<const Real> b);

} // namespace headlight
