// An operation knows three things: how to compute, how to differentiate, and how to explain one cell of
// either.
#pragma once

#include "engine/graph/explanation.h"
#include "engine/tensor/tensor.h"

#include <string_view>

namespace headlight {

class Op {
public:
    virtual ~Op() = default;

    virtual std::string_view name() const = 0; // "matmul_nt"

    // Shape of the value, from the shapes of the inputs' values. Sizes flow: the same graph computes
    // sentences of any length.
    virtual Shape shape(const Node& node) const = 0;
    // Shape of what forward keeps for backward in node.saved; nothing for most.
    virtual Shape saved_shape(const Node&) const { return {}; }
    // A view's value is memory that exists already (a parameter): it is found, not computed.
    virtual bool is_view() const { return false; }
    virtual Tensor view(const Node&) const { return {}; }
    // Memory of the gradient, when it lives outside the pass (a parameter's).
    virtual Tensor gradient_view(const Node&) const { return {}; }

    virtual void forward(Node& node) const = 0;  // inputs' values → node.value
    virtual void backward(Node& node) const = 0; // node.grad → adds to the inputs' grads
    virtual Explanation explain(const Node& node, Cell cell) const = 0; // of node.value(cell)

    // What backward adds to the gradient of one cell of an input, as arithmetic over node's own gradient and
    // values. No steps: nothing, because the cell was not read (another row of a table), or because there is
    // nothing to differentiate (a choice, a mask).
    virtual Explanation explain_backward(const Node&, std::size_t /*input*/, Cell) const { return {}; }
};

} // namespace headlight
