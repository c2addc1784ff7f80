// The products of matrices of a graph and nothing else: as fast as training could be if all between them were
// free.
#pragma once

#include "engine/graph/graph.h"

#include <vector>

namespace headlight {

class BareProducts {
public:
    // Of what the graph has just computed and differentiated: the same shapes, forward and backward, in as
    // much memory of its own. What a recurrence computes row by row is one product here: a limit all the
    // more.
    explicit BareProducts(const Graph& graph);

    void run(); // each product once, as the operations compute them
    bool empty() const { return products_.empty(); }

private:
    // C = A·Bᵀ or A·B, and for the gradients that are needed ∂A = ∂C·B or ∂C·Bᵀ, ∂B = ∂Cᵀ·A or Aᵀ·∂C.
    struct Product {
        MatrixProduct sizes;
        bool is_transposed = false, of_a = false, of_b = false;
        Tensor a, b, c, gradient_a, gradient_b;
    };
    Arena memory_;
    std::vector<Product> products_;
};

} // namespace headlight
