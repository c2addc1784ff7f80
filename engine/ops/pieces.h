// Work that the threads of a graph share. It is cut by the sizes of the values alone, so that each number is
// the same on any number of threads.
#pragma once

#include "engine/graph/graph.h"

#include <algorithm>

namespace headlight {

// piece(0) … piece(count − 1), each once, by whichever thread is free.
template <class Piece>
void in_pieces(const Node& node, Index count, const Piece& piece) {
    if (Workers* workers = node.graph->workers; workers && count > 1) return workers->run(count, piece);
    for (Index i = 0; i < count; ++i) piece(i);
}

// part(first, count) for stretches of `total`, of which each unit costs `work` multiplications: as long as is
// worth waking a thread for.
template <class Part>
void in_parts(const Node& node, Index total, Index work, const Part& part) {
    constexpr Index worth_waking = Index(1) << 22, narrowest = 64; // narrower products waste their kernels
    const Index count = std::max(narrowest, worth_waking / std::max<Index>(work, 1));
    in_pieces(node, (total + count - 1) / count,
              [&](Index i) { part(i * count, std::min(count, total - i * count)); });
}

} // namespace headlight
