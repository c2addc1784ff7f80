#include "engine/inspect/bare_products.h"

#include "engine/ops/eigen_view.h"

#include <algorithm>

namespace headlight {

BareProducts::BareProducts(const Graph& graph) {
    const auto numbers = [&](Index count, Index rows, Index columns) {
        Tensor tensor = memory_.allocate({count, rows, columns});
        std::fill_n(tensor.data(), tensor.size(), Real(0.01));
        return tensor;
    };
    for (const Node& node : graph.nodes()) {
        if (node.value.empty()) continue;
        const MatrixProduct sizes = node.op->product(node);
        if (sizes.multiplications() == 0) continue;
        Product product;
        product.sizes = sizes;
        product.is_transposed = node.input(1).value.columns() == sizes.inner;
        const bool is_differentiated = graph.has_gradient(node);
        product.of_a = is_differentiated && node.input(0).needs_grad;
        product.of_b = is_differentiated && node.input(1).needs_grad;
        const auto [count, rows, inner, columns] = sizes;
        const Index b_rows = product.is_transposed ? columns : inner,
                    b_columns = product.is_transposed ? inner : columns;
        product.a = numbers(count, rows, inner);
        product.b = numbers(count, b_rows, b_columns);
        product.c = numbers(count, rows, columns);
        if (product.of_a) product.gradient_a = numbers(count, rows, inner);
        if (product.of_b) product.gradient_b = numbers(count, b_rows, b_columns);
        products_.push_back(product);
    }
}

void BareProducts::run() {
    for (Product& p : products_)
        for (Index i = 0; i < p.sizes.count; ++i)
            if (p.is_transposed)
                matrix(p.c, i).noalias() = matrix(p.a, i) * matrix(p.b, i).transpose();
            else
                matrix(p.c, i).noalias() = matrix(p.a, i) * matrix(p.b, i);
    for (auto product = products_.rbegin(); product != products_.rend(); ++product) {
        Product& p = *product;
        for (Index i = 0; i < p.sizes.count; ++i) {
            if (p.of_a && p.is_transposed)
                matrix(p.gradient_a, i).noalias() = matrix(p.c, i) * matrix(p.b, i);
            if (p.of_a && !p.is_transposed)
                matrix(p.gradient_a, i).noalias() = matrix(p.c, i) * matrix(p.b, i).transpose();
            if (p.of_b && p.is_transposed)
                matrix(p.gradient_b, i).noalias() = matrix(p.c, i).transpose() * matrix(p.a, i);
            if (p.of_b && !p.is_transposed)
                matrix(p.gradient_b, i).noalias() = matrix(p.a, i).transpose() * matrix(p.c, i);
        }
    }
}

} // namespace headlight
