#include "engine/inspect/bare_products.h"

#include "engine/tensor/gemm.h"

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
    const auto view = [](const Tensor& t, Index i) { return MatrixView{t.matrix(i), t.columns(), 1}; };
    const auto write = [](Tensor& to, Index i, MatrixView left, Index inner, MatrixView right) {
        gemm(to.rows(), inner, to.columns(), left, right, {}, to.matrix(i), to.columns());
    };
    for (Product& p : products_)
        for (Index i = 0; i < p.sizes.count; ++i)
            write(p.c, i, view(p.a, i), p.sizes.inner,
                  p.is_transposed ? view(p.b, i).transposed() : view(p.b, i));
    for (auto product = products_.rbegin(); product != products_.rend(); ++product) {
        Product& p = *product;
        const auto [count, rows, inner, columns] = p.sizes;
        for (Index i = 0; i < count; ++i) {
            const MatrixView a = view(p.a, i), b = view(p.b, i), slope = view(p.c, i);
            if (p.of_a) write(p.gradient_a, i, slope, columns, p.is_transposed ? b : b.transposed());
            if (!p.of_b) continue;
            if (p.is_transposed)
                write(p.gradient_b, i, slope.transposed(), rows, a);
            else
                write(p.gradient_b, i, a.transposed(), rows, slope);
        }
    }
}

} // namespace headlight
