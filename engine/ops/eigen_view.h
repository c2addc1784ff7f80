// Tensors seen by Eigen, for the sources of operations only: Eigen appears in no public header.
#pragma once

#include "engine/graph/node.h"
#include "engine/tensor/tensor.h"

#include <Eigen/Core>

#include <utility>

namespace headlight {

using Matrix = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using MatrixMap = Eigen::Map<Matrix>;
using ConstMatrixMap = Eigen::Map<const Matrix>;
using RowMap = Eigen::Map<Eigen::Array<Real, 1, Eigen::Dynamic>>;
using ConstRowMap = Eigen::Map<const Eigen::Array<Real, 1, Eigen::Dynamic>>;
using FlatMap = Eigen::Map<Eigen::Array<Real, Eigen::Dynamic, 1>>;
using ConstFlatMap = Eigen::Map<const Eigen::Array<Real, Eigen::Dynamic, 1>>;

// The b-th matrix, rows × columns.
inline MatrixMap matrix(Tensor& t, Index b) { return {t.matrix(b), t.rows(), t.columns()}; }
inline ConstMatrixMap matrix(const Tensor& t, Index b) { return {t.matrix(b), t.rows(), t.columns()}; }

// The whole batch as one matrix, (batch · rows) × columns.
inline MatrixMap stacked(Tensor& t) { return {t.data(), t.shape().all_rows(), t.columns()}; }
inline ConstMatrixMap stacked(const Tensor& t) { return {t.data(), t.shape().all_rows(), t.columns()}; }

// All numbers in a line, for operations that look at one cell at a time.
inline FlatMap flat(Tensor& t) { return {t.data(), t.size()}; }
inline ConstFlatMap flat(const Tensor& t) { return {t.data(), t.size()}; }

// The r-th row of the whole batch.
inline RowMap row(Tensor& t, Index r) { return {t.data() + r * t.columns(), t.columns()}; }
inline ConstRowMap row(const Tensor& t, Index r) { return {t.data() + r * t.columns(), t.columns()}; }

// Row t of every matrix of the batch, one under another: a step in time of all sequences, [batch × columns].
using StepMap = Eigen::Map<Matrix, 0, Eigen::OuterStride<>>;
using ConstStepMap = Eigen::Map<const Matrix, 0, Eigen::OuterStride<>>;
inline StepMap step(Tensor& x, Index t) {
    return {x.row(0, t), x.batch(), x.columns(), Eigen::OuterStride<>(x.rows() * x.columns())};
}
inline ConstStepMap step(const Tensor& x, Index t) {
    return {x.row(0, t), x.batch(), x.columns(), Eigen::OuterStride<>(x.rows() * x.columns())};
}

// The gradient of one input, while one operation adds its part. The first part of a backward pass is written,
// later ones are added: nothing has to be set to zero before.
class GradientOf {
public:
    explicit GradientOf(Node& input) : input_(input), fresh_(!input.grad_started) {}
    ~GradientOf() { input_.grad_started = input_.grad_started || input_.needs_grad; }
    GradientOf(const GradientOf&) = delete;
    GradientOf& operator=(const GradientOf&) = delete;

    bool needed() const { return input_.needs_grad; }
    Tensor& tensor() { return input_.grad; }
    bool is_fresh() const { return fresh_; } // nothing has been added to it: the first part is written

    // add(stacked(g.tensor()), expression), each part of the gradient exactly once.
    template <class Part, class Expression>
    void add(Part part, const Expression& expression) {
        if (fresh_)
            part.noalias() = expression;
        else
            part.noalias() += expression;
    }
    template <class Expression>
    void add_flat(const Expression& expression) {
        if (fresh_)
            flat(input_.grad) = expression;
        else
            flat(input_.grad) += expression;
    }
    // For operations that add to some cells only.
    void start_from_zero() {
        if (fresh_) flat(input_.grad).setZero();
        fresh_ = false;
    }

private:
    Node& input_;
    bool fresh_;
};

} // namespace headlight
