#include "engine/tensor/gemm.h"

#include <Eigen/Core>

#include <algorithm>

namespace headlight {

void multiply_few_rows(Index rows, Index inner, Index columns, MatrixView a, MatrixView b, StartOf start,
                       Real* c, Index down) {
    using Matrix = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    using Rows = Eigen::Map<const Matrix, 0, Eigen::OuterStride<>>;
    const Rows left(a.data, rows, inner, Eigen::OuterStride<>(a.down));
    Eigen::Map<Matrix, 0, Eigen::OuterStride<>> result(c, rows, columns, Eigen::OuterStride<>(down));
    if (start.data == nullptr)
        result.setZero();
    else if (start.data != c)
        for (Index i = 0; i < rows; ++i) std::copy_n(start.data + i * start.down, columns, c + i * down);
    if (b.right == 1)
        result.noalias() += left * Rows(b.data, inner, columns, Eigen::OuterStride<>(b.down));
    else
        result.noalias() += left * Rows(b.data, columns, inner, Eigen::OuterStride<>(b.right)).transpose();
}

} // namespace headlight
