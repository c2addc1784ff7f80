#pragma once

#include "engine/tensor/real.h"

namespace headlight {

// Products of matrices of the sizes that small models have (BLAS calls it gemm). Libraries made for large
// ones clear the result, copy both factors and add to it: a third of the time at 80 × 64 by 64 × 64.

// A matrix where it lies: row i, column j is data[i · down + j · right].
struct MatrixView {
    const Real* data = nullptr;
    Index down = 0, right = 1;

    Real operator()(Index i, Index j) const { return data[i * down + j * right]; }
    MatrixView from(Index i, Index j) const { return {data + i * down + j * right, down, right}; }
    MatrixView transposed() const { return {data, right, down}; }
};

// What C is before the products are added: nothing; C itself; a row that is the same for all.
struct StartOf {
    const Real* data = nullptr; // null: zero
    Index down = 0;
};

// C = start + A·B: A [rows × inner], B [inner × columns], C row-major with rows `down` apart. A number of C
// begins with its start and is summed in the order of the inner index, whatever is computed with it; of a few
// rows in an order that follows from `rows` and `inner`.
void gemm(Index rows, Index inner, Index columns, MatrixView a, MatrixView b, StartOf start, Real* c,
          Index down);

// How many numbers gemm computes at a time: more than other operations where the processor has AVX-512.
Index gemm_lanes();

// Products of one row or a few, beside gemm.

// As gemm, for A in rows and B in rows or columns: B is read once where it lies, nothing is worth copying.
void multiply_few_rows(Index rows, Index inner, Index columns, MatrixView a, MatrixView b, StartOf start,
                       Real* c, Index down);

} // namespace headlight
