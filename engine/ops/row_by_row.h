// Operations whose rows are computed one after another, of all sequences at once: the parts of a recurrence.
#pragma once

#include "engine/graph/graph.h"

namespace headlight {

// They need not stand in one: then all of their rows are there, and are done in a go.
struct RowByRow : Op {
    bool runs_by_rows() const override { return true; }
    void forward(Node& node) const override {
        for (Index t = 0; t < node.value.rows(); ++t) forward_row(node, t);
    }
    void backward(Node& node) const override {
        for (Index t = node.value.rows() - 1; t >= 0; --t) backward_row(node, t);
        backward_rest(node);
    }
};

// visit(r) for row t of every matrix of the batch, r being its place among all rows.
template <class Visit>
void for_each_row_at(const Tensor& x, Index t, Visit visit) {
    for (Index b = 0; b < x.batch(); ++b) visit(b * x.rows() + t);
}

} // namespace headlight
