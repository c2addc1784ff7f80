// Products of one row or a few, beside gemm.
#pragma once

#include "engine/tensor/gemm.h"

namespace headlight {

// As gemm, for A in rows and B in rows or columns: B is read once where it lies, nothing is worth copying.
void multiply_few_rows(Index rows, Index inner, Index columns, MatrixView a, MatrixView b, StartOf start,
                       Real* c, Index down);

} // namespace headlight
