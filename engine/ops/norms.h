#pragma once

#include "engine/graph/graph.h"

namespace headlight {

// Layer normalisation: Ba, Kiros & Hinton 2016.

// Each row to mean 0 and deviation 1, then scaled by γ and shifted by β: (x − mean) / √(variance + ε) · γ +
// β, the variance being the mean of squares. x [n × T × d], gamma and beta [1 × 1 × d].
Node* layer_norm(Node* x, Node* gamma, Node* beta, double epsilon);

// Root mean square normalisation: Zhang & Sennrich 2019.

// Each row divided by the root of the mean of its squares, then scaled by γ: x / √(mean(x²) + ε) · γ. Unlike
// layer norm nothing is subtracted and nothing added. x [n × T × d], gamma [1 × 1 × d].
Node* rms_norm(Node* x, Node* gamma, double epsilon);

// Batch normalisation: Ioffe & Szegedy 2015, with the arithmetic of torch.nn.BatchNorm1d over features. Layer
// norm (norms.h) looks along a row, this along a column: at every row of every sequence, padding among
// them.

// As in training: each column to mean 0 and deviation 1 over all rows of the batch, then scaled by γ and
// shifted by β: (x − mean) / √(variance + ε) · γ + β, the variance being the mean of squares. x [n × T × d],
// gamma and beta [1 × 1 × d].
Node* batch_norm(Node* x, Node* gamma, Node* beta, double epsilon);

// As afterwards: by a mean and a variance of each column that were kept, [1 × 1 × d], whatever else is in the
// batch.
Node* batch_norm(Node* x, Node* gamma, Node* beta, Node* mean, Node* variance, double epsilon);

// What training keeps of the last forward pass: running ← (1 − momentum) · running + momentum · batch, the
// batch's variance here being divided by one row less, as PyTorch does. Both [1 × 1 × d].
void keep_running(const Node& batch_norm, Tensor& mean, Tensor& variance, double momentum = 0.1);

} // namespace headlight
